import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import apache_beam as beam
import pytest

from pipeline.evidence.merge import in_corpora_of
from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.records import (
    Concept,
    JudgedQuery,
    Passage,
    Query,
    Reject,
    Relevance,
    Translation,
    Wording,
)
from pipeline.stages.distracting import (
    About,
    Asked,
    FillCorpora,
    about,
    fill,
    screen,
)
from pipeline.stages.enforcing import Ruled
from splits.select import Released

RunGraph = Callable[..., dict[str, list[Any]]]
Counts = dict[tuple[str, str], int]
ASKED: list[About] = [
    ("evidence", "evidence-1", ("C1",), ("p1",)),
    ("evidence", "evidence-2", ("C2", "C3"), ("p2", "p3")),
    ("qa", "qa-1", ("C9",), ("p9",)),
]


def passage(passage_id: str, *cuis: str, **more: object) -> Passage:
    plain = Passage(
        passage_id, "", f"Text of {passage_id}.", cuis, (), "test", "CC0-1.0", "",
        ("evidence",), fills=("evidence",),
    )  # fmt: skip
    return dataclasses.replace(plain, **more)


def ruled(task: str, *cuis: str, unseen: tuple[str, ...] = (), released: str = "en") -> Ruled:
    concepts = tuple(Concept(cui, (), ()) for cui in cuis)
    query = Query(
        query_id=f"{task}-1", task=task, stratum="", source_id="s", source="test",
        origin="source", original=Wording("Why?", "en", (), 0), natives=(), concepts=concepts,
        relevant=(Relevance("p2", 1), Relevance("p1", 2), Relevance("p2", 1)), licence="",
        unseen=unseen,
    )  # fmt: skip
    judged = JudgedQuery(query, Translation("Why?", released, "source"), ())
    return judged, Released(f"{task}-1", released, False) if released else None


@pytest.mark.parametrize(
    ("posed", "expected"),
    [
        (ruled("qa", "C2", "C1"), [("qa", "qa-1", ("C1", "C2"), ("p1", "p2"))]),
        (ruled("qa", "C2", unseen=("C1",)), [("qa", "qa-1", ("C1", "C2"), ("p1", "p2"))]),
        (ruled("qa", "C2", "C1", released=""), []),
        (ruled("concepts", "C1"), []),
    ],
)
def test_what_a_query_is_about(posed: Ruled, expected: list[About]) -> None:
    assert list(about(posed)) == expected


def test_languages_of_a_query_make_no_difference() -> None:
    rows = [row for one in ("en", "de") for row in about(ruled("qa", "C1", released=one))]
    assert Asked.of(rows) == Asked.of(rows[:1])


BOTH = {"tasks": ("evidence", "qa"), "fills": ("evidence", "qa")}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (passage("p7"), passage("p7")),
        (passage("p7", "C2"), passage("p7", "C2")),
        (passage("p7", "C9"), passage("p7", "C9")),  # the question of another task
        (passage("p7", "C1"), "evidence-1"),
        (passage("p7", "C4", "C3", "C2"), "evidence-2"),
        # what answers a query stands in the corpus, whatever others it may answer
        (passage("p1", "C1"), passage("p1", "C1", fills=())),
        (passage("p3", "C1"), passage("p3", "C1", fills=())),
        (passage("p9"), passage("p9")),
        # each corpus by itself
        (passage("p7", "C1", **BOTH), passage("p7", "C1", tasks=("qa",), fills=("qa",))),
        (passage("p7", "C1", "C9", **BOTH), "evidence-1"),
        (passage("p9", **BOTH), passage("p9", tasks=BOTH["tasks"], fills=("evidence",))),
        (
            passage("p7", "C1", tasks=("evidence", "qa"), fills=("evidence",)),
            passage("p7", "C1", tasks=("qa",), fills=()),
        ),
    ],
)
def test_what_may_fill_a_corpus(found: Passage, expected: Passage | str) -> None:
    for rows in (ASKED, ASKED[::-1]):
        screened = screen(found, Asked.of(rows))
        if isinstance(expected, str):
            assert screened == Reject("fill corpora", "p7", "holds_all_concepts", expected)
        else:
            assert screened == expected


