import dataclasses
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow.parquet as pq
import pytest

from pipeline.plan_file import load_plan
from pipeline.records import (
    Concept,
    JudgedQuery,
    Name,
    Passage,
    Query,
    Reject,
    Relevance,
    Translation,
    Verdict,
    Wording,
)
from pipeline.stages.enforcing import Ruled
from pipeline.stages.release import (
    WriteRelease,
    corpus_tables,
    query_tables,
    shown_rows,
    write_table,
)
from splits.select import Released

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]

PLAN = load_plan("sample", ['languages=["en", "de"]'])


def concept(cui: str, name: str) -> Concept:
    return Concept(cui, (Name(name, "en", "SAB", "PT", f"A{cui}", 0, True),), ("T047",))


def ruled(query_id: str, language: str, core: bool | None, *concepts: Concept) -> Ruled:
    """A judged query; `core` is None where it is not released."""
    task, _, _ = query_id.partition("-")
    of_set = task == "concepts"
    relevant = (Relevance("concept-C1" if of_set else "p1", 2),)
    query = Query(
        query_id, task, "hard" if of_set else "", f"s {query_id}", "t", "source",
        Wording("the itch", "en", ("SAB",), 0), (), concepts or (concept("C7", "x"),), relevant,
        "CC",
    )  # fmt: skip
    made = Translation(f"{query_id} in {language}", language, "mt", "curated", score=-0.5)
    verdicts = (Verdict("copy", 0.1, True), Verdict("length", 1.5, core is not None))
    released = None if core is None else Released(query_id, language, core)
    return JudgedQuery(query, made, verdicts), released


SHOWN = (concept("C1", "scabies"), concept("C2", "head lice"), concept("C3", "ringworm"))
RULED = [
    ruled("qa-1", "en", True),
    ruled("qa-1", "de", True),
    ruled("qa-2", "de", None),
    ruled("concepts-1", "en", False, *SHOWN),
    ruled("concepts-2", "en", False, *SHOWN[1::-1]),
]


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (
            RULED[0],
            [
                ("verdicts", "quality/verdicts/en.parquet"),
                ("verdicts", "quality/verdicts/en.parquet"),
                ("queries", "data/qa/queries/en"),
                ("qrels", "data/qa/qrels/en"),
            ],
        ),
        (RULED[2], [("verdicts", "quality/verdicts/de.parquet")] * 2),
        (
            RULED[3],
            [
                ("verdicts", "quality/verdicts/en.parquet"),
                ("verdicts", "quality/verdicts/en.parquet"),
                ("queries", "data/concepts/queries/hard/en"),
                ("qrels", "data/concepts/qrels/hard/en"),
                ("top_ranked", "data/concepts/top_ranked/hard/en"),
            ],
        ),
    ],
)
def test_a_query_gives_rows_to_its_tables(one: Ruled, expected: list[tuple[str, str]]) -> None:
    rows = list(query_tables(one, seed=1))
    assert [place for place, _ in rows] == expected
    released = [row["released"] for (kind, _), row in rows if kind == "verdicts"]
    assert released == [one[1] is not None] * 2


def test_what_the_plan_hides_is_in_no_row() -> None:
    judged, released = RULED[0]
    hiding = dataclasses.replace(judged.query, unseen=("C0000077",))
    rows = list(query_tables((dataclasses.replace(judged, query=hiding), released), seed=1))
    assert rows == list(query_tables(RULED[0], seed=1))


def test_the_order_of_candidates_tells_nothing() -> None:
    """Each concept of a circle stands at a place of its own in the set in which it is the gold."""
    first = set()
    for circle in range(30):
        places = []
        for turn in range(len(SHOWN)):
            shown = [renamed(one, circle) for one in (*SHOWN[turn:], *SHOWN[:turn])]
            rows = dict(query_tables(ruled(f"concepts-{turn}", "en", True, *shown), seed=1))
            (ids,) = (row["corpus-ids"] for (kind, _), row in rows.items() if kind == "top_ranked")
            assert sorted(ids) == sorted(f"concept-{one.cui}" for one in shown)
            places.append(ids.index(f"concept-{shown[0].cui}"))
        assert sorted(places) == [0, 1, 2]
        first.add(places[0])
    assert first == {0, 1, 2}


