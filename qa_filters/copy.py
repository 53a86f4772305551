"""Rejects a translation that repeats its source instead of translating it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rapidfuzz.distance import LCSseq

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.words import folded, is_international, words_of


@dataclass(frozen=True)
class Copy(Filter):
    """The share of words that stand in the source just so, in the same order.

    Words that both languages may write alike are set aside: acronyms and gene symbols, Greek and
    Latin terms, drug names, shared endings (COVID-19, diabetes mellitus, Ibuprofen, French
    "infection"), and a text that is itself a name of the concept in its language. What changed
    by one letter (Metformin, Metformina) is no copy, nor what changed its order.
    """

    max_share: float = 0.534

    name: ClassVar[str] = "copy"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_share",)

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN for a native wording and where no word can tell."""
        same_language = candidate.language == candidate.source_language
        if not candidate.is_machine_made or same_language or _is_a_name(candidate):
            return NOT_APPLICABLE
        source, target = words_of(candidate.source_text), words_of(candidate.text)
        telling_source = [word for word in source if not is_international(word, candidate.language)]
        telling_target = [word for word in target if not is_international(word, candidate.language)]
        if not telling_target:
            return NOT_APPLICABLE
        return min(_copied(source, target), _copied(telling_source, telling_target))

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_share``."""
        return score <= self.max_share


def _copied(source: Sequence[str], target: Sequence[str]) -> float:
    """The longest common subsequence of words over the longer of both, case aside."""
    given, made = [[word.casefold() for word in words] for words in (source, target)]
    return LCSseq.similarity(given, made) / max(len(given), len(made))


def _is_a_name(candidate: Candidate) -> bool:
    return folded(candidate.text) in map(folded, candidate.target_names)
