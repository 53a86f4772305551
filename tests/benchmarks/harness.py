"""Runs commands, takes medians of what they needed, and keeps the figures made of them.

This process stays small: what a child is started from counts towards the child's peak memory.
Whatever needs a large library, the preparing of files too, is a job in a process of its own.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, BinaryIO, TypeAlias

from tests.benchmarks.peer_environment import peer_python

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "build" / "bench"
TIMES = 3
MEGABYTE = 1_000_000
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in a unit of ru_maxrss


Json: TypeAlias = Any
"""What a job returns: numbers, texts, lists and objects with keys."""


class BenchmarkError(ValueError):
    """A benchmark that is not known, or one whose runs do not agree or end in an error."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command, children that it waited for included.

    ``cpu`` is user and system time; ``peak`` the resident memory, in bytes, of the largest of
    its processes. ``seconds`` are times that the command took of its own parts, ``answer`` is
    what it found.
    """

    wall: float
    cpu: float
    peak: float
    seconds: Mapping[str, float]
    answer: Json


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; a goal is met by a value that is not above it."""

    name: str
    value: float
    unit: str
    goal: float | None = None

    @property
    def met(self) -> bool | None:
        return None if self.goal is None else self.value <= self.goal

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "goal": self.goal,
            "met": self.met,
        }


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where a benchmark's files lie, and how its jobs are run there."""

    folder: Path
    times: int = TIMES

    def ours(self, job: str, *arguments: object) -> list[str]:
        """The command that runs a job, ``module:function``, with the project's interpreter."""
        return _command(sys.executable, job, arguments)

    def peer(self, job: str, *arguments: object) -> list[str]:
        """The command that runs a job where the peers are installed."""
        try:
            python = peer_python(OUTPUT / "venv")
        except subprocess.CalledProcessError as error:
            message = "the peers could not be installed; pip's own message stands above"
            raise BenchmarkError(message) from error
        return _command(python, job, arguments)

    def prepare(self, job: str, *arguments: object) -> Json:
        """Run a job of ours once, unmeasured; gives its answer."""
        return run_once(self.ours(job, *arguments)).answer

    def measure(self, commands: Mapping[str, Sequence[str]]) -> dict[str, Run]:
        """The median run of each command, all by turns, so that a busy hour hits them alike."""
        runs: dict[str, list[Run]] = {name: [] for name in commands}
        for number in range(self.times):
            for name, command in commands.items():
                sys.stderr.write(f"  {name}, run {number + 1} of {self.times}\n")
                runs[name].append(run_once(command))
        return {name: median_run(name, found) for name, found in runs.items()}


def run_once(command: Sequence[str]) -> Run:
    """Run a job's command to its end and measure it."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=complaints)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        printed, complained = (_content(file) for file in (out, complaints))
    if process.returncode:
        sys.stderr.write(complained)
        raise BenchmarkError(f"{' '.join(command)}: ended with exit code {process.returncode}")
    told = json.loads(printed.rpartition("\n")[2])
    cpu, peak = used.ru_utime + used.ru_stime, float(used.ru_maxrss * _RSS_UNIT)
    return Run(wall, cpu, peak, told["seconds"], told["answer"])


def median_run(name: str, runs: Sequence[Run]) -> Run:
    """The median of each measure, once all runs have given the same answer."""
    first = runs[0]
    require_equal(f"runs of {name}", *(run.answer for run in runs))
    return Run(
        wall=median(run.wall for run in runs),
        cpu=median(run.cpu for run in runs),
        peak=median(run.peak for run in runs),
        seconds={key: median(run.seconds[key] for run in runs) for key in first.seconds},
        answer=first.answer,
    )


def require_equal(what: str, *answers: Json) -> None:
    """Refuse to compare the speed of what did not do the same work."""
    for answer in answers[1:]:
        if answer != answers[0]:
            raise BenchmarkError(f"{what}: {answer} is not {answers[0]}; the work was not the same")


def process_figures(name: str, run: Run, memory_goal: float | None = None) -> list[Figure]:
    """What a whole process needed, its start included; the goal is in megabytes."""
    return [
        Figure(f"{name}: wall", run.wall, "s"),
        Figure(f"{name}: CPU", run.cpu, "s"),
        Figure(f"{name}: peak memory", run.peak / MEGABYTE, "MB", memory_goal),
    ]


def ratio(name: str, ours: float, theirs: float, goal: float | None = None) -> Figure:
    """How many times a peer's value ours is."""
    return Figure(name, ours / theirs, "ratio", goal)


def machine() -> str:
    """What the figures were taken on, and how busy it was."""
    load = os.getloadavg()[0]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}, "
        f"Python {platform.python_version()}, load {load:.1f} at the end"
    )


def write_json(name: str, figures: Sequence[Figure], folder: Path) -> Path:
    """Write the figures of a benchmark to ``<name>.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    kept = {
        "name": name,
        "machine": machine(),
        "figures": [figure.as_json() for figure in figures],
    }
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=2) + "\n", "utf-8")
    return path


def render_table(name: str, figures: Sequence[Figure]) -> str:
    """The figures as lines of text, values under one another."""
    rows = [(name, "value", "unit", "goal", "met"), *map(_row, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def _row(figure: Figure) -> tuple[str, ...]:
    goal = "" if figure.goal is None else f"<= {_number(figure.goal)}"
    met = {None: "", True: "yes", False: "no"}[figure.met]
    return figure.name, _number(figure.value), figure.unit, goal, met


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, value, *rest = (
        cell.rjust(width) if place == 1 else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join((name, value, *rest)).rstrip()


def _number(value: float) -> str:
    """Three significant digits, all those before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def _content(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").rstrip("\n")


def _command(python: str, job: str, arguments: Sequence[object]) -> list[str]:
    return [python, "-m", "tests.benchmarks.job", job, *map(str, arguments)]


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    lines = information.read_text("utf-8").splitlines() if information.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())
