from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Query, Reject, Relevance, Translation, Wording
from pipeline.stages.judging import JudgeQueries, WriteReport, judge_pair, refused_or_accepted
from qa_filters.judge import reasons

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]

PLAN = load_plan("sample", ['languages=["en", "de"]'])
FULL = "Welche Symptome hat eine Blinddarmentzündung?"


def pair(query_id: str, text: str, back: str = "") -> tuple[Query, Translation]:
    names = (
        Name("appendicitis", "en", "S", "PT", "A1", 0, True),
        Name("Blinddarmentzündung", "de", "S", "PT", "A2", 0, True),
    )
    original = Wording("What are the symptoms of appendicitis?", "en", (), 0)
    concept, relevant = Concept("C1", names, ("T047",)), (Relevance("p", 1),)
    query = Query(query_id, "qa", "", "s", "t", "source", original, (), (concept,), relevant, "CC")
    return query, Translation(text, "de", "mt", "curated", "", "", back or original.text, -0.5)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (FULL, ()),
        ("What are the symptoms of appendicitis?", ("copy",)),
        ("Каковы симптомы?", ("script",)),
        (FULL + " <b>", ("markup",)),
    ],
)
def test_every_filter_has_its_verdict(text: str, refused: tuple[str, ...], counts: Counts) -> None:
    judged = judge_pair(pair("qa-1", text), PLAN)
    assert [verdict.filter for verdict in judged.verdicts] == sorted(PLAN.filters)
    assert {one.filter for one in judged.verdicts if not one.accepted} >= set(refused)
    assert judged.accepted == (not refused)
    assert counts == {("judge", f"note: refused by {name}"): 1 for name in reasons(judged)}
    assert set(reasons(judged)) >= set(refused)


def test_a_refused_text_has_one_reject() -> None:
    judged = judge_pair(pair("qa-1", "Каковы симптомы? <b>"), PLAN)
    first, *others = reasons(judged)
    assert others
    detail = ", ".join([first, *others])
    assert refused_or_accepted(judged) == Reject("judge", "qa-1/de", first, detail)
    assert refused_or_accepted(judge_pair(pair("qa-1", FULL), PLAN)) == "qa-1/de"


def test_judging_is_free_of_order(tmp_path: Path, run_graph: RunGraph, counts: Counts) -> None:
    pairs = [pair("qa-1", FULL), pair("qa-2", FULL + " <b>"), pair("qa-3", "Каковы симптомы?")]

    def lay_out(graph: beam.Pipeline) -> Laid:
        judged, rejects = graph | beam.Create(pairs) | JudgeQueries(PLAN)
        page = judged | WriteReport(PLAN, str(tmp_path))
        return {"judged": judged, "rejects": rejects, "page": page}

    found = run_graph(lay_out)
    assert [(one.query.query_id, one.accepted) for one in found["judged"]] == [
        ("qa-1", True),
        ("qa-2", False),
        ("qa-3", False),
    ]
    # all go on, for their verdicts; each of the refused is left out once
    assert sorted((one.key, one.reason) for one in found["rejects"]) == [
        (f"{one.query.query_id}/de", reasons(one)[0]) for one in found["judged"] if not one.accepted
    ]
    assert (counts["judge", "in"], counts["judge", "out"]) == (3, 1)
    assert counts["judge", "markup"] == 1
    assert counts["judge", "note: refused by markup"] == 1
    (page,) = found["page"]
    text = Path(page).read_text("utf-8")
    assert Path(page) == tmp_path / "quality" / "report.html"
    assert "Каковы симптомы?" in text
    assert f"{PLAN.title} {PLAN.version}" in text
    pairs.reverse()
    assert repr(run_graph(lay_out)) == repr(found)
    assert Path(page).read_text("utf-8") == text


def test_a_report_on_nothing_is_written(tmp_path: Path, run_graph: RunGraph) -> None:
    def lay_out(graph: beam.Pipeline) -> Laid:
        return {"page": graph | beam.Create([]) | WriteReport(PLAN, str(tmp_path))}

    (page,) = run_graph(lay_out)["page"]
    assert Path(page).is_file()
