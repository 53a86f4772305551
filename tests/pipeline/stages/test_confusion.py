import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pytest

from pipeline.plan_file import load_plan
from pipeline.records import Concept, ConfusionSet, Name, Reject, Relation
from pipeline.release.layout import WORK
from pipeline.stages.confusion import (
    MineConfusionSets,
    load_index,
    mine_gold,
    write_index,
    write_part_of,
)
from pipeline.stages.tally import REJECTS
from umls_tools.concept_batches import CONCEPT_SCHEMA

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]

PLAN = load_plan("sample", ["concepts.distractors=3", "concepts.golds=4"])
NAMES = ["femur", "tibia", "fibula", "ulna", "radius", "humerus", "sternum", "scapula"]


def bones(names: list[str]) -> list[Concept]:
    """Siblings, each with another wording."""
    return [
        Concept(
            f"C000000{at}",
            (
                Name(f"fracture of {name}", "en", "S", "PT", f"A{at}", 0, True),
                Name(f"broken {name}", "en", "S", "SY", f"B{at}", 0, False),
            ),
            ("T037",),
            relations=(Relation("parent", "C0000099", "S"),),
        )
        for at, name in enumerate(names)
    ]


def batch_of(concepts: list[Concept]) -> pa.RecordBatch:
    rows = [dataclasses.asdict(concept) for concept in concepts]
    return pa.RecordBatch.from_pylist(rows, schema=CONCEPT_SCHEMA)


def create(batches: list[pa.RecordBatch]) -> beam.Create:
    return beam.Create(batches).with_output_types(pa.RecordBatch)


def index_of(batches: list[list[Concept]], folder: str, general: Iterable[str] = ()) -> str:
    parts = [write_part_of(batch_of(concepts), folder) for concepts in batches]
    return write_index((0, parts), general, folder)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / WORK).mkdir()
    return str(tmp_path)


def test_an_index_is_named_by_its_content(folder: str) -> None:
    concepts = bones(NAMES)
    path = index_of([concepts], folder)
    assert index_of([concepts[::-1]], folder) == path
    assert index_of([concepts[4:], concepts[:4]], folder) == path
    assert index_of([concepts[:1], concepts[1:5:2], concepts[2:5:2], concepts[5:]], folder) == path
    assert len(load_index(path).cuis) == len(NAMES) + 1
    other = index_of([concepts[1:]], folder)
    assert other != path
    assert len(load_index(other).cuis) == len(NAMES)
    assert len(list(Path(folder, WORK).glob("concepts-*.arrow"))) == 2
    assert not list(Path(folder, WORK).glob("*.draft"))


def test_a_gold_has_a_set_or_a_reject_for_each_tier(folder: str, counts: Counts) -> None:
    path = index_of([bones(NAMES)], folder, ["C0000007"])
    mined = list(mine_gold((path, "C0000000"), PLAN))
    (hard,) = (one for one in mined if isinstance(one, ConfusionSet))
    assert (hard.gold, hard.tier, len(hard.distractors)) == ("C0000000", "hard", 3)
    assert "C0000007" not in {one.cui for one in hard.distractors}
    assert [one for one in mined if isinstance(one, Reject)] == [
        Reject("mine", "C0000000 easy", "too_few_distractors"),
        Reject("mine", "C0000000 medium", "too_few_distractors"),
    ]
    assert counts["mine", "note: excluded: general"] == 1


def test_mining_is_free_of_order(folder: str, run_graph: RunGraph, counts: Counts) -> None:
    concepts, general = bones(NAMES), ["C0000007"]

    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "General" >> beam.Create(general)
        batches = [batch_of(concepts[place::3]) for place in range(3)]
        mined = graph | create(batches) | MineConfusionSets(PLAN, known, folder)
        return {"sets": mined.main, "rejects": mined[REJECTS]}

    found = run_graph(lay_out)
    assert len(found["sets"]) == PLAN.concepts.golds
    assert {one.tier for one in found["sets"]} == {"hard"}
    assert "C0000007" not in repr(found["sets"])
    assert len(found["rejects"]) == 2 * PLAN.concepts.golds
    assert counts["mine", "in"] == len(PLAN.tiers) * PLAN.concepts.golds
    assert counts["mine", "out"] == PLAN.concepts.golds
    assert counts["mine", "too_few_distractors"] == 2 * PLAN.concepts.golds
    concepts.reverse()
    assert run_graph(lay_out) == found


def test_golds_are_those_that_can_fill_the_plan_s_sets(folder: str, run_graph: RunGraph) -> None:
    """Eight siblings fill a hard set of three distractors, though not one of nine."""
    plan = load_plan("sample", ["concepts.distractors=3", f"concepts.golds={len(NAMES)}"])
    alone = [
        Concept(
            f"C0000{at:03}",
            (
                Name(text, "en", "S", "PT", f"A{at}", 0, True),
                Name(text[::-1], "en", "S", "SY", f"B{at}", 0, False),
            ),
            ("T037",),
        )
        for at, text in enumerate(["burn", "whiplash", "frostbite", "sunstroke", "gash"], 100)
    ]

    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "General" >> beam.Create([])
        batch = batch_of([*bones(NAMES), *alone])
        mined = graph | create([batch]) | MineConfusionSets(plan, known, folder)
        return {"sets": mined.main}

    hard = {one.gold for one in run_graph(lay_out)["sets"] if one.tier == "hard"}
    assert hard == {one.cui for one in bones(NAMES)}


def test_no_concept_is_no_error(folder: str, run_graph: RunGraph) -> None:
    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "General" >> beam.Create([])
        mined = graph | create([]) | MineConfusionSets(PLAN, known, folder)
        return {"sets": mined.main, "rejects": mined[REJECTS]}

    assert run_graph(lay_out) == {"sets": [], "rejects": []}
