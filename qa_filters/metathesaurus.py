"""Reads pairs of terms from a Metathesaurus: what two languages call one concept.

Two names of a concept need not translate each other (heart attack, infarto de miocardio). Of a
language in Latin letters the two names that are most alike letter by letter are taken, and nothing
where they are less than half alike; of the others, where letters tell nothing, the preferred ones.
Chinese names in Traditional characters are set aside: no filter should accept them.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz

from pipeline.records import LANGUAGES
from qa_filters.base import TERM, ConceptNames, FilterError
from qa_filters.corruptions.base import Pair
from qa_filters.script import is_foreign
from qa_filters.words import folded

SOURCE = "en"
FIELDS = 18  # of a row of MRCONSO
FIRST = ("P", "PF", "Y")  # TS, STT, ISPREF of the atom that the Metathesaurus prefers
CURRENT = "N"  # SUPPRESS
LATIN = ("de", "es", "fr")
LIKE = 50.0  # of 100
# The kinds of pairs that are set aside.
UNLIKE = "names unlike"
TRADITIONAL = "Traditional characters"
CODES = {language.umls_lat: code for code, language in LANGUAGES.items()}


class Atom(NamedTuple):
    """A name of a concept; those that come first in order are preferred."""

    cui: str
    language: str
    is_other: bool  # not the preferred one
    text: str


def read_mrconso(path: str) -> Iterator[Pair]:
    """A pair for each concept and language, grounded in all names of both but the text itself.

    Suppressed names are left out. The file must be sorted by CUI, as a release is.
    """
    seen = ""
    for cui, group in groupby(_atoms(path), key=lambda atom: atom.cui):
        if cui < seen:
            raise FilterError(f"{path}: {cui} after {seen}; sort the file by its bytes")
        seen = cui
        yield from _pairs(cui, sorted(group))


def _pairs(cui: str, atoms: Iterable[Atom]) -> Iterator[Pair]:
    names: dict[str, list[str]] = {}
    for atom in atoms:
        names.setdefault(atom.language, []).append(atom.text)
    english = tuple(dict.fromkeys(names.pop(SOURCE, ())))
    for language in sorted(names) if english else ():
        there = tuple(dict.fromkeys(names[language]))
        source, text = _likest(english, there) if language in LATIN else (english[0], there[0])
        # The name itself is what a translation is yet to find.
        own = tuple(name for name in there if name != text)
        elsewhere = (name for other in sorted(names) if other != language for name in names[other])
        concept = ConceptNames(english, own, tuple(dict.fromkeys(elsewhere)))
        yield Pair(cui, source, text, language, _kind(source, text, language), (concept,))


def _kind(source: str, text: str, language: str) -> str:
    """A term, or why it is none to calibrate on."""
    if language in LATIN and _likeness(source, text) < LIKE:
        return UNLIKE
    if language == "zh" and any(is_foreign(character, language) for character in text):
        return TRADITIONAL
    return TERM


def _likest(english: Sequence[str], there: Sequence[str]) -> tuple[str, str]:
    """The two names with most letters in common; of equals the preferred ones."""
    return max(product(english, there), key=lambda names: _likeness(*names))


def _likeness(one: str, other: str) -> float:
    """From 0 to 100, in whatever order the words stand."""
    return fuzz.token_sort_ratio(folded(one), folded(other))


def _atoms(path: str) -> Iterator[Atom]:
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, start=1):
            fields = line.rstrip("\r\n").split("|")
            if len(fields) < FIELDS:
                raise FilterError(f"{path}:{number}: {len(fields)} fields, expected {FIELDS}")
            cui, lat, ts, _, stt, _, is_preferred, *_ = fields
            if lat in CODES and fields[16] == CURRENT:
                is_other = (ts, stt, is_preferred) != FIRST
                yield Atom(cui, CODES[lat], is_other, fields[14])
