import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pytest

from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Reject, Relation
from pipeline.release.layout import WORK
from pipeline.stages.confusion import (
    MineConfusionSets,
    choose_circles,
    circles_wanted,
    load_index,
    mine_gold,
    pose_circle,
    write_index,
    write_part_of,
)
from umls_tools.concept_batches import CONCEPT_SCHEMA
from umls_tools.confusion.circles import Circle

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
    (hard,) = (one for one in mined if isinstance(one, Circle))
    assert (hard.founder, hard.tier, len(hard.members)) == ("C0000000", "hard", 4)
    assert "C0000007" not in hard.members
    sets = list(pose_circle(hard, [path], PLAN))
    assert tuple(one.gold for one in sets) == hard.members
    assert all(
        {one.gold, *(other.cui for other in one.distractors)} == set(hard.members) for one in sets
    )
    assert [one for one in mined if isinstance(one, Reject)] == [
        Reject("mine", "C0000000 easy", "too_few_distractors"),
        Reject("mine", "C0000000 medium", "too_few_distractors"),
    ]
    assert counts["mine", "note: excluded: general"] == 1


def test_what_questions_ask_for_is_left_to_them(folder: str) -> None:
    path = index_of([bones(NAMES)], folder)
    asked = {"C0000001", "C0000002", "C0000003"}
    (free,) = (one for one in mine_gold((path, "C0000000"), PLAN, asked) if isinstance(one, Circle))
    assert asked.isdisjoint(free.members)
    assert free.asked == 0
    more = asked | {"C0000004", "C0000005"}
    (poor,) = (one for one in mine_gold((path, "C0000000"), PLAN, more) if isinstance(one, Circle))
    assert poor.asked == len(more.intersection(poor.members)) > 0


def test_a_concept_is_shown_no_more_often_than_the_plan_says(folder: str) -> None:
    path = index_of([bones(NAMES)], folder)
    plan = load_plan("sample", ["concepts.distractors=3", "concepts.max_shown=2"])
    (hard,) = (one for one in mine_gold((path, "C0000000"), plan) if isinstance(one, Circle))
    assert len(list(pose_circle(hard, [path], plan))) == 2
    quota = {"easy": 10, "medium": 0, "hard": 0}
    few = load_plan("sample", [f"tiers.{tier}.quota={n}" for tier, n in quota.items()])
    assert circles_wanted(few) == {"easy": 4, "medium": 0, "hard": 0}
    left = list(choose_circles((0, [hard]), few))
    assert left == [Reject("mine", "C0000000 hard", "circle_not_needed")]


def test_mining_is_free_of_order(folder: str, run_graph: RunGraph, counts: Counts) -> None:
    concepts, general = bones(NAMES), ["C0000007"]

    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "General" >> beam.Create(general)
        asked = graph | "Asked" >> beam.Create([])
        batches = [batch_of(concepts[place::3]) for place in range(3)]
        mining = MineConfusionSets(PLAN, known, asked, folder)
        sets, rejects = graph | create(batches) | mining
        return {"sets": sets, "rejects": rejects}

    found = run_graph(lay_out)
    circles = {frozenset((one.gold, *(d.cui for d in one.distractors))) for one in found["sets"]}
    assert len(found["sets"]) == 4 * len(circles)
    assert {one.tier for one in found["sets"]} == {"hard"}
    assert "C0000007" not in repr(found["sets"])
    unneeded = counts["mine", "circle_not_needed"]
    assert len(found["rejects"]) == 2 * PLAN.concepts.golds + unneeded
    assert counts["mine", "in"] == len(PLAN.tiers) * PLAN.concepts.golds
    assert counts["mine", "out"] == PLAN.concepts.golds - unneeded == len(circles)
    assert counts["mine", "too_few_distractors"] == 2 * PLAN.concepts.golds
    concepts.reverse()
    assert run_graph(lay_out) == found


def test_another_runner_finds_the_same_sets(
    folder: str, run_graph: RunGraph, run_portably: RunGraph
) -> None:
    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "General" >> beam.Create([])
        asked = graph | "Asked" >> beam.Create([])
        batches = [batch_of(bones(NAMES)[place::3]) for place in range(3)]
        sets, rejects = graph | create(batches) | MineConfusionSets(PLAN, known, asked, folder)
        return {"sets": sets, "rejects": rejects}

    found = run_graph(lay_out)
    assert found["sets"]
    assert run_portably(lay_out) == found


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
        asked = graph | "Asked" >> beam.Create([])
        mining = MineConfusionSets(plan, known, asked, folder)
        sets, _ = graph | create([batch_of([*bones(NAMES), *alone])]) | mining
        return {"sets": sets}

    hard = {one.gold for one in run_graph(lay_out)["sets"] if one.tier == "hard"}
    assert len(hard) >= 4
    assert hard <= {one.cui for one in bones(NAMES)}


def test_no_concept_is_no_error(folder: str, run_graph: RunGraph) -> None:
    def lay_out(graph: beam.Pipeline) -> Laid:
        known = graph | "General" >> beam.Create([])
        asked = graph | "Asked" >> beam.Create([])
        sets, rejects = graph | create([]) | MineConfusionSets(PLAN, known, asked, folder)
        return {"sets": sets, "rejects": rejects}

    assert run_graph(lay_out) == {"sets": [], "rejects": []}
