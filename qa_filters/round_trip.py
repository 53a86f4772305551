"""Rejects a translation whose back-translation no longer says what the source says."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.chrf import chrf
from qa_filters.words import WORD


@dataclass(frozen=True)
class RoundTrip(Filter):
    """chrF (0 to 100) of the back-translation against the source, case aside.

    A term may come back as any other name of its concept: the nearest one counts.
    A text of one word is left to concept fidelity: its chrF is nearly 0 or 100, whatever it
    means. Errors that the model makes both ways stay hidden from this filter.
    """

    min_chrf: float = 40.0
    min_words: int = 2

    name: ClassVar[str] = "round_trip"
    group: ClassVar[str] = "meaning"
    scale: ClassVar[tuple[float, float]] = (0.0, 100.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_chrf",)

    def score(self, candidate: Candidate) -> float:
        """chrF; NaN without a back-translation and for texts under ``min_words`` words."""
        few = len(WORD.findall(candidate.source_text)) < self.min_words
        if not candidate.is_machine_made or not candidate.back_translation or few:
            return NOT_APPLICABLE
        names = candidate.source_names if candidate.kind == "term" else ()
        meant = [text.lower() for text in (candidate.source_text, *names)]
        return chrf(candidate.back_translation.lower(), meant)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_chrf``."""
        return score >= self.min_chrf
