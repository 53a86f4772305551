"""Rejects a translation that lost a sentence."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.length import english_length
from qa_filters.words import CACHED

WIDE_END = re.compile(r"[。！？；]+")
# A mark, perhaps a bracket or quotation mark, then white space and no small letter, or the end.
NARROW_END = re.compile(
    r"(?<=[^\W_])[)\]\"'»”’%]*[.!?…]+[)\]\"'»”’]*(?=\s+[^\sa-zà-öø-ÿа-яё]|\s*$)"
)
# Two sentences that a careless extraction glued together: "in May.It spread".
GLUED_END = re.compile(r"(?<=[a-z)\]][a-z)\]])[.!?](?=[A-Z][a-z ])")
ABBREVIATION = re.compile(
    r"\b(?:(?:[A-ZА-ЯЁ]\.)*[A-ZА-ЯЁ]|[eE]\.g|i\.e|z\.B|d\.h|p\. ?ej|Dr|Dra|Mr|Mrs|Ms|Prof|St|"
    r"vs|al|etc|No|Nr|ca|approx|Fig|spp?|subsp|var|т\.д|др|г|гг)\.(?=\s)"
)


@dataclass(frozen=True)
class Sentences(Filter):
    """The number of sentences over that of the source, whose sentences must be two or more.

    Translators join sentences without losing any; so fewer sentences are refused only where the
    text is also shorter than ``full_length`` of what its source leads one to expect.
    """

    min_share: float = 1.0
    full_length: float = 0.85

    name: ClassVar[str] = "sentences"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 2.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_share",)

    def score(self, candidate: Candidate) -> float:
        """Sentences kept; NaN for a native wording or a source of one sentence."""
        posed = count_sentences(candidate.source_text)
        if not candidate.is_machine_made or posed == 1:
            return NOT_APPLICABLE
        return count_sentences(candidate.text) / posed

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_share`` of the sentences, or the full length."""
        expected = english_length(candidate.source_text, candidate.source_language)
        actual = english_length(candidate.text, candidate.language)
        return score >= self.min_share or actual >= self.full_length * expected


@lru_cache(maxsize=CACHED)
def count_sentences(text: str) -> int:
    """Sentences by their end marks, at least one; a text without an end mark ends anyway."""
    plain = ABBREVIATION.sub(" ", text).strip()
    marked = WIDE_END.sub("。\n", NARROW_END.sub("。\n", GLUED_END.sub(". ", plain)))
    return max(1, sum(any(c.isalnum() for c in part) for part in marked.split("。\n")))


def split_sentences(text: str) -> list[str]:
    """The sentences of a text by the same end marks, which they keep."""
    marks = [match.span() for match in ABBREVIATION.finditer(text)]
    ends = sorted(
        match.end()
        for pattern in (NARROW_END, WIDE_END, GLUED_END)
        for match in pattern.finditer(text)
        if not any(start < match.end() <= stop for start, stop in marks)
    )
    cuts = [0, *ends, len(text)]
    parts = [text[start:end].strip() for start, end in pairwise(cuts)]
    return [part for part in parts if any(c.isalnum() for c in part)]
