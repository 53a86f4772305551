"""What is spoilt, what comes of it, and how a place in a text is drawn."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pipeline.text import draw
from qa_filters.base import MACHINE, Candidate, ConceptNames


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and what a person made of it in another language.

    ``back_translation`` is a real one where there is any; else the source itself stands for the
    perfect one, which human translations lack. ``log_probability`` is an engine's, of its own text.
    """

    pair_id: str
    source_text: str
    text: str
    language: str
    kind: str = "question"  # question, term
    concepts: tuple[ConceptNames, ...] = ()
    back_translation: str = ""
    source_language: str = "en"
    log_probability: float | None = None

    def candidate(self) -> Candidate:
        """The pair as the filters see it."""
        seen = self.with_text(self.text, self.back_translation or self.source_text)
        return replace(seen, log_probability=self.log_probability)

    def with_text(self, text: str, back_translation: str) -> Candidate:
        """The pair's source with another translation."""
        return Candidate(
            source_text=self.source_text,
            source_language=self.source_language,
            text=text,
            language=self.language,
            origin=MACHINE,
            kind=self.kind,
            back_translation=back_translation,
            concepts=self.concepts,
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a corruption may take from elsewhere.

    ``another`` is a pair of the same language about something else; ``versions`` are the same
    source's translations into other languages.
    """

    another: Pair
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A spoilt translation and what it says in the source language ("" if nobody can tell)."""

    text: str
    back_translation: str


Corruption = Callable[[Pair, Surroundings], Spoilt | None]
"""Spoils a pair, always in the same way for the same seed; None where there is nothing to spoil."""


def draw_one(places: int, kind: str, pair: Pair, surroundings: Surroundings) -> int:
    """A number under ``places``."""
    return draw(surroundings.seed, kind, pair.language, pair.pair_id) % places


def rewrite_at(text: str, pattern: re.Pattern[str], number: int, replacement: str) -> str:
    """The text with the pattern's match of that number written anew."""
    match = list(pattern.finditer(text))[number]
    return text[: match.start()] + match.expand(replacement) + text[match.end() :]