def renamed(concept: Concept, circle: int) -> Concept:
    """The same concept in another circle."""
    return dataclasses.replace(concept, cui=f"{concept.cui}{circle:03d}")


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (RULED[0], []),
        (RULED[3], ["C1", "C2", "C3"]),
        (ruled("concepts-1", "en", None, *SHOWN), []),
    ],
)
def test_only_released_sets_show_concepts(one: Ruled, expected: list[str]) -> None:
    rows = list(shown_rows(one))
    assert [cui for cui, _ in rows] == expected
    assert [row["_id"] for _, row in rows] == [f"concept-{cui}" for cui in expected]


def passage(passage_id: str, *tasks: str) -> Passage:
    return Passage(passage_id, "T", "Text.", ("C7",), (), "t", "CC0-1.0", "", tasks)


@pytest.mark.parametrize("tasks", [(), ("qa",), ("evidence", "qa")])
def test_a_passage_stands_in_the_corpora_of_its_tasks(tasks: tuple[str, ...]) -> None:
    rows = list(corpus_tables(passage("p1", *tasks)))
    assert [place for place, _ in rows] == [("corpus", f"data/{task}/corpus") for task in tasks]


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("data/qa/qrels/en", "data/qa/qrels/en/test-00000-of-00001.parquet"),
        ("quality/one.parquet", "quality/one.parquet"),
    ],
)
def test_rows_in_any_order_give_one_file(tmp_path: Path, place: str, path: str) -> None:
    rows = [
        {"query-id": "q2", "corpus-id": "p1", "score": 1},
        {"query-id": "q1", "corpus-id": "p2", "score": 2},
        {"query-id": "q1", "corpus-id": "p1", "score": 1},
    ]
    written = {
        tuple(write_table((("qrels", place), order), str(tmp_path)))
        for order in itertools.permutations(rows)
    }
    ((entry,),) = written
    assert (entry.path, entry.rows) == (path, 3)
    assert pq.read_table(tmp_path / path).to_pylist() == rows[::-1]


def test_a_release_is_written_free_of_order(
    tmp_path: Path, run_graph: RunGraph, counts: Counts
) -> None:
    given = list(RULED)
    passages = [passage("p1", "qa"), passage("p2", "evidence", "qa")]
    rejects = [Reject("claim", "b", "taken"), Reject("claim", "a", "taken")]

    def run(folder: str) -> list[Any]:
        def lay_out(graph: beam.Pipeline) -> Laid:
            kept = graph | "Passages" >> beam.Create(passages)
            lost = graph | "Rejects" >> beam.Create(rejects)
            write = WriteRelease(PLAN, kept, lost, str(tmp_path / folder))
            return {"files": graph | beam.Create(given) | write}

        return run_graph(lay_out)["files"]

    files = run("one")
    assert {
        entry.path.removesuffix("/test-00000-of-00001.parquet"): entry.rows for entry in files
    } == {
        "data/concepts/corpus": 3,
        "data/concepts/qrels/hard/en": 2,
        "data/concepts/queries/hard/en": 2,
        "data/concepts/top_ranked/hard/en": 2,
        "data/evidence/corpus": 1,
        "data/qa/corpus": 2,
        "data/qa/qrels/de": 1,
        "data/qa/qrels/en": 1,
        "data/qa/queries/de": 1,
        "data/qa/queries/en": 1,
        "quality/rejects.parquet": 2,
        "quality/verdicts/de.parquet": 4,
        "quality/verdicts/en.parquet": 6,
    }
    assert counts["write", "in"] == counts["write", "out"] == sum(entry.rows for entry in files)
    for records in (given, passages, rejects):
        records.reverse()
    assert run("other") == files
