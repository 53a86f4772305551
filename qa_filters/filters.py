"""The table of filters: the name of each in a plan, and its class."""

from qa_filters.base import Filter
from qa_filters.concept_fidelity import ConceptFidelity
from qa_filters.copy import Copy
from qa_filters.flags import Flags
from qa_filters.language import LanguageIdentity
from qa_filters.length import Length
from qa_filters.markup import Markup
from qa_filters.numbers import Numbers
from qa_filters.repetition import Repetition
from qa_filters.round_trip import RoundTrip
from qa_filters.script import Script
from qa_filters.sentences import Sentences

FILTERS: dict[str, type[Filter]] = {
    "concept_fidelity": ConceptFidelity,
    "copy": Copy,
    "flags": Flags,
    "language": LanguageIdentity,
    "length": Length,
    "markup": Markup,
    "numbers": Numbers,
    "repetition": Repetition,
    "round_trip": RoundTrip,
    "script": Script,
    "sentences": Sentences,
}
