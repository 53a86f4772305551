"""Rejects a translation that says right for left, less for more, chronic for acute."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.opposite_words import SCALES
from qa_filters.words import CACHED

Counts = tuple[int, int]


@dataclass(frozen=True)
class Opposites(Filter):
    """Counts the scales on which the text or its back-translation stands at the other end.

    The scales are side, amount, time and course. A scale is turned where one end is named less
    often than in the source and the other end more often; both must change, since translators
    reword one end freely (at least, al menos) and hardly ever both.
    """

    max_turned: int = 0

    name: ClassVar[str] = "opposites"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 4.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_turned",)

    def score(self, candidate: Candidate) -> float:
        """How many scales; NaN for a native wording and where the source names no end."""
        posed = count_ends(candidate.source_text, candidate.source_language)
        if not candidate.is_machine_made or not any(map(any, posed.values())):
            return NOT_APPLICABLE
        made = count_ends(candidate.text, candidate.language)
        back = posed
        if candidate.back_translation:
            back = count_ends(candidate.back_translation, candidate.source_language)
        return float(
            sum(
                _is_turned(posed[name], made[name]) or _is_turned(posed[name], back[name])
                for name in posed
            )
        )

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_turned``."""
        return score <= self.max_turned


@lru_cache(maxsize=CACHED)
def count_ends(text: str, language: str) -> dict[str, Counts]:
    """How often each end of each scale is named."""
    return {
        name: (len(one.findall(text)), len(other.findall(text)))
        for name, (one, other) in SCALES[language].items()
    }


def _is_turned(posed: Counts, made: Counts) -> bool:
    less, more = made[0] - posed[0], made[1] - posed[1]
    return less * more < 0
