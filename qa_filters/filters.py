"""The table of filters: the name of each in a plan, and its class."""

from qa_filters.back_length import BackLength
from qa_filters.base import Filter
from qa_filters.concept_fidelity import ConceptFidelity
from qa_filters.copy import Copy
from qa_filters.flags import Flags
from qa_filters.han import Han
from qa_filters.language import LanguageIdentity
from qa_filters.length import Length
from qa_filters.markup import Markup
from qa_filters.negation import Negation
from qa_filters.numbers import Numbers
from qa_filters.opposites import Opposites
from qa_filters.repetition import Repetition
from qa_filters.round_trip import RoundTrip
from qa_filters.script import Script
from qa_filters.sentences import Sentences
from qa_filters.untranslated import Untranslated

FILTERS: dict[str, type[Filter]] = {
    "back_length": BackLength,
    "concept_fidelity": ConceptFidelity,
    "copy": Copy,
    "flags": Flags,
    "han": Han,
    "language": LanguageIdentity,
    "length": Length,
    "markup": Markup,
    "negation": Negation,
    "numbers": Numbers,
    "opposites": Opposites,
    "repetition": Repetition,
    "round_trip": RoundTrip,
    "script": Script,
    "sentences": Sentences,
    "untranslated": Untranslated,
}
