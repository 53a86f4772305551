"""How far a build is: bars on a terminal, plain lines elsewhere; always on stderr."""

import logging
import math
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from pipeline.stages.tally import (
    ANSWERED,
    NOTE,
    REMEMBERED,
    SENTENCES,
    TAKEN,
    TEXTS,
    TOKENS,
    WORK,
    watch,
)

LOG_EVERY = 10.0  # seconds between two log lines
_logger = logging.getLogger("mmed-bench")


@contextmanager
def shown_progress() -> Iterator[None]:
    """Show the counts of stages while the block runs.

    What a stage takes is its total, what it gives or leaves out is done. Worker processes of
    their own report through Beam alone; their counts stand in the closing table.
    """
    with _Bars() if sys.stderr.isatty() else _Lines() as display:
        watch(display.count)
        try:
            yield
        finally:
            watch(None)


def speed_of(work: Mapping[str, int], seconds: float) -> str:
    """What an engine has done, and how fast: `work` by its kinds, in so many seconds."""
    told = [f"{work.get(SENTENCES, 0):,} sentences"]
    if seconds > 0:
        told.append(f"{work.get(TOKENS, 0) / seconds:,.0f} tokens/s")
    return ", ".join([*told, f"{work.get(REMEMBERED, 0):,} from memory"])


def seconds_left(work: Mapping[str, int], seconds: float) -> float:
    """How long the texts that nobody has answered yet will take, if none is in the memory."""
    made = work.get(ANSWERED, 0) - work.get(REMEMBERED, 0)
    left = work.get(TEXTS, 0) - work.get(ANSWERED, 0)
    return seconds * left / made if made > 0 else math.nan


class _Counts:
    """Taken and done, by stage; counts arrive from the threads of several workers."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.taken: dict[str, int] = {}
        self.done: dict[str, int] = {}
        self.work: dict[str, dict[str, int]] = {}
        self.began: dict[str, float] = {}

    def count(self, stage: str, kind: str, number: int) -> None:
        """Take in one count."""
        if kind.startswith(NOTE):
            return
        with self.lock:
            if kind.startswith(WORK):
                self._add_work(stage, kind.removeprefix(WORK), number)
                return
            counts = self.taken if kind == TAKEN else self.done
            counts[stage] = counts.get(stage, 0) + number
            self.changed(stage)

    def changed(self, stage: str) -> None:
        """Show that a stage has moved on."""

    def worked(self, stage: str) -> None:
        """Show how far the long work of a stage is."""

    def lasted(self, stage: str) -> float:
        """Seconds since the stage's long work began."""
        return time.monotonic() - self.began[stage]

    def _add_work(self, stage: str, kind: str, number: int) -> None:
        work = self.work.setdefault(stage, {})
        work[kind] = work.get(kind, 0) + number
        if kind != TEXTS:  # those are known beforehand
            self.began.setdefault(stage, time.monotonic())
            self.worked(stage)


class _Bars(_Counts):
    def __init__(self) -> None:
        super().__init__()
        self.bars: dict[str, TaskID] = {}
        self.progress = Progress(
            TextColumn("{task.description:22}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )

    def __enter__(self) -> "_Bars":
        self.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.progress.stop()

    def changed(self, stage: str) -> None:
        if stage not in self.bars:
            self.bars[stage] = self.progress.add_task(stage, total=None, rate="")
        bar = self.bars[stage]
        total = max(self.taken.get(stage, 0), self.done.get(stage, 0))
        speed = self.progress.tasks[bar].speed
        rate = f"{speed:,.0f}/s" if speed else ""
        self.progress.update(bar, completed=self.done.get(stage, 0), total=total, rate=rate)

    def worked(self, stage: str) -> None:
        name = f"{stage}: texts"
        if name not in self.bars:
            self.bars[name] = self.progress.add_task(name, total=None, rate="")
        work = self.work[stage]
        self.progress.update(
            self.bars[name],
            completed=work.get(ANSWERED, 0),
            total=work.get(TEXTS, 0),
            rate=speed_of(work, self.lasted(stage)),
        )


class _Lines(_Counts):
    def __init__(self) -> None:
        super().__init__()
        self.next_line = time.monotonic() + LOG_EVERY

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def changed(self, stage: str) -> None:
        if self._is_time():
            taken, done = self.taken.get(stage, 0), self.done.get(stage, 0)
            _logger.info("%s: %s in, %s done", stage, f"{taken:,}", f"{done:,}")

    def worked(self, stage: str) -> None:
        if self._is_time():
            work, seconds = self.work[stage], self.lasted(stage)
            answered, texts = work.get(ANSWERED, 0), work.get(TEXTS, 0)
            left = seconds_left(work, seconds)
            _logger.info(
                "%s: %s of %s texts (%s), %s",
                *(stage, f"{answered:,}", f"{texts:,}", speed_of(work, seconds)),
                "time left unknown" if math.isnan(left) else f"about {left / 60:,.0f} min left",
            )

    def _is_time(self) -> bool:
        if time.monotonic() < self.next_line:
            return False
        self.next_line = time.monotonic() + LOG_EVERY
        return True
