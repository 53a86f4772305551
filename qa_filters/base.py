"""What a filter sees, and what a filter is."""

import abc
import math
from dataclasses import dataclass
from typing import ClassVar

from pipeline.records import LANGUAGES, Concept, Query, Translation

NOT_APPLICABLE = float("nan")
"""The score of a filter that has nothing to say about a text; such a text is accepted."""

MACHINE = "mt"
TERM = "term"
TERM_TASK = "concepts"


class FilterError(ValueError):
    """A candidate or a setting that no filter can work with."""


@dataclass(frozen=True, slots=True)
class ConceptNames:
    """The names of one concept in the languages translated from and into, and in all others."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One wording of one query, with all that a filter may weigh it against.

    A back-translation is in ``source_language``, and so are the concepts' ``source`` names.
    ``rivals`` are the other concepts of a confusion set, ``answer`` is the name that its gold is
    shown under, and ``log_probability`` is the engine's, the mean over its tokens.
    """

    source_text: str
    source_language: str
    text: str
    language: str
    origin: str  # mt, umls, source
    kind: str = "question"  # question, term
    back_translation: str = ""
    concepts: tuple[ConceptNames, ...] = ()
    flags: tuple[str, ...] = ()
    rivals: tuple[ConceptNames, ...] = ()
    answer: str = ""
    log_probability: float | None = None

    @property
    def is_machine_made(self) -> bool:
        """Whether an engine wrote the text; a native wording is no translation of the source."""
        return self.origin == MACHINE

    @property
    def source_names(self) -> tuple[str, ...]:
        """All concepts' names in the language translated from."""
        return tuple(name for concept in self.concepts for name in concept.source)

    @property
    def target_names(self) -> tuple[str, ...]:
        """All concepts' names in the language translated into."""
        return tuple(name for concept in self.concepts for name in concept.target)


def candidate_of(query: Query, translation: Translation, answer: str = "") -> Candidate:
    """The query in the translation's language; of a confusion set only the gold is meant."""
    languages = (query.original.language, translation.language)
    for language in languages:
        if language not in LANGUAGES:
            raise FilterError(
                f"query {query.query_id}: unknown language {language!r}; "
                f"known are {', '.join(sorted(LANGUAGES))}"
            )
    is_term = query.task == TERM_TASK
    named = tuple(_names(concept, *languages) for concept in query.concepts)
    return Candidate(
        source_text=query.original.text,
        source_language=query.original.language,
        text=translation.text,
        language=translation.language,
        origin=translation.origin,
        kind=TERM if is_term else "question",
        back_translation=translation.back_translation,
        concepts=named[:1] if is_term else named,
        flags=translation.flags,
        rivals=named[1:] if is_term else (),
        answer=answer,
        log_probability=None if math.isnan(translation.score) else translation.score,
    )


def _names(concept: Concept, source: str, target: str) -> ConceptNames:
    return ConceptNames(
        source=tuple(name.text for name in concept.names_in(source)),
        target=tuple(name.text for name in concept.names_in(target)),
        elsewhere=tuple(
            name.text for name in concept.names if name.language not in (source, target)
        ),
    )


class Filter(abc.ABC):
    """One question asked of every candidate: first scored, then decided, both kept.

    A score of NaN means that the question does not apply; ``judge`` accepts it unasked, so
    ``accepts`` only meets numbers. Fields of a filter are its thresholds and its settings in a
    plan.
    """

    name: ClassVar[str]
    group: ClassVar[str]  # form, content or meaning: the step of the funnel it belongs to
    scale: ClassVar[tuple[float, float]]  # the scores that a histogram shows
    thresholds: ClassVar[tuple[str, ...]] = ()  # those of its settings that are scores

    @abc.abstractmethod
    def score(self, candidate: Candidate) -> float:
        """How the candidate does, or NaN where the question does not apply."""

    @abc.abstractmethod
    def accepts(self, score: float, candidate: Candidate) -> bool:
        """Whether a candidate with this score may pass."""
