"""Rejects what the engine itself says went wrong."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import Candidate, Filter


@dataclass(frozen=True)
class Flags(Filter):
    """Counts the engine's own warnings that are listed in ``refused``.

    An unknown token is a character that the model could not write (NLLB lacks some Chinese
    ones) and that is missing from the text without a trace.
    """

    refused: tuple[str, ...] = ("empty", "length_limit", "traditional_script", "unknown_token")

    name: ClassVar[str] = "flags"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 5.0)

    def score(self, candidate: Candidate) -> float:
        """How many refused flags the translation carries."""
        return float(sum(flag in self.refused for flag in candidate.flags))

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """None of them."""
        return score == 0
