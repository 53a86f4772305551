from collections.abc import Callable
from typing import Any

import apache_beam as beam
import pytest

from pipeline.records import Reject
from pipeline.stages.tally import (
    GIVEN,
    REJECTS,
    TAKEN,
    CountIn,
    SetAside,
    count,
    note,
    watch,
)

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]


def test_records_part_from_rejects(run_graph: RunGraph, counts: Counts) -> None:
    mixed = ["a", Reject("inside", "b", "too_long"), "c", Reject("inside", "d", "too_long", "9")]

    def lay_out(graph: beam.Pipeline) -> Laid:
        parted = graph | beam.Create(mixed) | CountIn("outside") | SetAside("outside")
        return {"main": parted.main, "rejects": parted[REJECTS]}

    found = run_graph(lay_out)
    assert found["main"] == ["a", "c"]
    assert found["rejects"] == [
        Reject("outside", "b", "too_long"),
        Reject("outside", "d", "too_long", "9"),
    ]
    assert counts == {
        ("outside", TAKEN): 4,
        ("outside", GIVEN): 2,
        ("outside", "too_long"): 2,
    }


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda: count("s", "in"), {("s", "in"): 1}),
        (lambda: count("s", "in", 3), {("s", "in"): 3}),
        (lambda: note("s", "from memory", 2), {("s", "note: from memory"): 2}),
        (lambda: count("s", "a", 0), {}),
    ],
)
def test_counts_reach_the_watcher(
    counts: Counts, act: Callable[[], None], expected: Counts
) -> None:
    act()
    assert counts == expected


def test_nobody_needs_to_watch(counts: Counts) -> None:
    watch(None)
    count("s", "in")
    assert counts == {}
