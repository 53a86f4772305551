"""Rejects a translation that denies what its source says, or the other way round."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.negation_words import NEARLY, PLAIN, SOFT
from qa_filters.words import CACHED

Span = tuple[int, int]


@dataclass(frozen=True)
class Negation(Filter):
    """How many negations the source and its translation cannot agree upon.

    Plain negations (not, without, ne … pas) count, words such as *unable* or *lack* may count. The
    back-translation must have as many as the source; in the text, where a language may say one
    negation by two words, only none against some is a difference.
    """

    max_difference: int = 0

    name: ClassVar[str] = "negation"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 4.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_difference",)

    def score(self, candidate: Candidate) -> float:
        """A count; NaN for a native wording."""
        if not candidate.is_machine_made:
            return NOT_APPLICABLE
        difference = _presence(candidate)
        if candidate.back_translation:
            difference = max(difference, _gap_back(candidate))
        return float(difference)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_difference``."""
        return score <= self.max_difference


def count_negations(text: str, language: str) -> Span:
    """The least and the largest number of negations that a text may be said to have."""
    plain = _count_plain(text, language)
    return plain, plain + len(SOFT[language].findall(text))


@lru_cache(maxsize=CACHED)
def _count_plain(text: str, language: str) -> int:
    return len(PLAIN[language].findall(text))


def _gap_back(candidate: Candidate) -> int:
    """How far the back-translation is from the source, 0 where both may have as many."""
    texts = (candidate.source_text, candidate.back_translation)
    posed, back = (_count_plain(text, candidate.source_language) for text in texts)
    if posed == back:
        return 0
    posed_nearly, back_nearly = (len(NEARLY.findall(text)) for text in texts)
    return max(0, posed - back - back_nearly, back - posed - posed_nearly)


def _presence(candidate: Candidate) -> int:
    """1 where one side denies plainly and the other in no way."""
    sides = (
        (candidate.source_text, candidate.source_language),
        (candidate.text, candidate.language),
    )
    silent = [side for side in sides if not _count_plain(*side)]
    return int(len(silent) == 1 and count_negations(*silent[0]) == (0, 0))
