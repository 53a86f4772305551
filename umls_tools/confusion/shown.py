"""The one rule by which the name that a concept is shown under is chosen."""

import re
from collections.abc import Collection

from pipeline.records import Concept, Name
from umls_tools.confusion.keys import normalised

SHORTEST_NAME = 3
LONGEST_NAME = 80
LONGEST_ACRONYM = 8

# Brackets hold qualifiers of the source ("(disorder)", "[Ambiguous]"), not part of the name.
UNFIT = re.compile(
    r"[()\[\]{}<>|@]|\b(?:NOS|NEC)\b|\b(?:other|unspecified|not elsewhere classified)\b",
    re.IGNORECASE,
)
# "73211009", "E11.9", "D003924", "DOID:1234", but not BRCA1 or HIV-1
CODE = re.compile(
    r"[\d.:/-]+|[A-Za-z]\d\d[\d.-]*|[A-Za-z]{1,6}\d{4,}|[A-Za-z]{1,6}(?:[:_]|-\d\d)\d[\d.-]*"
)


def is_acronym(text: str) -> bool:
    """Whether a name is a single short word of capitals and digits, such as COPD or HbA1c."""
    if " " in text or len(text) > LONGEST_ACRONYM:
        return False
    return sum(letter.isupper() for letter in text) > 1


def is_fit(text: str) -> bool:
    """Whether a text reads as the name of a thing: of usual length, no code, no brackets."""
    readable = SHORTEST_NAME <= len(text) <= LONGEST_NAME and bool(normalised(text))
    return readable and not UNFIT.search(text) and not CODE.fullmatch(text)


def shown_name(concept: Concept) -> Name | None:
    """The first fit English name in order of preference; acronyms only where nothing else is.

    The order is the concept's own (rank of the source first), so the rule looks neither at the
    query nor at whether the concept is the gold or a distractor.
    """
    fit = [name for name in concept.names_in("en") if is_fit(name.text)]
    spelled_out = [name for name in fit if not is_acronym(name.text)]
    return next(iter(spelled_out or fit), None)


def why_not_shown(concept: Concept, general: Collection[str]) -> str:
    """The reason for which a concept can be neither gold nor distractor, or ""."""
    if concept.cui in general:
        return "general"
    if not concept.semantic_types:
        return "no_semantic_type"
    if not concept.names_in("en"):
        return "no_english_name"
    return "" if shown_name(concept) else "no_fit_name"
