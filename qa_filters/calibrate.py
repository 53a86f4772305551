"""Calibrates all filters on files of parallel text."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from qa_filters.base import TERM, Filter, FilterError
from qa_filters.calibration import fit
from qa_filters.calibration_page import as_rows, fragment, table_of_filters, table_of_kinds
from qa_filters.corruptions.base import Pair
from qa_filters.filters import standard_filters
from qa_filters.parallel import read_parallel
from qa_filters.trials import (
    Outcome,
    Trial,
    decide_again,
    draw_trials,
    try_filters,
    with_concepts,
)


@dataclass(frozen=True)
class Calibrated:
    """What fitted filters make of the trials, and what of the files could not be used."""

    outcomes: Sequence[Outcome]
    filters: Mapping[str, Filter]
    left_out: Mapping[str, int]

    def as_text(self) -> str:
        """The tables for people."""
        gone = [f"left out, {reason}: {count}" for reason, count in sorted(self.left_out.items())]
        tables = (table_of_kinds(self.outcomes), table_of_filters(self.outcomes))
        return "\n\n".join([*tables, "\n".join(gone)]).rstrip()

    def as_json(self) -> str:
        """The same as one object."""
        shown = {"left_out": dict(sorted(self.left_out.items())), "shares": as_rows(self.outcomes)}
        return json.dumps(shown, indent=1)

    def as_fragment(self) -> str:
        """The filters as part of a plan."""
        return fragment(self.filters)


def read_pairs(paths: Iterable[str]) -> tuple[list[Pair], dict[str, int]]:
    """All pairs of the files, with the concepts that their term lists name, and what is left out.

    Raises FilterError where nothing is left.
    """
    pairs: list[Pair] = []
    left_out: Counter[str] = Counter()
    for path in sorted(set(paths)):
        read = read_parallel(path)
        pairs += read.pairs
        left_out.update(read.left_out)
    if not pairs:
        raise FilterError("no pair of English and another language; name files that hold some")
    terms = [pair for pair in pairs if pair.kind == TERM and not pair.concepts]
    return with_concepts(pairs, terms), dict(left_out)


def without_backs(pairs: Iterable[Pair], size: int, seed: int) -> list[Trial]:
    """Trials whose texts do not come back at all."""
    trials = draw_trials(pairs, size, seed)
    return [replace(t, candidate=replace(t.candidate, back_translation="")) for t in trials]


def calibrate(trials: Sequence[Trial], left_out: Mapping[str, int]) -> Calibrated:
    """Fit all filters, which begin with their defaults."""
    defaults = standard_filters()
    outcomes = try_filters(trials, defaults)
    fitted = fit(outcomes, defaults)
    again = [decide_again(outcome, fitted) for outcome in outcomes]
    return Calibrated(again, fitted, left_out)


def measure(trials: Sequence[Trial], left_out: Mapping[str, int]) -> Calibrated:
    """Ask the filters with their defaults."""
    defaults = standard_filters()
    return Calibrated(try_filters(trials, defaults), defaults, left_out)
