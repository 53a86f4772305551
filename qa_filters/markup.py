"""Rejects what is no text: nothing at all, dots, tags, control characters, tokens of a model."""

import re
import unicodedata
from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import Candidate, Filter

# Tags with or without attributes, but not "p<b and c>d"; <unk>, <s>, </s> and <pad> among them.
TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s+[A-Za-z-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>")
ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,6}|#x[0-9A-Fa-f]{1,5});")
LANGUAGE_TOKEN = re.compile(r"\b[a-z]{3}_[A-Z][a-z]{3}\b")  # eng_Latn
UNKNOWN = re.compile("[⁇\ufffd]")  # SentencePiece's unknown token, a byte that was no UTF-8
DOTS = re.compile(r"([.…。·・,，、?!-])\1{4,}")
PATTERNS = (TAG, ENTITY, LANGUAGE_TOKEN, UNKNOWN, DOTS)
WHITE = "\t\n\r"
NOT_TEXT = ("Cc", "Cn", "Co", "Cs")  # control, unassigned, private, half of a surrogate pair


@dataclass(frozen=True)
class Markup(Filter):
    """Counts what does not belong into a text; a text without a letter or digit counts as one.

    An angle bracket alone is no tag: "p < 0.05" passes.
    """

    max_marks: int = 0

    name: ClassVar[str] = "markup"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 10.0)

    def score(self, candidate: Candidate) -> float:
        """How many such marks the text holds."""
        text = candidate.text
        blank = not any(c.isalnum() for c in text)
        strange = sum(unicodedata.category(c) in NOT_TEXT and c not in WHITE for c in text)
        found = sum(len(pattern.findall(text)) for pattern in PATTERNS)
        return float(blank + strange + found)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_marks`` of them."""
        return score <= self.max_marks
