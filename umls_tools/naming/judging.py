"""Judges the names of a concept: as they stand, repaired, or not to be used, and why."""

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pipeline.records import Concept, Name
from pipeline.text import normalise
from umls_tools.naming.brackets import has_loose_bracket, without_tag
from umls_tools.naming.casing import in_usual_case
from umls_tools.naming.codes import is_code, is_residual
from umls_tools.naming.company import Company
from umls_tools.naming.inversion import upright
from umls_tools.naming.scripts import is_ascii_copy, is_in_own_script, is_reading

SHORTEST_NAME = 3
SHORTEST_IDEOGRAPHIC = 2  # a Chinese or Japanese name may have two characters

# From a text and the name that it comes from to the text that may be used, or "".
Rule = Callable[[str, Name, Company], str]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What became of one name.

    ``name`` is the atom with the text that may be used; ``reason`` says why none may, or is "".
    """

    name: Name
    reason: str
    is_repaired: bool


def _no_reading(text: str, name: Name, _: Company) -> str:
    return "" if is_reading(text, name.term_type) else text


def _no_ascii_copy(text: str, name: Name, company: Company) -> str:
    return "" if is_ascii_copy(name, company) else text


def _untagged(text: str, *_: object) -> str:
    return without_tag(text)


def _no_bracket(text: str, *_: object) -> str:
    return "" if has_loose_bracket(text) else text


def _no_code(text: str, name: Name, _: Company) -> str:
    return "" if is_code(text, name.source) else text


def _no_residual_class(text: str, name: Name, _: Company) -> str:
    return "" if is_residual(text, name.language) else text


def _own_script(text: str, name: Name, company: Company) -> str:
    return text if is_in_own_script(text, name.language, company) else ""


# In the order in which they are applied, each to the text that the one before has left; a name
# that one refuses is refused for the reason by which the rule is known.
RULES: dict[str, Rule] = {
    "reading": _no_reading,
    "ascii_copy": _no_ascii_copy,
    "tag_alone": _untagged,
    "bracket": _no_bracket,
    "code": _no_code,
    "residual_class": _no_residual_class,
    "other_script": _own_script,
    "inverted": upright,
    "capitals": in_usual_case,
}


def judge(name: Name, company: Company) -> Ruling:
    """Apply every rule to one name among the others of its concept."""
    text = name.text
    for reason, rule in RULES.items():
        text = rule(text, name, company)
        if not text:
            return Ruling(name, reason, is_repaired=False)
    if text == name.text:
        return Ruling(name, "", is_repaired=False)
    return Ruling(dataclasses.replace(name, text=text, preferred=False), "", is_repaired=True)


def usable_names(concept: Concept, language: str, longest: int) -> tuple[Ruling, ...]:
    """The names that may be used, of at most so many characters, in order of preference."""
    company = Company(concept.names, language)
    judged = (judge(name, company) for name in company.own)
    return tuple(one for one in judged if not one.reason and is_of_length(one.name, longest))


def is_of_length(name: Name, longest: int) -> bool:
    """Whether a name is neither a mere sign nor a whole sentence."""
    shortest = SHORTEST_IDEOGRAPHIC if name.language in ("ja", "zh") else SHORTEST_NAME
    return len(name.text) <= longest and len(normalise(name.text)) >= shortest


def with_repaired_names(concept: Concept) -> Concept:
    """The concept with its repaired names behind the others of their language.

    So whoever compares by a concept's names meets every text under which it may be shown.
    """
    repaired = tuple(_repaired(concept))
    if not repaired:
        return concept
    names = sorted((*concept.names, *repaired), key=lambda name: name.language)
    return dataclasses.replace(concept, names=tuple(names))


def _repaired(concept: Concept) -> Iterable[Name]:
    known = {(name.language, name.text) for name in concept.names}
    for language in sorted({name.language for name in concept.names}):
        company = Company(concept.names, language)
        for ruling in (judge(name, company) for name in company.own):
            if ruling.is_repaired and (language, ruling.name.text) not in known:
                yield ruling.name