@pytest.mark.parametrize(
    ("found", "limits", "expected"),
    [
        (passage("p7"), {"evidence": 2**63}, passage("p7", fills=())),
        (passage("p7"), {"evidence": -1}, "evidence"),
        (passage("p7", fills=()), {}, passage("p7", fills=())),
        (
            passage("p7", **BOTH),
            {"evidence": -1, "qa": 2**63},
            passage("p7", tasks=("qa",), fills=()),
        ),
        (passage("p7", **BOTH), {"evidence": -1, "qa": -1}, "evidence qa"),
    ],
)
def test_lots_beyond_the_limit_are_left_out(
    found: Passage, limits: dict[str, int], expected: Passage | str
) -> None:
    filled = fill(found, limits, 1)
    if isinstance(expected, str):
        assert filled == Reject("fill corpora", "p7", "beyond_corpus_size", expected)
    else:
        assert filled == expected


@pytest.mark.parametrize(
    ("others", "tasks", "fills"),
    [
        ([passage("p2")], ("evidence",), ("evidence",)),
        ([passage("p2", fills=())], ("evidence",), ()),
        ([passage("p2", tasks=("qa",), fills=())], ("evidence", "qa"), ("evidence",)),
        ([passage("p2", **BOTH), passage("p3", fills=())], ("evidence", "qa"), ("qa",)),
    ],
)
def test_one_for_several_stands_where_any_does(
    others: list[Passage], tasks: tuple[str, ...], fills: tuple[str, ...]
) -> None:
    kept = passage("p1")
    merged = in_corpora_of(kept, [kept, *others])
    assert merged == dataclasses.replace(kept, tasks=tasks, fills=fills)


def plan_of(size: int) -> Plan:
    return load_plan(
        "sample", [f"evidence.2.corpus_size={size}", 'evidence.0.tasks=["qa", "evidence"]']
    )


def lay_out(
    plan: Plan, passages: list[Passage], graph: beam.Pipeline
) -> dict[str, beam.PCollection]:
    queries = graph | "Queries" >> beam.Create([ruled("evidence", "C1")])
    read = graph | "Passages" >> beam.Create(passages)
    corpora, rejects = read | FillCorpora(plan, queries)
    return {"corpora": corpora, "rejects": rejects}


@pytest.mark.parametrize(
    ("size", "filled"), [(1, 0), (3, 0), (4, 1), (13, 10), (14, 11), (15, 11), (99, 11)]
)
def test_corpora_are_filled_to_their_size(
    size: int, filled: int, run_graph: RunGraph, counts: Counts
) -> None:
    whole = [passage("a1", "C1", fills=()), passage("a2", tasks=("qa",), fills=())]
    fillers = [passage(f"p{number}") for number in range(1, 14)] + [passage("p99", "C1", "C2")]
    found = run_graph(functools.partial(lay_out, plan_of(size), [*whole, *fillers]))
    ids = {one.passage_id for one in found["corpora"]}
    assert {"a1", "a2", "p1", "p2"} <= ids  # p1 and p2 answer the query
    assert len(ids) == 4 + filled
    assert all(not one.fills for one in found["corpora"])
    reasons = {one.key: one.reason for one in found["rejects"]}
    assert reasons.pop("p99") == "holds_all_concepts"
    assert set(reasons.values()) <= {"beyond_corpus_size"}
    assert len(reasons) == 11 - filled
    assert counts["fill corpora", "in"] == 14
    assert counts.get(("fill corpora", "out"), 0) == 2 + filled
    assert counts["fill corpora", "note: evidence: hold all concepts of a query"] == 1
    again = run_graph(functools.partial(lay_out, plan_of(size), [*fillers[::-1], *whole]))
    assert again == found


def test_a_smaller_corpus_is_part_of_a_larger_one(run_graph: RunGraph) -> None:
    fillers = [passage(f"q{number}") for number in range(20)]
    ids = []
    for size in (5, 12):
        found = run_graph(functools.partial(lay_out, plan_of(size), fillers))
        ids.append({one.passage_id for one in found["corpora"]})
    assert len(ids[0]) == 5
    assert ids[0] < ids[1]


def test_a_plan_without_distractors_changes_nothing(run_graph: RunGraph) -> None:
    passages = [passage(f"p{number}", fills=()) for number in range(3)]
    found = run_graph(functools.partial(lay_out, load_plan("sample"), passages))
    assert found == {"corpora": passages, "rejects": []}
