"""Puts concepts together from the rows that several tables have on them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.records import LANGUAGES
from umls_tools.atoms import ATOM_SCHEMA, LANGUAGE_CODES, select_atoms
from umls_tools.concept_batches import CONCEPT_SCHEMA, lists
from umls_tools.definitions import DEF_SCHEMA, lats_of, plain_text, select_definitions
from umls_tools.errors import RrfError
from umls_tools.licence import Gate
from umls_tools.preference import in_order_of_preference
from umls_tools.relations import KINDS, REL_SCHEMA, select_relations
from umls_tools.rows import Mask, Places, Rows, Words, codes, texts_of, words_of
from umls_tools.selection import Selected, distinct, ordinals_of
from umls_tools.semantic_types import STY_SCHEMA, select_types

LANGUAGE_OF_LAT = {language.umls_lat: code for code, language in LANGUAGES.items()}
NAMELESS = "concept_without_name"
LEADING = "MRCONSO"
# The tables that tell of concepts, and what is kept of their rows.
SCHEMAS: dict[str, pa.Schema] = {
    "MRCONSO": ATOM_SCHEMA,
    "MRSTY": STY_SCHEMA,
    "MRDEF": DEF_SCHEMA,
    "MRREL": REL_SCHEMA,
}


@dataclass(frozen=True, slots=True)
class Assembly:
    """What a plan lets be seen, and which names come first."""

    languages: tuple[str, ...]
    ranks: dict[tuple[str, str], int]  # (SAB, TTY) to MRRANK
    gate: Gate
    lats: dict[str, str]  # SAB to MRSAB.LAT, of sources of one language

    def __post_init__(self) -> None:
        """Refuse a language that the project does not know."""
        if unknown := [code for code in self.languages if code not in LANGUAGES]:
            raise RrfError(f"no language {unknown[0]}; known are {', '.join(LANGUAGES)}")


def select(table: str, rows: Rows, assembly: Assembly) -> tuple[Selected, Counter[str]]:
    """What a plan lets be seen of some rows of a table, and how many it does not, by reason."""
    if table == "MRCONSO":
        return select_atoms(rows, assembly.languages, assembly.ranks, assembly.gate)
    if table == "MRSTY":
        return select_types(rows)
    if table == "MRDEF":
        return select_definitions(rows, assembly.gate)
    return select_relations(rows, assembly.gate)


def nothing(table: str) -> Selected:
    """No row of a table."""
    empty = np.empty(0, np.uint64)
    columns = [pa.array([], field.type) for field in SCHEMAS[table]]
    return Selected(empty, pa.RecordBatch.from_arrays(columns, schema=SCHEMAS[table]), empty)


def assemble(
    tables: Mapping[str, Selected], assembly: Assembly
) -> tuple[pa.RecordBatch, Counter[str]]:
    """Return concepts with CONCEPT_SCHEMA in order of CUI, and how much was left out and why.

    The tables hold what `select` keeps of the same concepts, in any order of rows. A concept of
    which they saw an atom or a type, but no name is left, is none: ``concept_without_name``.
    """
    atoms = tables["MRCONSO"]
    named = distinct(atoms.keys)
    typed_alone = np.count_nonzero(~_are_among(atoms.seen, tables["MRSTY"].seen))
    left_out = Counter({NAMELESS: len(atoms.seen) + int(typed_alone) - len(named)})
    definitions, untold = _definitions(tables["MRDEF"], atoms.kept, named, assembly)
    columns = [
        texts_of(named),
        _names(atoms, named),
        _types(tables["MRSTY"], named),
        definitions,
        _relations(tables["MRREL"], named),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=CONCEPT_SCHEMA), +left_out + untold


def _names(atoms: Selected, named: Words) -> pa.ListArray:
    if atoms.settled:
        ordinals, kept = ordinals_of(atoms.keys), atoms.kept
    else:
        ordinals = np.searchsorted(named, atoms.keys)
        order = in_order_of_preference(ordinals, atoms.kept)
        ordinals, kept = ordinals[order], atoms.kept.take(pa.array(order))
    languages = kept.column("language").to_numpy()
    slots = ordinals * len(LANGUAGE_CODES) + languages
    fields = (
        kept.column("text"),
        _coded(languages, LANGUAGE_CODES),
        *(kept.column(name) for name in ("source", "term_type", "atom_id", "restriction")),
        pa.array(_is_first(slots)),
        kept.column("code"),
    )
    return _column("names", _lengths(ordinals, named), *fields)


def _types(types: Selected, named: Words) -> pa.ListArray:
    if not len(types.keys):
        return _empty("semantic_types", named)
    ordinals, kept = _of_named(types, named)
    words = words_of(kept.column("tui"))
    order = np.lexsort((words, ordinals))
    ordinals, words = ordinals[order], words[order]
    new = _is_first(ordinals) | _is_first(words)
    return _column("semantic_types", _lengths(ordinals[new], named), texts_of(words[new]))


def _definitions(
    definitions: Selected, atoms: pa.RecordBatch, named: Words, assembly: Assembly
) -> tuple[pa.ListArray, Counter[str]]:
    if not len(definitions.keys):
        return _empty("definitions", named), Counter()
    ordinals, kept = _of_named(definitions, named)
    left_out: Counter[str] = Counter()
    found: set[tuple[int, str, str, int, str]] = set()
    told = (column.to_pylist() for column in (kept.column("source"), kept.column("text")))
    lats = lats_of(kept, atoms, assembly.lats) if len(kept) else []
    for ordinal, source, raw, lat in zip(ordinals.tolist(), *told, lats, strict=True):
        language = LANGUAGE_OF_LAT.get(lat, "")
        if language not in assembly.languages:
            known = "other_language" if lat else "of_unknown_language"
            left_out[f"definition_{known}"] += 1
        elif text := plain_text(raw):
            found.add((ordinal, source, text, assembly.gate.levels[source], language))
    rows = sorted(found)
    columns = list(zip(*rows, strict=True)) or [()] * 5
    lengths = _lengths(np.array(columns[0], np.int64), named)
    _, sources, texts, levels, languages = (pa.array(column) for column in columns)
    return _column("definitions", lengths, texts, sources, levels, languages), left_out


def _relations(relations: Selected, named: Words) -> pa.ListArray:
    if not len(relations.keys):
        return _empty("relations", named)
    ordinals, kept = _of_named(relations, named)
    kinds, others = (kept.column(name).to_numpy() for name in ("kind", "other"))
    of_row, sources = codes(kept.column("source"))
    ranks = np.argsort(np.argsort(np.array(sources, object)))
    keys = (ordinals * len(KINDS) + kinds, others, ranks[of_row])
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order), np.bool_)
    for key in keys:
        new |= _is_first(key[order])
    places = order[new]
    fields = (
        _coded(kinds[places], KINDS),
        texts_of(others[places]),
        kept.column("source").take(pa.array(places)),
    )
    return _column("relations", _lengths(ordinals[places], named), *fields)


def _of_named(rows: Selected, named: Words) -> tuple[Places, pa.RecordBatch]:
    """The rows of concepts with a name, and the place of each concept among these."""
    places = np.searchsorted(named, rows.keys)
    inside = _are_among(named, rows.keys)
    return places[inside], rows.kept.filter(pa.array(inside))


def _are_among(keys: Words, asked: Words) -> Mask:
    """Which of the asked keys are among some that are distinct and sorted."""
    places = np.searchsorted(keys, asked)
    found: Mask = places < len(keys)
    found[found] = keys[places[found]] == asked[found]
    return found


def _lengths(ordinals: Places, named: Words) -> npt.NDArray[np.int64]:
    return np.bincount(ordinals, minlength=len(named)).astype(np.int64)


def _is_first(sorted_values: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    """Whether a value differs from the one before it."""
    return np.append(
        np.ones(min(len(sorted_values), 1), np.bool_), sorted_values[1:] != sorted_values[:-1]
    )


def _coded(places: npt.NDArray[np.int8], texts: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), pa.array(texts))


def _column(name: str, lengths: npt.NDArray[np.int64], *values: pa.Array) -> pa.ListArray:
    return lists(lengths, CONCEPT_SCHEMA.field(name).type.value_type, *values)


def _empty(name: str, named: Words) -> pa.ListArray:
    """A column without an entry, as tables leave it that have no row or are not there."""
    offsets = pa.array(np.zeros(len(named) + 1, np.int32))
    return pa.ListArray.from_arrays(
        offsets, pa.array([], CONCEPT_SCHEMA.field(name).type.value_type)
    )
