"""Rejects a short query whose words name several of its concepts alike."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, TERM, Candidate, ConceptNames, Filter
from qa_filters.words import folded


@dataclass(frozen=True)
class Ambiguity(Filter):
    """How many of the concepts in question one wording names: more than one cannot be told apart.

    A term is ambiguous where a distractor of its set is called just so, in the query's language or,
    as it comes back, in the source's (cold, the illness and the temperature). A question of at most
    ``max_words`` words is where two of its concepts share a name that stands in it.
    """

    max_named: int = 1
    max_words: int = 6

    name: ClassVar[str] = "ambiguity"
    group: ClassVar[str] = "meaning"
    scale: ClassVar[tuple[float, float]] = (0.0, 5.0)
    thresholds: ClassVar[tuple[str, ...]] = ("max_named",)

    def score(self, candidate: Candidate) -> float:
        """A count of concepts; NaN for longer text, and where no other concept is in question."""
        others = candidate.rivals if candidate.kind == TERM else candidate.concepts[1:]
        text = folded(candidate.text)
        if not others or len(text.split()) > self.max_words:
            return NOT_APPLICABLE
        if candidate.kind == TERM:
            back = folded(candidate.back_translation)
            return float(1 + sum(_is_called(rival, text, back) for rival in others))
        return float(_shared(candidate.concepts, text))

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At most ``max_named``."""
        return score <= self.max_named


def _is_called(concept: ConceptNames, text: str, back: str) -> bool:
    """Whether a concept has the whole text for a name, or has what comes back."""
    return text in map(folded, concept.target) or (
        bool(back) and back in map(folded, concept.source)
    )


def _shared(concepts: Iterable[ConceptNames], text: str) -> int:
    """The most concepts that share a name standing in the text; without spaces, being it.

    The cold in common cold does not count where that is a name too.
    """
    owners = Counter(name for one in concepts for name in set(map(folded, one.target)) if name)
    standing = [name for name in sorted(owners) if f" {name} " in f" {text} "]
    whole = (one for one in standing if not any(_is_part(one, other) for other in standing))
    return max((owners[name] for name in whole), default=0)


def _is_part(name: str, other: str) -> bool:
    return name != other and f" {name} " in f" {other} "
