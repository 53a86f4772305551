"""The sample's confusion sets: one right answer each, and nothing to give it away."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from pipeline.build import build
from pipeline.cli import app
from pipeline.confusion_report import ExplainError, explain_set, find_shortcuts, in_words
from pipeline.plan_file import load_plan
from pipeline.records import LANGUAGES, Concept
from pipeline.release.layout import SETS, TIERS
from pipeline.stages.running import Engine
from umls_tools.concept_batches import concepts_of
from umls_tools.confusion.shortcuts import TOLD
from umls_tools.files import locate
from umls_tools.reading import Metathesaurus, Watch, assembly_of, read_concepts

META = Path(__file__).parents[2] / "pipeline" / "sample" / "META"
SIZE = 9


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, built in English alone."""
    plan = load_plan("sample", ['languages=["en"]'])
    return build(plan, tmp_path_factory.mktemp("sets"), Engine()).folder


@pytest.fixture(scope="session")
def concepts() -> list[Concept]:
    tables = locate(str(path) for path in META.iterdir())
    reading = Metathesaurus(tables, assembly_of(tables, tuple(LANGUAGES), 0))
    left_out: Counter[str] = Counter()
    batches = read_concepts(reading, Watch(left_out.update))
    return [concept for batch in batches for concept in concepts_of(batch)]


@pytest.fixture(scope="session")
def rows(release: Path) -> list[dict[str, Any]]:
    return pq.read_table(release / SETS).to_pylist()


def test_card_and_manifest_say_what_sets_are_asked_by(
    release: Path, rows: list[dict[str, Any]], concepts: list[Concept]
) -> None:
    """Counted again by comparing texts with the definitions of the golds."""
    defined = {(one.cui, found.text) for one in concepts for found in one.definitions}
    paths = (release / "data" / "concepts" / "queries").glob("*/en/*.parquet")
    asked = [row for path in sorted(paths) for row in pq.read_table(path).to_pylist()]
    by_definition = {row["_id"] for row in asked if (row["cuis"][0], row["text"]) in defined}
    assert by_definition == {row["query-id"] for row in rows if row["wording"] == "definition"}
    counts = {"name": len(asked) - len(by_definition), "definition": len(by_definition)}
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    assert manifest["set_wordings"]["en"] == {
        kind: {"queries": number, "share": round(number / len(asked), 4)}
        for kind, number in counts.items()
        if number
    }
    assert f"| en | {len(asked)} | {counts['name']} (" in (release / "README.md").read_text("utf-8")


def shown(rows: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    by_query: dict[str, list[str]] = {}
    for row in rows:
        by_query.setdefault(row["query-id"], [row["gold"]]).append(row["distractor"])
    return map(tuple, by_query.values())


def test_no_set_holds_two_right_answers(
    rows: list[dict[str, Any]], concepts: list[Concept], second_opinion: ModuleType
) -> None:
    opinion = second_opinion.SecondOpinion(concepts)
    sets = list(shown(rows))
    assert len(sets) >= 120
    assert {len(one) for one in sets} == {SIZE + 1}
    assert list(opinion.faults(sets)) == []


def test_the_second_opinion_sees_what_it_should(
    concepts: list[Concept], second_opinion: ModuleType
) -> None:
    opinion = second_opinion.SecondOpinion(concepts)
    edges = [(one.cui, edge) for one in concepts for edge in one.relations]
    kinds = {"parent": "ancestor", "child": "ancestor", "synonym": "synonym", "family": "family"}
    for kind, why in kinds.items():
        pairs = [(cui, edge.cui) for cui, edge in edges if edge.kind == kind]
        for pair in pairs[:5]:
            assert opinion.both_right(*pair) == opinion.both_right(*pair[::-1]) == why
    assert opinion.both_right(concepts[0].cui, concepts[0].cui) == "same"


def test_no_shortcut_finds_the_gold(release: Path) -> None:
    found = find_shortcuts(release)
    assert tuple(found) == TIERS
    for tier, rates in found.items():
        assert {one.shortcut for one in rates} == TOLD.keys()
        assert [(tier, one) for one in rates if one.tells] == []


def test_every_concept_is_gold_at_most_once_and_shown_as_often_as_its_set(
    rows: list[dict[str, Any]],
) -> None:
    golds = {row["query-id"]: row["gold"] for row in rows}
    assert len(set(golds.values())) == len(golds)
    times = Counter(cui for one in shown(rows) for cui in one)
    assert max(times.values()) <= SIZE + 1
    for one in shown(rows):
        assert len({times[cui] for cui in one}) == 1


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["explain", *map(str, arguments)])


def test_a_set_is_explained(release: Path, rows: list[dict[str, Any]]) -> None:
    for tier in TIERS:
        query_id = next(row["query-id"] for row in rows if row["tier"] == tier)
        report = explain_set(release, query_id)
        assert report.tier == tier
        assert len(report.distractors) == SIZE
        assert all(in_words(one.why) != one.why for one in report.distractors)
        assert report.queries[0][0] == "en"
        printed = run(release, query_id)
        assert printed.exit_code == 0
        assert all(one.concept in printed.stdout for one in report.distractors)
        read = json.loads(run(release, query_id, "--json").stdout)
        assert read["gold"] == report.gold
        assert [one["why"] for one in read["distractors"]] == [o.why for o in report.distractors]


def test_all_sets_are_explained_together(release: Path) -> None:
    assert "longest name" in run(release).stdout
    assert json.loads(run(release, "--json").stdout).keys() == set(TIERS)


def test_an_unknown_set_is_named(release: Path) -> None:
    with pytest.raises(ExplainError, match="no confusion set 'concepts-none'"):
        explain_set(release, "concepts-none")
    assert run(release, "concepts-none").exit_code == 1


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("sibling:MSH:C0000001", "children of C0000001 in MSH"),
        ("cousin:DOID:C0000001:3", "3 steps below C0000001 in DOID"),
        ("adjacent_code:ICD9CM", "codes beside each other in ICD9CM"),
        ("look_alike", "names that look alike"),
        ("other_group:CHEM:DISO", "semantic groups CHEM and DISO"),
        ("distant:DISO:5", "semantic group DISO, no ancestor near"),
        ("of_another_release:X", "of_another_release:X"),
    ],
)
def test_reasons_in_words(why: str, words: str) -> None:
    assert in_words(why) == words
