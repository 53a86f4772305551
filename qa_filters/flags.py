"""Rejects what the engine itself says went wrong."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import Candidate, Filter

BY_RULE = "by_rule"  # as the engines write it: no model saw the text


@dataclass(frozen=True)
class Flags(Filter):
    """Counts the engine's own warnings that are listed in ``refused``.

    An unknown token is a character that the model could not write (NLLB lacks some Chinese
    ones) and that is missing from the text without a trace. A symbol that was carried over by
    rule (``by_rule``: BRCA1, LQT11) is refused where it is the whole text: the query would be
    the English one, and say nothing of the language.
    """

    refused: tuple[str, ...] = ("empty", "length_limit", "traditional_script", "unknown_token")

    name: ClassVar[str] = "flags"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 5.0)

    def score(self, candidate: Candidate) -> float:
        """How many refused flags the translation carries."""
        refused = sum(flag in self.refused for flag in candidate.flags)
        is_carried = BY_RULE in candidate.flags and candidate.text == candidate.source_text
        return float(refused + (is_carried and _is_symbol(candidate.text)))

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """None of them."""
        return score == 0


def _is_symbol(text: str) -> bool:
    """Whether a text is an acronym, a code or a number rather than a word."""
    letters = [letter for letter in text if not letter.isspace()]
    return 2 * sum(letter.islower() for letter in letters) < len(letters)
