"""Rejects a translation caught in a loop."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.words import CACHED, folded, script_of

NARROW_GRAM = 6  # letters of an alphabet: about a word
WIDE_GRAM = 3  # Han and kana
WIDE = ("Hani", "Kana")


@dataclass(frozen=True)
class Repetition(Filter):
    """How much more of the text than of its source says again what was said before.

    Counted in runs of letters, so that it sees a loop of words, of syllables and of Han alike.
    """

    max_excess: float = 0.25

    name: ClassVar[str] = "repetition"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_excess",)

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN for a native wording."""
        if not candidate.is_machine_made:
            return NOT_APPLICABLE
        return max(0.0, repeated(candidate.text) - repeated(candidate.source_text))

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_excess``."""
        return score <= self.max_excess


@lru_cache(maxsize=CACHED)
def repeated(text: str) -> float:
    """The share of runs of letters that occurred before in the same text."""
    key = folded(text)
    wide = 0 if key.isascii() else sum(script_of(character) in WIDE for character in key)
    return repeated_share(key, WIDE_GRAM if 2 * wide > len(key) else NARROW_GRAM)


def repeated_share(items: Sequence[str], size: int) -> float:
    """One minus distinct over all runs of ``size`` items; 0 where there is no run at all."""
    runs = [items[start : start + size] for start in range(len(items) - size + 1)]
    return 1 - len(set(runs)) / len(runs) if runs else 0.0
