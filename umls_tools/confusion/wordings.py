"""The wording in which a concept is asked for: never the name that it is shown under."""

from collections.abc import Iterable

from pipeline.records import Concept, Wording
from umls_tools.confusion.keys import normalised, wording_key
from umls_tools.naming.casing import is_acronym
from umls_tools.naming.judging import Ruling, usable_names

LONGEST_QUERY = 120
NAME, DEFINITION = "name", "definition"  # kinds of wordings
ENGLISH = "en"
# English wordings are translated, and names above this level must not be.
FREE_LEVEL = 0


def english_query(concept: Concept, shown: str) -> Wording | None:
    """An English synonym of the concept, else a definition of it, else nothing.

    Names that may be translated come before others, names spelled out before acronyms, other
    words before the shown ones in another order, spelling or number, names as they stand before
    repaired ones; then the order of preference.
    """
    best = _best(concept, "en", shown, frozenset())
    return best or definition_query(concept, shown)


def definition_query(concept: Concept, shown: str) -> Wording | None:
    """The first English definition that does not give the shown name away."""
    barred = f" {normalised(shown)} "
    for definition in concept.definitions:
        if definition.language == "en" and barred not in f" {normalised(definition.text)} ":
            source, level = definition.source, definition.restriction
            return Wording(definition.text, "en", (source,), level, kind=DEFINITION)
    return None


def native_query(concept: Concept, language: str, shown: str) -> Wording | None:
    """A name in another language; one that is also an English name only where no other is."""
    english = frozenset(normalised(name.text) for name in concept.names_in("en"))
    return _best(concept, language, shown, english)


def _best(concept: Concept, language: str, shown: str, english: frozenset[str]) -> Wording | None:
    barred = normalised(shown)
    fit = usable_names(concept, language, LONGEST_QUERY)
    usable = [one for one in fit if normalised(one.name.text) != barred]
    if not usable:
        return None
    best = min(usable, key=lambda one: _demerits(one, shown, english))
    return _wording(best.name.text, language, usable)


def _demerits(one: Ruling, shown: str, english: frozenset[str]) -> tuple[bool, ...]:
    """What speaks against a wording, the gravest first; `min` keeps the order among equals."""
    text = one.name.text
    return (
        one.name.restriction > FREE_LEVEL and one.name.language == ENGLISH,
        normalised(text) in english,
        is_acronym(text),
        wording_key(text) == wording_key(shown),
        one.is_repaired,
    )


def _wording(text: str, language: str, usable: Iterable[Ruling]) -> Wording:
    """The text with those of its sources that restrict it least."""
    same = [one.name for one in usable if one.name.text == text]
    level = min(name.restriction for name in same)
    sources = sorted({name.source for name in same if name.restriction == level})
    atom = min(name.atom_id for name in same if name.restriction == level)
    return Wording(text, language, tuple(sources), level, atom, NAME)
