import dataclasses
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.pipeline import AppliedPTransform
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from hypothesis import given
from hypothesis import strategies as st

from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Query, Reject, Translation, Wording
from pipeline.stages.translation import (
    BATCH,
    TranslateQueries,
    cut_batches,
    native_wordings,
    wanted_translations,
)
from translation.memory_tables import TSV_COLUMNS

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]


def query(query_id: str, text: str, *natives: tuple[str, str], origin: str = "source") -> Query:
    wordings = tuple(Wording(other, language, ("S",), 0) for language, other in natives)
    original = Wording(text, "en", (), 0)
    return Query(query_id, "qa", "", "s", "test", origin, original, wordings, (), (), "CC0-1.0")


NAMED = query("c", "the itch", ("de", "Krätze"), ("fr", "gale"), origin="umls")
GERMAN = dataclasses.replace(query("q", ""), original=Wording("Warum?", "de", (), 0))
SCABIES = Concept("C1", (Name("Scabies", "en", "S", "PT", "A1", 0, True),), ("T047",))
LOUSE = Concept("C2", (Name("Louse infestation", "en", "S", "PT", "A2", 0, True),), ("T047",))


@pytest.mark.parametrize(
    ("asked", "languages", "native", "wanted"),
    [
        (query("q", "Why?"), ("en",), [("en", "Why?")], []),
        (query("q", "Why?"), ("en", "de", "fr"), [("en", "Why?")], ["de", "fr"]),
        (NAMED, ("en", "de"), [("en", "the itch"), ("de", "Krätze")], []),
        (NAMED, ("en", "ja", "fr"), [("en", "the itch"), ("fr", "gale")], ["ja"]),
        (query("q", "Why?"), ("de",), [], ["de"]),
        # a question that its source asks in German is never translated into German
        (GERMAN, ("en", "de", "fr"), [("de", "Warum?")], ["en", "fr"]),
    ],
)
def test_only_what_no_source_words_is_translated(
    asked: Query, languages: tuple[str, ...], native: list[tuple[str, str]], wanted: list[str]
) -> None:
    given = list(native_wordings(asked, languages))
    assert [(worded.language, worded.text) for _, worded in given] == native
    assert {worded.origin for _, worded in given} <= {asked.origin}
    requests = list(wanted_translations(asked, languages))
    assert [request for request, _ in requests] == [
        (asked.original.text, asked.original.language, language) for language in wanted
    ]
    assert all(one is asked for _, one in [*requests, *((q, q) for q, _ in given)])


@given(st.lists(st.text(max_size=40), max_size=30), st.randoms())
def test_batches_depend_on_the_texts_alone(texts: list[str], shuffle: random.Random) -> None:
    shuffled = list(texts)
    shuffle.shuffle(shuffled)
    one, other = (
        list(cut_batches((("en", "de"), [(t, "en", "de") for t in some])))
        for some in (texts, shuffled)
    )
    assert one == other
    keys = list(itertools.chain.from_iterable(one))
    assert sorted(keys) == [(text, "en", "de") for text in sorted(set(texts))]


def test_batches_keep_within_their_limit() -> None:
    requests = [(f"{n:04}", "en", "de") for n in range(BATCH.count * 2 + 1)]
    sizes = [len(batch) for batch in cut_batches((("en", "de"), requests))]
    assert sizes == [BATCH.count, BATCH.count, 1]


