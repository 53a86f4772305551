"""Rejects a translation far shorter or longer than its source leads one to expect."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, TERM, Candidate, Filter
from qa_filters.words import CACHED, is_symbol, script_of, words_of

# How many characters of a language say as much as one of English: medians over TICO-19's human
# translations (es, fr, ru) and its term lists (de). Han and kana are weighed letter by letter.
EXPANSION = {"en": 1.0, "de": 1.1, "es": 1.15, "fr": 1.2, "ja": 1.0, "ru": 1.12, "zh": 1.0}
LETTER_WEIGHTS = {"Hani": 3.6, "Kana": 1.8, "Hang": 2.4}


@dataclass(frozen=True)
class Length(Filter):
    """The length of the text over the length that its source leads one to expect.

    Lengths are in characters as English would need them, plus ``slack`` on both sides, so that
    short terms may vary freely. An acronym may be spelled out, and a term be given by one (AIDS,
    СПИД): there the upper, here the lower bound falls away.
    """

    min_ratio: float = 0.6
    max_ratio: float = 2.0
    min_term_ratio: float = 0.45
    slack: float = 8.0

    name: ClassVar[str] = "length"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 2.5)
    thresholds: ClassVar[tuple[str, ...]] = ("min_ratio", "min_term_ratio", "max_ratio")

    def score(self, candidate: Candidate) -> float:
        """About 1 for a whole translation; NaN for a native wording."""
        if not candidate.is_machine_made:
            return NOT_APPLICABLE
        expected = english_length(candidate.source_text, candidate.source_language) + self.slack
        actual = english_length(candidate.text, candidate.language) + self.slack
        return actual / expected

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """Between ``min_ratio`` (of a term ``min_term_ratio``) and ``max_ratio``."""
        is_term = candidate.kind == TERM
        least = self.min_term_ratio if is_term else self.min_ratio
        is_whole = score >= least or (is_term and _is_acronym(candidate.text))
        return is_whole and (score <= self.max_ratio or _is_acronym(candidate.source_text))


def _is_acronym(text: str) -> bool:
    words = words_of(text)
    return bool(words) and all(map(is_symbol, words))


@lru_cache(maxsize=CACHED)
def english_length(text: str, language: str) -> float:
    """The number of characters that an English text saying the same would have, roughly."""
    folded = " ".join(unicodedata.normalize("NFKC", text).split())
    if folded.isascii():
        return len(folded) / EXPANSION[language]
    weighted = sum(LETTER_WEIGHTS.get(script_of(character), 1.0) for character in folded)
    return weighted / EXPANSION[language]
