"""Rejects Chinese in Traditional characters, Japanese in those of China."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.script import is_foreign
from qa_filters.words import script_of


@dataclass(frozen=True)
class Han(Filter):
    """The share of Han characters that another country's writing has and the language's has not.

    By the national character sets: GB 2312 for Chinese, JIS X 0208 for Japanese. The script filter
    lets a few pass beside much other text; here a few are what matters.
    """

    max_share: float = 0.02

    name: ClassVar[str] = "han"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 0.5)
    thresholds: ClassVar[tuple[str, ...]] = ("max_share",)

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN for other languages and without any Han."""
        if candidate.language not in ("ja", "zh"):
            return NOT_APPLICABLE
        han = [c for c in candidate.text if script_of(c) == "Hani"]
        if not han:
            return NOT_APPLICABLE
        return sum(is_foreign(c, candidate.language) for c in han) / len(han)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_share``."""
        return score <= self.max_share
