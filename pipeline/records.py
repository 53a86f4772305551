"""Every record that flows through the graph, in the order in which it flows.

All are frozen and slotted, hold tuples instead of lists, and nest what they need rather than
point at it, so that any of them can be read, printed and compared on its own. Languages are
written as the project's own codes (``en``, ``zh``), concepts as current CUIs.
"""

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TypeVar, dataclass_transform

T = TypeVar("T")

TASKS = ("qa", "concepts", "evidence")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """A frozen, slotted dataclass that pickles by its fields.

    What dataclasses do by themselves, a list of attributes found anew for every object, takes
    three times as long, and records are what a build pickles most.
    """
    made = dataclass(frozen=True, slots=True)(cls)
    names = [field.name for field in fields(made)]  # type: ignore[arg-type]
    values = attrgetter(*names)

    def reduce(self: T) -> tuple[type[T], tuple[object, ...]]:
        return made, values(self) if len(names) > 1 else (values(self),)

    made.__reduce__ = reduce  # type: ignore[assignment, method-assign]
    return made


@record
class Language:
    """One language under the names that its neighbours give it."""

    code: str
    umls_lat: str
    nllb: str
    medline: str
    script: str  # ISO 15924


LANGUAGES: dict[str, Language] = {
    language.code: language
    for language in (
        Language("en", "ENG", "eng_Latn", "eng", "Latn"),
        Language("de", "GER", "deu_Latn", "ger", "Latn"),
        Language("es", "SPA", "spa_Latn", "spa", "Latn"),
        Language("fr", "FRE", "fra_Latn", "fre", "Latn"),
        Language("ja", "JPN", "jpn_Jpan", "jpn", "Jpan"),
        Language("ru", "RUS", "rus_Cyrl", "rus", "Cyrl"),
        Language("zh", "CHI", "zho_Hans", "chi", "Hans"),
    )
}


@record
class Reject:
    """Something left out: where, which, why. Holds no text whose licence is in doubt."""

    stage: str
    key: str
    reason: str
    detail: str = ""


@record
class Name:
    """One atom of a concept: a name as one source gives it in one language."""

    text: str
    language: str
    source: str  # SAB
    term_type: str  # TTY
    atom_id: str  # AUI
    restriction: int  # SRL
    preferred: bool  # the first choice among the concept's names in this language
    code: str = ""  # CODE, the source's own identifier


@record
class Definition:
    """What a source says a concept is."""

    text: str
    source: str
    restriction: int
    language: str = "en"


@record
class Relation:
    """An edge from the concept that holds it: ``cui`` is its parent, child, synonym and so on.

    ``kind`` is one of parent, child, broader, narrower, synonym (SY, RQ, RL), family
    (tradename, ingredient, dose form).
    """

    kind: str
    cui: str
    source: str


@record
class Concept:
    """A UMLS concept as far as the plan's languages, sources and licence let it be seen.

    ``names`` stand in order of language, then preference; every other tuple is sorted.
    """

    cui: str
    names: tuple[Name, ...]
    semantic_types: tuple[str, ...]  # TUIs
    definitions: tuple[Definition, ...] = ()
    relations: tuple[Relation, ...] = ()

    def names_in(self, language: str) -> tuple[Name, ...]:
        """Names in one language, the preferred one first."""
        return tuple(name for name in self.names if name.language == language)


@record
class Passage:
    """A piece of English evidence, the unit that is retrieved."""

    passage_id: str
    title: str
    text: str
    cuis: tuple[str, ...]
    headings: tuple[str, ...]  # MeSH: "D003924" or a heading's name; resolved by grounding
    source: str
    licence: str
    url: str
    tasks: tuple[str, ...] = ()  # in whose corpora it stands, by the plan
    major: tuple[str, ...] = ()  # those of the headings that it is mainly about
    sections: tuple[int, ...] = ()  # where those after the first begin; empty once cut
    fills: tuple[str, ...] = ()  # those of the tasks whose corpora it only fills up


