"""The one rule by which the name that a concept is shown under is chosen."""

from collections.abc import Collection

from pipeline.records import Concept, Name
from umls_tools.naming.casing import is_acronym
from umls_tools.naming.judging import usable_names

LONGEST_NAME = 80


def shown_name(concept: Concept) -> Name | None:
    """The first fit English name in order of preference; acronyms only where nothing else is.

    Names that need no repair go before repaired ones. The order is otherwise the concept's own
    (rank of the source first), so the rule looks neither at the query nor at whether the concept
    is the gold or a distractor.
    """
    fit = usable_names(concept, "en", LONGEST_NAME)
    ordered = sorted(fit, key=lambda one: (is_acronym(one.name.text), one.is_repaired))
    return ordered[0].name if ordered else None


def why_not_shown(concept: Concept, general: Collection[str]) -> str:
    """The reason for which a concept can be neither gold nor distractor, or ""."""
    if concept.cui in general:
        return "general"
    if not concept.semantic_types:
        return "no_semantic_type"
    if not concept.names_in("en"):
        return "no_english_name"
    return "" if shown_name(concept) else "no_fit_name"
