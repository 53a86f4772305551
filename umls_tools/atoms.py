"""Atoms: which of a concept's names may be seen, and in what order they are preferred."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.records import LANGUAGES
from umls_tools.licence import KNOWN_LEVELS, Gate, read_level
from umls_tools.preference import order_of_rows
from umls_tools.rows import NONE_OF_THEM, Mask, Places, Rows
from umls_tools.selection import TEXTS, Selected, Sieve, has_text, is_current

# Term types of readings in half-width katakana (JKN, PTJKN, …): a help for sorting, no name.
_READING = "JKN"
# Below every rank of MRRANK, which starts at 1.
_UNRANKED = 0
_MOST_RANK = (1 << 24) - 1
NO_LEVEL = -1
# In order of code, as a concept's names stand.
LANGUAGE_CODES = tuple(sorted(LANGUAGES))

# What is kept of an atom; "preference" is less for the better name (`_preferences`).
ATOM_SCHEMA = pa.schema(
    {
        "language": pa.int8(),  # place in LANGUAGE_CODES
        "restriction": pa.int8(),
        "preference": pa.int32(),
        "text": pa.string(),
        "source": TEXTS,
        "term_type": TEXTS,
        "atom_id": pa.string(),
        "code": pa.string(),
    }
)


def select_atoms(
    rows: Rows, languages: Iterable[str], ranks: Mapping[tuple[str, str], int], gate: Gate
) -> tuple[Selected, Counter[str]]:
    """Return the rows of MRCONSO that give a name, with ATOM_SCHEMA, and why others do not.

    Reasons, each row by its first: ``other_language``, ``suppressed`` (a blank flag is none),
    ``restricted``, ``reading``, ``blank``. The atoms of a concept stand in order of preference.
    """
    spoken = _languages(rows, languages)
    sieve = Sieve(rows)
    sieve.keep("other_language", lambda _, places: spoken[places] != NONE_OF_THEM)
    sieve.keep("suppressed", is_current)
    origins = origins_of(rows, sieve.places)
    levels = np.full(len(rows), NO_LEVEL, np.int8)
    levels[sieve.places] = atom_levels(rows, sieve.places, origins, gate)
    kinds = np.zeros(len(rows), np.int32)
    kinds[sieve.places] = origins.of_row
    is_name = np.array([not kind.endswith(_READING) for kind in origins.term_types], np.bool_)
    sieve.keep("restricted", lambda _, places: _is_allowed(levels[places], gate))
    sieve.keep("reading", lambda _, places: is_name[kinds[places]])
    sieve.keep("blank", has_text("STR"))
    preferences = _preferences(rows, sieve.places, _ranks(origins, ranks)[kinds[sieve.places]])
    order, settled = order_of_rows(rows, sieve.places, spoken, preferences)
    sieve.places = places = sieve.places[order]
    kept = {
        "language": pa.array(spoken[places]),
        "restriction": pa.array(levels[places]),
        "preference": pa.array(preferences[order]),
        "text": rows.strings("STR", places),
        "source": _encoded(origins.sources, kinds[places]),
        "term_type": _encoded(origins.term_types, kinds[places]),
        "atom_id": rows.strings("AUI", places),
        "code": rows.strings("CODE", places),
    }
    return replace(sieve.selected("CUI", kept), settled=settled), sieve.left_out


@dataclass(frozen=True, slots=True)
class Origins:
    """The distinct pairs of source and term type that some atoms have, and which each has."""

    of_row: npt.NDArray[np.int32]
    sources: list[str]
    term_types: list[str]


def origins_of(rows: Rows, places: Places) -> Origins:
    """The pairs of some rows of MRCONSO, where SAB and TTY stand beside each other."""
    encoded = rows.strings("SAB", places, last="TTY").dictionary_encode()
    pairs = [pair.split("|") for pair in encoded.dictionary.to_pylist()]
    return Origins(encoded.indices.to_numpy(), [sab for sab, _ in pairs], [tty for _, tty in pairs])


def atom_levels(rows: Rows, places: Places, origins: Origins, gate: Gate) -> npt.NDArray[np.int8]:
    """The level of each atom by its source and itself; NO_LEVEL if either is unknown."""
    of_source = np.array([gate.levels.get(name, NO_LEVEL) for name in origins.sources], np.int8)
    source, own = of_source[origins.of_row], _own_levels(rows, places)
    known = (source != NO_LEVEL) & (own != NO_LEVEL)
    return np.where(known, np.maximum(source, own), np.int8(NO_LEVEL))


def _encoded(texts: list[str], of_row: npt.NDArray[np.int32]) -> pa.DictionaryArray:
    """Texts by their place in a list, in which there are equal ones."""
    different = list(dict.fromkeys(texts))
    place_of = {text: place for place, text in enumerate(different)}
    places = np.array([place_of[text] for text in texts], np.int32)
    return pa.DictionaryArray.from_arrays(
        pa.array(places[of_row]), pa.array(different, pa.string())
    )


def _languages(rows: Rows, languages: Iterable[str]) -> npt.NDArray[np.int8]:
    """The place of each row's language in LANGUAGE_CODES, if it is one of those asked for."""
    asked = sorted(set(languages))
    lats = [LANGUAGES[code].umls_lat for code in asked]
    places = [*(LANGUAGE_CODES.index(code) for code in asked), NONE_OF_THEM]  # the last is of -1
    return np.array(places, np.int8)[rows.place_among("LAT", lats)]


def _own_levels(rows: Rows, places: Places) -> npt.NDArray[np.int8]:
    """The levels that atoms state themselves."""
    levels = sorted(KNOWN_LEVELS)
    found = np.array([*levels, NO_LEVEL], np.int8)[
        rows.place_among("SRL", [str(level) for level in levels], places)
    ]
    odd = np.flatnonzero(found == NO_LEVEL)
    if not len(odd):
        return found
    stated = (read_level(text) for text in rows.strings("SRL", places[odd]).to_pylist())
    found[odd] = [NO_LEVEL if level is None else level for level in stated]
    return found


def _ranks(origins: Origins, ranks: Mapping[tuple[str, str], int]) -> npt.NDArray[np.int64]:
    pairs = zip(origins.sources, origins.term_types, strict=True)
    found = np.array([ranks.get(pair, _UNRANKED) for pair in pairs], np.int64)
    return np.minimum(found, _MOST_RANK)


def _preferences(rows: Rows, places: Places, ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Less for the better name: the higher MRRANK, then TS=P, STT=PF, ISPREF=Y."""
    found = _MOST_RANK - ranks
    for column, value in (("TS", "P"), ("STT", "PF"), ("ISPREF", "Y")):
        found = found << 1 | ~rows.is_one_of(column, (value,), places)
    return found.astype(np.int32)


def _is_allowed(levels: npt.NDArray[np.int8], gate: Gate) -> Mask:
    found: Mask = (levels != NO_LEVEL) & (levels <= gate.max_srl)
    return found
