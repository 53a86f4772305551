"""Rejects a translation that comes back far shorter or longer than its source."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter


@dataclass(frozen=True)
class BackLength(Filter):
    """The length of the back-translation over that of the source, both with ``slack`` added.

    In one language lengths vary less than between two, so that a lost part shows that the length
    filter must let pass. Terms are left to it: a synonym may have any length.
    """

    min_ratio: float = 0.72
    max_ratio: float = 1.6
    slack: float = 10.0

    name: ClassVar[str] = "back_length"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 2.5)
    thresholds: ClassVar[tuple[str, ...]] = ("min_ratio", "max_ratio")

    def score(self, candidate: Candidate) -> float:
        """About 1; NaN for a term, a native wording and without a back-translation."""
        is_term = candidate.kind == "term"
        if is_term or not candidate.is_machine_made or not candidate.back_translation:
            return NOT_APPLICABLE
        posed, made = (len(t) for t in (candidate.source_text, candidate.back_translation))
        return (made + self.slack) / (posed + self.slack)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """Between ``min_ratio`` and ``max_ratio``."""
        return self.min_ratio <= score <= self.max_ratio
