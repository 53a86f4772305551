"""Rejects a translation that no longer names the concept that its source names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from rapidfuzz import fuzz

from qa_filters.base import NOT_APPLICABLE, Candidate, ConceptNames, Filter
from qa_filters.words import folded, script_of

FULL = 100.0
CACHED = 1 << 15  # names and texts; a concept's names come again with each of its queries
MIN_FUZZY = 6  # letters; a shorter name (flu, HIV, 2型) must stand there as it is
ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}

# Beginnings that one or two letters turn into their opposite.
OPPOSITES = (
    *(("hyper", "hypo"), ("tachy", "brady"), ("macro", "micro"), ("intra", "inter")),
    *(("intra", "extra"), ("inter", "extra"), ("pre", "post"), ("pre", "peri"), ("peri", "post")),
    *(("poly", "oligo"), ("endo", "exo"), ("endo", "ecto"), ("supra", "infra"), ("super", "sub")),
    *(("left", "right"), ("acute", "chronic"), ("benign", "malignant"), ("upper", "lower")),
    *(("male", "female"), ("maternal", "paternal"), ("congenital", "acquired")),
)

# Both ways round, with the space before a word; " hyper" stands in " hypertension".
OPPOSED_BEGINNINGS = tuple(
    (f" {one}", f" {other}") for pair in OPPOSITES for one, other in (pair, pair[::-1])
)


@dataclass(frozen=True)
class ConceptFidelity(Filter):
    """How surely each concept that the source names is named again, from 0 to 100.

    Named by the back-translation under any of its names, or by the text itself under a name of
    its language; the worst kept concept counts. A text whose source names none of its concepts
    is not judged, nor one without a back-translation: a missing name alone proves nothing.
    """

    min_similarity: float = 90.0

    name: ClassVar[str] = "concept_fidelity"
    group: ClassVar[str] = "meaning"
    scale: ClassVar[tuple[float, float]] = (0.0, 100.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_similarity",)

    def score(self, candidate: Candidate) -> float:
        """Similarity of the best name, by rapidfuzz's partial ratio."""
        if not candidate.is_machine_made or not candidate.back_translation:
            return NOT_APPLICABLE
        named = [
            concept
            for concept in candidate.concepts
            if best_match(concept.source, candidate.source_text) >= self.min_similarity
        ]
        if not named:
            return NOT_APPLICABLE
        return min(_fidelity(concept, candidate) for concept in named)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_similarity``."""
        return score >= self.min_similarity


def _fidelity(concept: ConceptNames, candidate: Candidate) -> float:
    there = best_match(concept.target, candidate.text)
    return max(there, best_match(concept.source, candidate.back_translation))


def best_match(names: Iterable[str], text: str) -> float:
    """How well the best of the names is found in the text, from 0 to 100."""
    folded = _fold(text)
    return max(
        (_match(_fold(form), folded) for name in names for form in _forms(name)), default=0.0
    )


def _forms(name: str) -> tuple[str, ...]:
    """The name and, where it is inverted at a comma, its natural order."""
    head, comma, rest = name.partition(", ")
    return (name, f"{rest} {head}") if comma else (name,)


@lru_cache(maxsize=CACHED)
def _fold(text: str) -> str:
    """The key for comparison, Roman numerals of types and stages as digits."""
    return " ".join(ROMAN.get(word, word) for word in folded(text).split())


def _match(name: str, text: str) -> float:
    if not name or not text:
        return 0.0
    if _stands_in(name, text):
        return FULL
    if len(name) < MIN_FUZZY or _is_opposed(name, text) or _digits(name) - _digits(text):
        return 0.0
    return fuzz.ratio(name, text) if len(name) > len(text) else fuzz.partial_ratio(name, text)


def _stands_in(name: str, text: str) -> bool:
    """Whether the whole name stands in the text, between word borders where there are any."""
    if script_of(name[0]) in ("Hani", "Kana"):
        return name in text
    return f" {name} " in f" {text} "


@lru_cache(maxsize=CACHED)
def _digits(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


def _is_opposed(name: str, text: str) -> bool:
    """Whether the text has only the opposite of what the name has: hyper-, hypo-."""
    found = f" {text}"
    return any(one not in found and other in found for one, other in _opposed_in(name))


@lru_cache(maxsize=CACHED)
def _opposed_in(name: str) -> tuple[tuple[str, str], ...]:
    """The beginnings that a name has, each with an opposite."""
    return tuple(pair for pair in OPPOSED_BEGINNINGS if pair[0] in f" {name}")
