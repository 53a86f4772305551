"""Counting what a stage takes, gives and leaves out, and parting records from rejects."""

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import apache_beam as beam
from apache_beam.metrics import Metrics
from apache_beam.typehints.decorators import no_annotations

from pipeline.records import Reject

REJECTS = "rejects"
TAKEN, GIVEN, NOTE = "in", "out", "note: "
WORK = "work: "  # shown while it lasts, and told to nobody afterwards

# Texts that are to be translated and those that are, found or made; what an engine has done so far.
TEXTS, ANSWERED, REMEMBERED = "texts", "answered", "from memory"
SENTENCES, TOKENS = "sentences", "tokens"

# Set by a run that shows its progress; called with stage, kind and number of items.
_watcher: Callable[[str, str, int], None] | None = None


def watch(watcher: Callable[[str, str, int], None] | None) -> None:
    """Have every count of this process reported, beside Beam's own metrics."""
    global _watcher  # noqa: PLW0603 - the one way from a worker thread to the terminal
    _watcher = watcher


def count(stage: str, kind: str, number: int = 1) -> None:
    """Add to a stage's count; `kind` is in, out or the reason of a reject."""
    if not number:
        return
    Metrics.counter(stage, kind).inc(number)
    if _watcher is not None:
        _watcher(stage, kind, number)


def note(stage: str, what: str, number: int = 1) -> None:
    """Add to a count that is neither what a stage takes, gives nor leaves out."""
    count(stage, NOTE + what, number)


def show(stage: str, what: str, number: int) -> None:
    """Add to what is shown of a long stage; unlike a count it may depend on what a cache spares."""
    if _watcher is not None and number:
        _watcher(stage, WORK + what, number)


class _Tally(beam.DoFn):
    def __init__(self, stage: str) -> None:
        self.stage = stage

    def process(self, element: Any) -> Iterator[Any]:  # noqa: ANN401
        if isinstance(element, Reject):
            count(self.stage, element.reason)
            # Under the name by which it is counted, so that either leads to the other.
            named = dataclasses.replace(element, stage=self.stage)
            yield beam.pvalue.TaggedOutput(REJECTS, named)
        else:
            count(self.stage, GIVEN)
            yield element


class SetAside(beam.PTransform):
    """Parts records from rejects, and counts both under a stage's name."""

    def __init__(self, stage: str) -> None:
        super().__init__()
        self.stage = stage

    def default_label(self) -> str:
        """The caption in the graph."""
        return f"Set aside: {self.stage}"

    @no_annotations
    def expand(self, mixed: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        """Gives `.main` and `.rejects`."""
        return mixed | beam.ParDo(_Tally(self.stage)).with_outputs(REJECTS, main="main")


class CountIn(beam.PTransform):
    """Counts what a stage takes in."""

    def __init__(self, stage: str) -> None:
        super().__init__()
        self.stage = stage

    def default_label(self) -> str:
        """The caption in the graph."""
        return f"Count in: {self.stage}"

    def expand(self, records: beam.PCollection) -> beam.PCollection:
        """Hands every element on as it is."""
        return records | beam.Map(_counted, self.stage)


def _counted(element: Any, stage: str) -> Any:  # noqa: ANN401
    count(stage, TAKEN)
    return element
