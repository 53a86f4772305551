"""Rejects a translation that its own engine found most unlikely."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter


@dataclass(frozen=True)
class SequenceScore(Filter):
    """The mean natural log-probability of the tokens, as the engine gave it with the translation.

    Of what is known without reading the text, this tells detached output best (Guerreiro, Voita and
    Martins, "Looking for a Needle in a Haystack", EACL 2023). -3 is one token in twenty on average,
    which a model writes only where it has lost the source. It is set wide: models differ, and human
    translations have no such score. ``calibrate`` fits it on tables with a column ``score``.
    """

    min_score: float = -3.0

    name: ClassVar[str] = "sequence_score"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (-6.0, 0.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_score",)

    def score(self, candidate: Candidate) -> float:
        """0 or less; NaN where the engine gives none, and for a native wording."""
        known = candidate.log_probability
        return NOT_APPLICABLE if known is None or not candidate.is_machine_made else known

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_score``."""
        return score >= self.min_score
