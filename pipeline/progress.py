"""How far a build is: bars on a terminal, plain lines elsewhere; always on stderr."""

import logging
import sys
import threading
import time
from collections.abc import Iterator
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

from pipeline.stages.tally import NOTE, TAKEN, watch

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


class _Counts:
    """Taken and done, by stage; counts arrive from the threads of several workers."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.taken: dict[str, int] = {}
        self.done: dict[str, int] = {}

    def count(self, stage: str, kind: str, number: int) -> None:
        """Take in one count."""
        if kind.startswith(NOTE):
            return
        with self.lock:
            counts = self.taken if kind == TAKEN else self.done
            counts[stage] = counts.get(stage, 0) + number
            self.changed(stage)

    def changed(self, stage: str) -> None:
        """Show that a stage has moved on."""


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


class _Lines(_Counts):
    def __init__(self) -> None:
        super().__init__()
        self.next_line = time.monotonic() + LOG_EVERY

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def changed(self, stage: str) -> None:
        if time.monotonic() >= self.next_line:
            self.next_line = time.monotonic() + LOG_EVERY
            taken, done = self.taken.get(stage, 0), self.done.get(stage, 0)
            _logger.info("%s: %s in, %s done", stage, f"{taken:,}", f"{done:,}")
