"""The wording in which a concept is asked for: never the name that it is shown under."""

from collections.abc import Iterable

from pipeline.records import Concept, Name, Wording
from umls_tools.confusion.keys import normalised, wording_key
from umls_tools.confusion.shown import CODE, SHORTEST_NAME, UNFIT, is_acronym

LONGEST_QUERY = 120
SHORTEST_IDEOGRAPHIC = 2  # a Chinese or Japanese name may have two characters


def english_query(concept: Concept, shown: str) -> Wording | None:
    """An English synonym of the concept, else a definition of it, else nothing.

    Names spelled out come before acronyms, other words before the shown ones in another order,
    spelling or number, plain names before those with brackets; then the order of preference.
    """
    best = _best(concept.names_in("en"), "en", shown, frozenset())
    return best or definition_query(concept, shown)


def definition_query(concept: Concept, shown: str) -> Wording | None:
    """The first English definition that does not give the shown name away."""
    barred = f" {normalised(shown)} "
    for definition in concept.definitions:
        if definition.language == "en" and barred not in f" {normalised(definition.text)} ":
            return Wording(definition.text, "en", (definition.source,), definition.restriction)
    return None


def native_query(concept: Concept, language: str, shown: str) -> Wording | None:
    """A name in another language; one that is also an English name only where no other is."""
    english = frozenset(normalised(name.text) for name in concept.names_in("en"))
    return _best(concept.names_in(language), language, shown, english)


def _best(
    names: Iterable[Name], language: str, shown: str, english: frozenset[str]
) -> Wording | None:
    names = tuple(names)
    usable = [name for name in names if _is_usable(name.text, language, shown)]
    if not usable:
        return None
    text = min(usable, key=lambda name: _demerits(name.text, shown, english)).text
    return _wording(text, language, names)


def _is_usable(text: str, language: str, shown: str) -> bool:
    shortest = SHORTEST_IDEOGRAPHIC if language in ("ja", "zh") else SHORTEST_NAME
    key = normalised(text)
    fits = shortest <= len(key) and len(text) <= LONGEST_QUERY and not CODE.fullmatch(text)
    return fits and key != normalised(shown)


def _demerits(text: str, shown: str, english: frozenset[str]) -> tuple[bool, ...]:
    """What speaks against a wording, the gravest first; `min` keeps the order among equals."""
    return (
        normalised(text) in english,
        is_acronym(text),
        wording_key(text) == wording_key(shown),
        bool(UNFIT.search(text)),
    )


def _wording(text: str, language: str, names: Iterable[Name]) -> Wording:
    """The text with those of its sources that restrict it least."""
    same = [name for name in names if name.text == text]
    level = min(name.restriction for name in same)
    sources = sorted({name.source for name in same if name.restriction == level})
    return Wording(text, language, tuple(sources), level)
