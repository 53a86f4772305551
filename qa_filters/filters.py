"""The table of filters: the name of each in a plan, and its class."""

from qa_filters.ambiguity import Ambiguity
from qa_filters.back_length import BackLength
from qa_filters.base import Filter
from qa_filters.concept_fidelity import ConceptFidelity
from qa_filters.copy import Copy
from qa_filters.embedding import EmbeddingSimilarity
from qa_filters.flags import Flags
from qa_filters.foreign_name import ForeignName
from qa_filters.han import Han
from qa_filters.language import LanguageIdentity
from qa_filters.leakage import Leakage
from qa_filters.length import Length
from qa_filters.markup import Markup
from qa_filters.negation import Negation
from qa_filters.numbers import Numbers
from qa_filters.opposites import Opposites
from qa_filters.repetition import Repetition
from qa_filters.round_trip import RoundTrip
from qa_filters.script import Script
from qa_filters.sentences import Sentences
from qa_filters.sequence_score import SequenceScore
from qa_filters.untranslated import Untranslated

FILTERS: dict[str, type[Filter]] = {
    "ambiguity": Ambiguity,
    "back_length": BackLength,
    "concept_fidelity": ConceptFidelity,
    "copy": Copy,
    "embedding_similarity": EmbeddingSimilarity,
    "flags": Flags,
    "foreign_name": ForeignName,
    "han": Han,
    "language": LanguageIdentity,
    "leakage": Leakage,
    "length": Length,
    "markup": Markup,
    "negation": Negation,
    "numbers": Numbers,
    "opposites": Opposites,
    "repetition": Repetition,
    "round_trip": RoundTrip,
    "script": Script,
    "sentences": Sentences,
    "sequence_score": SequenceScore,
    "untranslated": Untranslated,
}

OPTIONAL = ("embedding_similarity",)
"""What a plan must ask for by itself: it needs a model of its own."""


def standard_filters() -> dict[str, Filter]:
    """Every filter that needs nothing but the base install, with its defaults."""
    return {name: class_() for name, class_ in FILTERS.items() if name not in OPTIONAL}
