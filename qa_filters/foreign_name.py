"""Rejects a term that is its concept's name in another language, and none in its own."""

from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, TERM, Candidate, ConceptNames, Filter
from qa_filters.words import folded


@dataclass(frozen=True)
class ForeignName(Filter):
    """Counts the concepts that go by the text in a third language, but not in the text's own.

    A dictionary tells what letters cannot: *tousser* is French, though it might be German for all
    its letters say. It is asked about terms alone, and only where it knows names of the concept in
    both languages. Words that many languages write alike are left out.
    """

    max_named: int = 0

    name: ClassVar[str] = "foreign_name"
    group: ClassVar[str] = "form"
    scale: ClassVar[tuple[float, float]] = (0.0, 3.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_named",)

    def score(self, candidate: Candidate) -> float:
        """A count; NaN for questions, native wordings and where the dictionary knows too little."""
        known = [one for one in candidate.concepts if one.target and one.elsewhere]
        if candidate.kind != TERM or not candidate.is_machine_made or not known:
            return NOT_APPLICABLE
        return float(sum(_is_foreign(concept, folded(candidate.text)) for concept in known))

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_named``."""
        return score <= self.max_named


def _is_foreign(concept: ConceptNames, text: str) -> bool:
    own = (*concept.target, *concept.source)  # what is the source's, the copy filter judges
    return text in map(folded, concept.elsewhere) and text not in map(folded, own)
