"""The keys by which concepts and headings may be met."""

import re
from collections.abc import Container, Iterator

from pipeline.records import Concept, Name, record
from pipeline.text import normalise
from umls_tools.linking.words import acronym_key, singular
from umls_tools.semantic_types import group_of

_SHORTEST_NAME = 3  # characters
_MESH_SOURCE = "MSH"
# Only a main heading's code is the heading's own: entry terms of narrower concepts repeat it.
_MESH_HEADING = "MH"
_DESCRIPTOR = re.compile(r"D[0-9]+")


@record
class Sense:
    """One concept that a key may stand for, and what speaks for it.

    `sources` is how many sources give the concept that name, `preferred` whether it is the
    concept's first name.
    """

    cui: str
    group: str = ""
    sources: int = 0
    preferred: bool = False


def lexicon_entries(concept: Concept, wanted: Container[str]) -> Iterator[tuple[str, Sense]]:
    """Yield (key, sense) for everything wanted by which a concept may be met, each key once."""
    for key in dict.fromkeys((f"cui:{concept.cui}", *_heading_keys(concept))):
        if key in wanted:
            yield key, Sense(concept.cui)
    if names := _wanted_names(concept, wanted):
        group = group_of(concept.semantic_types)
        for key, named in names.items():
            sources = {name.source for name in named}
            preferred = any(name.preferred for name in named)
            yield key, Sense(concept.cui, group, len(sources), preferred)


def heading_key(heading: str) -> str:
    """Return the key of a MeSH heading given by its descriptor id or its name."""
    if _DESCRIPTOR.fullmatch(heading):
        return f"mesh:{heading}"
    return acronym_key(heading) or f"name:{normalise(heading)}"


def name_keys(text: str) -> list[str]:
    """Return the keys of an English name: itself, uninverted, and each in the singular."""
    name = normalise(text)
    if " " not in name and text.isupper() and (acronym := acronym_key(text)):
        return [acronym]
    forms = [name]
    if ", " in text:  # the digits of "1,2-diol" are no inversion
        forms.append(normalise(" ".join(reversed(text.split(", ")))))
    for form in forms[:]:
        if form.endswith("s") and (one := _in_singular(form)) != form:
            forms.append(one)
    return ["name:" + form for form in forms if _may_be_name(form)]


def _in_singular(name: str) -> str:
    leading, space, last = name.rpartition(" ")
    return leading + space + singular(last)


def _heading_keys(concept: Concept) -> Iterator[str]:
    for name in concept.names:
        is_heading = name.term_type == _MESH_HEADING and name.source == _MESH_SOURCE
        if is_heading and _DESCRIPTOR.fullmatch(name.code):
            yield f"mesh:{name.code}"


def _wanted_names(concept: Concept, wanted: Container[str]) -> dict[str, list[Name]]:
    """The English names that stand behind each wanted key."""
    keys = ((key, name) for name in concept.names_in("en") for key in name_keys(name.text))
    found: dict[str, list[Name]] = {}
    for key, name in keys:
        if key in wanted:
            found.setdefault(key, []).append(name)
    return found


def _may_be_name(name: str) -> bool:
    letters = name.replace(" ", "")
    return len(letters) >= _SHORTEST_NAME and not letters.isnumeric()