def test_translating_is_free_of_order(tmp_path: Path, run_graph: RunGraph, counts: Counts) -> None:
    memory = tmp_path / "memory.tsv"
    rows = [
        TSV_COLUMNS,
        ("en", "de", "Why?", "Warum?", "For what reason?", "curated", "", ""),
        ("en", "fr", "Why?", "Pourquoi ?", "Why?", "curated", "", ""),
        ("en", "fr", "How?", "Comment ?", "How so?", "curated", "", ""),
    ]
    memory.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    plan = load_plan(
        "sample",
        [
            *('languages=["en", "de", "fr"]', "translation.engine=memory"),
            f'translation.memory=["{memory}"]',
        ],
    )
    queries = [query("q1", "Why?"), query("q2", "Why?"), query("q3", "How?"), NAMED]

    def lay_out(graph: beam.Pipeline) -> Laid:
        pairs, rejects = graph | beam.Create(queries) | TranslateQueries(plan)
        return {"pairs": pairs | beam.Map(_brief), "rejects": rejects}

    found = run_graph(lay_out)
    assert found["pairs"] == [
        ("c", "de", "Krätze", "umls", ""),
        ("c", "en", "the itch", "umls", ""),
        ("c", "fr", "gale", "umls", ""),
        ("q1", "de", "Warum?", "mt", "For what reason?"),
        ("q1", "en", "Why?", "source", ""),
        ("q1", "fr", "Pourquoi ?", "mt", "Why?"),
        ("q2", "de", "Warum?", "mt", "For what reason?"),
        ("q2", "en", "Why?", "source", ""),
        ("q2", "fr", "Pourquoi ?", "mt", "Why?"),
        ("q3", "en", "How?", "source", ""),
        ("q3", "fr", "Comment ?", "mt", "How so?"),
    ]
    assert found["rejects"] == [Reject("translate", "q3/de", "not_in_memory", "en to de")]
    # "Why?" is asked twice and translated once; what the memory lacks did not come from it
    assert counts["translate", "in"] == 6
    assert counts["translate", "out"] == 5
    assert counts["translate", "not_in_memory"] == 1
    assert counts["translate", "note: from memory"] == 3
    queries.reverse()
    assert run_graph(lay_out) == found


@pytest.mark.parametrize(
    ("changes", "hinted"),
    [([], []), (["translation.accelerator=type:nvidia-tesla-t4;count:1"], ["Translate/Translate"])],
)
def test_translating_alone_asks_for_an_accelerator(changes: list[str], hinted: list[str]) -> None:
    plan = load_plan("sample", ["translation.engine=memory", *changes])
    graph = beam.Pipeline(runner=FnApiRunner())
    _ = graph | beam.Create([NAMED]) | "Translate" >> TranslateQueries(plan)
    asking = [
        part.full_label
        for parts in _every_part(graph._root_transform())
        for part in parts
        if "accelerator" in str(part.transform and part.transform.get_resource_hints())
    ]
    assert asking == hinted


def _every_part(part: AppliedPTransform) -> Iterator[list[AppliedPTransform]]:
    yield part.parts
    for inner in part.parts:
        yield from _every_part(inner)


@pytest.mark.parametrize(
    ("task", "translated", "refused"),
    [
        ("concepts", "Scabies", True),
        ("concepts", "scabies!", True),
        ("concepts", "Louse infestation", True),  # the name of a wrong answer
        ("concepts", "Skabies", False),
        ("qa", "Scabies", False),
    ],
)
def test_a_set_is_not_asked_for_by_the_name_it_shows(
    task: str, translated: str, refused: bool, tmp_path: Path, run_graph: RunGraph, counts: Counts
) -> None:
    memory = tmp_path / "memory.tsv"
    row = ("en", "de", "the itch", translated, "the itch", "curated", "", "")
    memory.write_text("".join("\t".join(one) + "\n" for one in (TSV_COLUMNS, row)), "utf-8")
    plan = load_plan("sample", ['languages=["en", "de"]', f'translation.memory=["{memory}"]'])
    asked = dataclasses.replace(query("c", "the itch"), task=task, concepts=(SCABIES, LOUSE))

    def lay_out(graph: beam.Pipeline) -> Laid:
        pairs, rejects = graph | beam.Create([asked]) | TranslateQueries(plan)
        return {"pairs": pairs | beam.Map(_brief), "rejects": rejects}

    found = run_graph(lay_out)
    reject = Reject("translate", "c/de", "equals_shown_name")
    assert found["rejects"] == ([reject] if refused else [])
    assert [text for _, language, text, *_ in found["pairs"] if language == "de"] == (
        [] if refused else [translated]
    )
    assert counts["translate", "in"] == 1
    assert counts.get(("translate", "equals_shown_name"), 0) == refused


def _brief(pair: tuple[Query, Translation]) -> tuple[str, ...]:
    asked, made = pair
    return asked.query_id, made.language, made.text, made.origin, made.back_translation