@record
class Relevance:
    """A passage that answers a question, with its grade (1 or more)."""

    passage_id: str
    grade: int
    text_id: str = ""  # of the passage's text, once it is found: the same for equal texts
    spans: tuple[tuple[int, int], ...] = ()  # where in the text the answer stands, if that is known


@record
class Question:
    """A question as its source asks it, with the passages that answer it."""

    source_id: str
    text: str
    language: str
    cuis: tuple[str, ...]
    headings: tuple[str, ...]
    relevant: tuple[Relevance, ...]
    source: str
    licence: str
    tasks: tuple[str, ...] = ()  # which it may serve, by the plan


@record
class Distractor:
    """A wrong answer of a confusion set and what makes it confusable."""

    cui: str
    similarity: float
    why: str
    measure: str = "cosine"  # what the similarity is


@record
class ConfusionSet:
    """One gold concept and the concepts it is to be told from, hardest first.

    ``excluded`` counts by reason what could have stood among them, but would be right too.
    """

    gold: str
    tier: str
    distractors: tuple[Distractor, ...]
    excluded: tuple[tuple[str, int], ...] = ()


@record
class Wording:
    """A text in one language that nobody had to translate, with its sources and their level.

    ``kind`` is what a concept's wording is: a ``name`` or a ``definition``; "" of a question.
    """

    text: str
    language: str
    sabs: tuple[str, ...]
    max_srl: int
    atom_id: str = ""  # AUI, of a name
    kind: str = ""


@record
class Taint:
    """What an item rests on besides its wording: UMLS sources, and the highest of their levels."""

    sabs: tuple[str, ...] = ()
    max_srl: int = 0


@record
class Query:
    """A candidate of one task, grounded in concepts.

    ``concepts`` are those it is about (of a confusion set: the gold, then its distractors);
    ``original`` is the wording it was posed in and ``natives`` the wordings that its sources
    give in other languages. ``relevant`` holds passage ids, or the gold's id in a set.
    """

    query_id: str
    task: str
    stratum: str  # the tier of a confusion set, else ""
    source_id: str
    source: str
    origin: str  # source, umls
    original: Wording
    natives: tuple[Wording, ...]
    concepts: tuple[Concept, ...]
    relevant: tuple[Relevance, ...]
    licence: str
    unseen: tuple[str, ...] = ()  # CUIs its source gives and the plan hides: claimed, not released
    taint: Taint = Taint()
    distractors: tuple[Distractor, ...] = ()  # of a confusion set: why each stands there
    excluded: tuple[tuple[str, int], ...] = ()  # of a confusion set: what could not, by reason


@record
class TranslationRequest:
    """A text to be carried from one language into another and back.

    ``terms`` are names in the target language, sorted, of which a translation had better hold
    one; ``margin`` is how much less probable it may be for that (nats of a token's mean).
    """

    text: str
    source: str
    target: str
    terms: tuple[str, ...] = ()
    margin: float = 0.0


@record
class Translation:
    """A text in the target language and where it came from.

    ``engine`` is empty for a native wording; ``flags`` holds what the engine noticed of its own
    output (``length_limit``, ``unknown_token``, ``empty``, ``traditional_script``, ``by_rule``,
    ``term_chosen``, ``term_missing``);
    ``score`` is the mean log-probability of the output's tokens, or NaN where there is none.
    """

    text: str
    language: str
    origin: str  # source, umls, mt
    engine: str = ""
    model: str = ""
    revision: str = ""
    back_translation: str = ""
    score: float = float("nan")
    flags: tuple[str, ...] = ()


@record
class Verdict:
    """What one filter measured and decided."""

    filter: str
    score: float
    accepted: bool


@record
class JudgedQuery:
    """A query in one language with every filter's verdict on it."""

    query: Query
    translation: Translation
    verdicts: tuple[Verdict, ...]

    @property
    def accepted(self) -> bool:
        """Whether every filter accepts."""
        return all(verdict.accepted for verdict in self.verdicts)
