"""Rejects a query that holds the answer: the name under which its concept is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.words import folded


@dataclass(frozen=True)
class Leakage(Filter):
    """How much of the answer stands in the query, word for word: its longest run of words.

    In a confusion set the answer is the one name that the gold is shown under. No query is posed
    in that name, but a synonym may contain it, a translation may turn out to be it, and then any
    search for equal words finds the gold. Questions are answered by passages, which are not names.
    """

    max_share: float = 0.9

    name: ClassVar[str] = "leakage"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_share",)

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1, in words of the answer; NaN where no name is the answer."""
        answer = folded(candidate.answer).split()
        if not answer:
            return NOT_APPLICABLE
        return _longest_run(answer, folded(candidate.text).split()) / len(answer)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_share``."""
        return score <= self.max_share


def _longest_run(answer: Sequence[str], words: Sequence[str]) -> int:
    """How many words in a row both have at most."""
    if set(answer).isdisjoint(words):
        return 0
    return SequenceMatcher(None, answer, words, autojunk=False).find_longest_match().size
