import json
import sys
from pathlib import Path

import pytest

from tests.benchmarks import harness, registry
from tests.benchmarks.harness import BenchmarkError, Figure, Run, Workshop

FIGURES = [
    Figure("read: CPU", 1.5, "s", 2.0),
    Figure("to the peer", 1.25, "ratio", 1.0),
    Figure("rows in 1 s", 1_234_567.0, "rows/s"),
]


def test_json_has_name_machine_and_figures(tmp_path: Path) -> None:
    kept = json.loads(harness.write_json("ingest", FIGURES, tmp_path / "bench").read_text("utf-8"))
    assert list(kept) == ["name", "machine", "figures"]
    assert kept["name"] == "ingest"
    assert "cores" in kept["machine"]
    assert kept["figures"] == [
        {"name": "read: CPU", "value": 1.5, "unit": "s", "goal": 2.0, "met": True},
        {"name": "to the peer", "value": 1.25, "unit": "ratio", "goal": 1.0, "met": False},
        {"name": "rows in 1 s", "value": 1_234_567.0, "unit": "rows/s", "goal": None, "met": None},
    ]


def test_table_shows_a_goal_that_is_missed() -> None:
    assert harness.render_table("ingest", FIGURES).splitlines() == [
        "ingest           value  unit    goal  met",
        "read: CPU          1.5  s       <= 2  yes",
        "to the peer       1.25  ratio   <= 1  no",
        "rows in 1 s  1,234,567  rows/s",
    ]


def test_median_of_each_measure_by_itself() -> None:
    runs = [
        Run(wall=3.0, cpu=1.0, peak=20.0, seconds={"part": 0.5}, answer=7),
        Run(wall=1.0, cpu=9.0, peak=10.0, seconds={"part": 0.1}, answer=7),
        Run(wall=2.0, cpu=2.0, peak=90.0, seconds={"part": 0.2}, answer=7),
    ]
    assert harness.median_run("job", runs) == Run(2.0, 2.0, 20.0, {"part": 0.2}, 7)


def test_runs_with_different_answers_have_no_median() -> None:
    runs = [Run(1.0, 1.0, 1.0, {}, {"names": number}) for number in (5, 6)]
    with pytest.raises(BenchmarkError, match="the work was not the same"):
        harness.median_run("job", runs)


def test_a_job_is_measured_in_its_own_process() -> None:
    run = harness.run_once(Workshop(Path()).ours("test_harness:take_time_and_memory", 50))
    assert run.answer == {"bytes": 50_000_000}
    assert run.peak > 50_000_000
    assert run.cpu >= run.seconds["work"] > 0
    assert run.wall > 0


def take_time_and_memory(megabytes: str) -> dict[str, int]:
    """A job."""
    from tests.benchmarks.timing import timed

    with timed("work"):
        taken = b"x" * int(megabytes) * 1_000_000
        sum(range(100_000))
    return {"bytes": len(taken)}


def test_a_job_that_fails_stops_the_benchmark(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BenchmarkError, match="ended with exit code 1"):
        harness.run_once(Workshop(Path()).ours("test_harness:no_such_job"))
    assert "no_such_job" in capfd.readouterr().err


def test_commands_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []

    def run_once(command: list[str]) -> Run:
        ran.append(command[0])
        return Run(float(len(ran)), 0.0, 0.0, {}, "")

    monkeypatch.setattr(harness, "run_once", run_once)
    found = Workshop(Path()).measure({"ours": ["a"], "theirs": ["b"]})
    assert ran == ["a", "b"] * harness.TIMES
    assert [found["ours"].wall, found["theirs"].wall] == [3.0, 4.0]


def test_unknown_benchmark_is_refused_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert registry.main(["ingest", "digest"]) == registry.WRONG_REQUEST
    told = capsys.readouterr().err
    assert "no benchmark 'digest'" in told
    assert all(name in told for name in registry.BENCHMARKS)


@pytest.mark.parametrize("module", ["harness", "registry"])
def test_the_measuring_process_loads_no_large_library(module: str) -> None:
    """Its own memory would count as its children's."""
    loaded = harness.run_once(
        Workshop(Path()).ours("test_harness:large_libraries_with", f"tests.benchmarks.{module}")
    )
    assert loaded.answer == []


def large_libraries_with(module: str) -> list[str]:
    """A job."""
    import importlib

    importlib.import_module(module)
    large = {"apache_beam", "numpy", "pandas", "pyarrow", "torch"}
    return sorted(large & sys.modules.keys())
