"""Atoms: which of a concept's names may be seen, and in what order they are preferred."""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.records import LANGUAGES
from umls_tools.licence import Gate
from umls_tools.rows import Mask, Places, Rows, codes, word_of, words_of
from umls_tools.selection import TEXTS, Selected, Sieve, has_text, is_current

# Term types of readings in half-width katakana (JKN, PTJKN, …): a help for sorting, no name.
_READING = "JKN"
# Below every rank of MRRANK, which starts at 1.
_UNRANKED = 0
_MOST_RANK = (1 << 24) - 1
NO_LEVEL = -1
_NO_LANGUAGE = -1
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
    ``restricted``, ``reading``, ``blank``.
    """
    spoken = _languages(rows, languages)
    sieve = Sieve(rows)
    sieve.keep("other_language", lambda _, places: spoken[places] != _NO_LANGUAGE)
    sieve.keep("suppressed", is_current)
    levels = np.full(len(rows), NO_LEVEL, np.int8)
    levels[sieve.places] = atom_levels(rows, sieve.places, gate)
    sieve.keep("restricted", lambda _, places: _is_allowed(levels[places], gate))
    sieve.keep("reading", _is_no_reading)
    sieve.keep("blank", has_text("STR"))
    places = sieve.places
    kept = {"language": pa.array(spoken[places]), "restriction": pa.array(levels[places])}
    return sieve.selected("CUI", {**kept, **_texts(rows, places, ranks)}), sieve.left_out


def atom_levels(rows: Rows, places: Places, gate: Gate) -> npt.NDArray[np.int8]:
    """The level of each atom by its source and itself; NO_LEVEL if either is unknown."""
    of_row, sources = codes(rows.encoded("SAB", places))
    stated, levels = codes(rows.encoded("SRL", places))
    pairs = of_row * len(levels) + stated
    known = np.full(len(sources) * len(levels), NO_LEVEL, np.int8)
    for pair in np.flatnonzero(np.bincount(pairs, minlength=len(known))).tolist():
        source, level = divmod(pair, len(levels))
        level_of_pair = gate.level(sources[source], levels[level])
        known[pair] = NO_LEVEL if level_of_pair is None else level_of_pair
    found: npt.NDArray[np.int8] = known[pairs]
    return found


def in_order_of_preference(ordinals: Places, atoms: pa.RecordBatch) -> Places:
    """The places of atoms by concept (its ordinal), language and preference, then the smaller AUI.

    Atoms that are equal in all of these stand in order of everything else, and those that are
    equal in everything are left out but for one.
    """
    language = _numbers(atoms, "language").astype(np.int64)
    keys = (ordinals << 36) | (language << 32) | _numbers(atoms, "preference").astype(np.int64)
    order: Places = np.argsort(keys, kind="stable")
    tied = _tied(keys[order])
    if not tied.any():
        return order
    places = np.flatnonzero(tied)
    rest = order[places]
    texts = atoms.column("atom_id").take(pa.array(rest))
    first, second = words_of(texts), words_of(texts, 8)
    inner = np.lexsort((second, first, keys[rest]))
    order[places] = rest[inner]
    return _settle(order, keys, atoms)


def _settle(order: Places, keys: Places, atoms: pa.RecordBatch) -> Places:
    """Order what even the AUIs leave equal: none is, in a release."""
    ids = atoms.column("atom_id").take(pa.array(order))
    same = np.append(keys[order][1:] == keys[order][:-1], False)
    same[:-1] &= pc.equal(ids[1:], ids[:-1]).to_numpy(zero_copy_only=False)
    tied = same | np.append(False, same[:-1])
    if not tied.any():
        return order
    places = np.flatnonzero(tied)
    part = atoms.take(pa.array(order[places]))
    names = ("source", "term_type", "code", "text")
    columns = {"key": pa.array(keys[order[places]]), "atom_id": part.column("atom_id")}
    columns |= {name: part.column(name).cast(pa.string()) for name in names}
    table = pa.table({**columns, "restriction": part.column("restriction")})
    inner = pc.sort_indices(table, [(name, "ascending") for name in table.column_names]).to_numpy()
    order[places] = order[places][inner.astype(np.int64)]
    return order[~_repeats(order, keys, atoms)]


def _repeats(order: Places, keys: Places, atoms: pa.RecordBatch) -> Mask:
    """Whether a row is equal to the one before it."""
    rows = atoms.take(pa.array(order))
    found = np.append(False, keys[order][1:] == keys[order][:-1])
    for column in rows.columns:
        found[1:] &= pc.equal(column[1:], column[:-1]).to_numpy(zero_copy_only=False)
    return found


def _tied(keys: Places) -> Mask:
    same = keys[1:] == keys[:-1]
    found: Mask = np.append(same, False) | np.append(False, same)
    return found


def _texts(rows: Rows, places: Places, ranks: Mapping[tuple[str, str], int]) -> dict[str, pa.Array]:
    source, term_type = (rows.encoded(column, places) for column in ("SAB", "TTY"))
    return {
        "preference": pa.array(_preferences(rows, places, _ranks(source, term_type, ranks))),
        "text": rows.strings("STR", places),
        "source": source,
        "term_type": term_type,
        "atom_id": rows.strings("AUI", places),
        "code": rows.strings("CODE", places),
    }


def _languages(rows: Rows, languages: Iterable[str]) -> npt.NDArray[np.int8]:
    """The place of each row's language in LANGUAGE_CODES, if it is one of those asked for."""
    lats = rows.words("LAT")
    found = np.full(len(rows), _NO_LANGUAGE, np.int8)
    for code in languages:
        found[lats == word_of(LANGUAGES[code].umls_lat)] = LANGUAGE_CODES.index(code)
    return found


def _ranks(
    sources: pa.DictionaryArray,
    term_types: pa.DictionaryArray,
    ranks: Mapping[tuple[str, str], int],
) -> npt.NDArray[np.int64]:
    of_source, names = codes(sources)
    of_type, kinds = codes(term_types)
    table = np.array(
        [[ranks.get((name, kind), _UNRANKED) for kind in kinds] for name in names], np.int64
    ).reshape(len(names), len(kinds))
    return np.minimum(table, _MOST_RANK)[of_source, of_type]


def _preferences(rows: Rows, places: Places, ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Less for the better name: the higher MRRANK, then TS=P, STT=PF, ISPREF=Y."""
    found = _MOST_RANK - ranks
    for column, value in (("TS", "P"), ("STT", "PF"), ("ISPREF", "Y")):
        found = found << 1 | ~rows.is_one_of(column, (value,), places)
    return found.astype(np.int32)


def _is_allowed(levels: npt.NDArray[np.int8], gate: Gate) -> Mask:
    found: Mask = (levels != NO_LEVEL) & (levels <= gate.max_srl)
    return found


def _is_no_reading(rows: Rows, places: Places) -> Mask:
    of_row, types = codes(rows.encoded("TTY", places))
    names = np.array([not kind.endswith(_READING) for kind in types], np.bool_)
    found: Mask = names[of_row]
    return found


def _numbers(atoms: pa.RecordBatch, column: str) -> npt.NDArray[np.generic]:
    found: npt.NDArray[np.generic] = atoms.column(column).to_numpy()
    return found
