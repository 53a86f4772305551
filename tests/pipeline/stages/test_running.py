import itertools

import pytest

from pipeline.inputs import find_inputs
from pipeline.plan_file import load_plan
from pipeline.release.manifest import StageCount
from pipeline.stages.running import STAGES, explain, gather, lay_out


@pytest.mark.parametrize(
    ("counters", "expected"),
    [
        ([], []),
        (
            [("judge", "in", 3), ("judge", "out", 2), ("judge", "copy", 1)],
            [StageCount("judge", 3, 2, {"copy": 1})],
        ),
        # one counter of several workers or transforms adds up
        (
            [("pose", "in", 1), ("ground", "in", 4), ("pose", "in", 2)],
            [StageCount("ground", 4, 0, {}), StageCount("pose", 3, 0, {})],
        ),
        (
            [("translate", "note: from memory", 5), ("translate", "note: from memory", 1)],
            [StageCount("translate", 0, 0, {}, {"from memory": 6})],
        ),
        # stages that nobody listed come last, by name
        (
            [("zeal", "in", 1), ("write", "in", 1), ("ardour", "in", 1)],
            [StageCount(name, 1, 0, {}) for name in ("write", "ardour", "zeal")],
        ),
    ],
)
def test_counters_become_counts_by_stage(
    counters: list[tuple[str, str, int]], expected: list[StageCount]
) -> None:
    for order in itertools.permutations(counters):
        assert gather(order) == expected


def test_stages_are_listed_once() -> None:
    assert len(set(STAGES)) == len(STAGES)


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (
            "Traceback (most recent call last):\n  File x\n"
            "umls_tools.errors.RrfError: MRCONSO.RRF:7: 3 fields [while running 'Read/Map']\n",
            "MRCONSO.RRF:7: 3 fields",
        ),
        (
            "ValueError: first\nDuring handling of the above exception\n"
            "KeyError: 'C1' [while running 'Pose queries/Pose']",
            "KeyError: 'C1' (in Pose queries/Pose)",
        ),
        (
            "OSError: [Errno 28] No space left on device",
            "OSError: [Errno 28] No space left on device",
        ),
        ("something else\nwent wrong", "went wrong"),
        ("RuntimeError: ", "RuntimeError: "),
        ("", "the engine gave no reason"),
        (" \n ", "the engine gave no reason"),
    ],
)
def test_a_failure_is_one_line(report: str, expected: str) -> None:
    assert explain(report) == expected


def test_the_graph_can_be_laid_out_without_a_run() -> None:
    plan = load_plan("sample")
    inputs = find_inputs(plan)
    assert lay_out(plan, inputs.meta, inputs.units) > len(STAGES)
