"""Atoms: which of a concept's names may be seen, and in what order they are preferred."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.records import LANGUAGES, Name
from umls_tools.licence import Gate
from umls_tools.masks import Sieve, is_current, is_one_of

CONSO_COLUMNS = (
    *("CUI", "LAT", "TS", "STT", "ISPREF", "AUI"),
    *("SAB", "TTY", "CODE", "STR", "SRL", "SUPPRESS"),
)
# Term types of readings in half-width katakana (JKN, PTJKN, …): a help for sorting, no name.
_READING = "JKN"
# Below every rank of MRRANK, which starts at 1.
_UNRANKED = 0


def filter_atoms(
    rows: pa.RecordBatch | pa.Table, languages: Iterable[str], gate: Gate
) -> tuple[pa.RecordBatch | pa.Table, Counter[str]]:
    """Return the rows of MRCONSO that give a name, columns unchanged, and why others do not.

    Reasons, each row by its first: ``other_language``, ``suppressed`` (a blank flag is none),
    ``restricted``, ``reading``, ``blank``.
    """
    lats = [LANGUAGES[language].umls_lat for language in languages]
    sieve = Sieve(rows)
    sieve.keep("other_language", lambda atoms: is_one_of(atoms.column("LAT"), lats))
    sieve.keep("suppressed", is_current)
    sieve.keep("restricted", lambda atoms: _of_source(atoms, "SRL", gate.allows, pa.bool_()))
    sieve.keep("reading", lambda atoms: pc.invert(pc.ends_with(atoms.column("TTY"), _READING)))
    sieve.keep("blank", _has_text)
    return sieve.rows, sieve.left_out


def names_by_concept(
    atoms: pa.Table, ranks: Mapping[tuple[str, str], int], gate: Gate
) -> Iterator[tuple[str, tuple[Name, ...]]]:
    """Yield each concept with its names in order of language, then preference.

    Preferred is the higher MRRANK, then TS=P, STT=PF, ISPREF=Y, then the smaller AUI. The atoms
    must have passed ``filter_atoms``; rows that are equal in everything count once.
    """
    levels = _of_source(atoms, "SRL", gate.level, pa.int64())
    if levels.null_count:
        raise ValueError("some atoms have no known level: they have not passed filter_atoms")
    ordered = _in_order_of_preference(atoms.append_column("level", levels), ranks)
    fields = ("CUI", "language", "STR", "SAB", "TTY", "AUI", "level", "CODE")
    rows = zip(*(ordered.column(field).to_pylist() for field in fields), strict=True)
    for cui, of_concept in groupby(rows, key=lambda row: row[0]):
        yield cui, tuple(_names(dict.fromkeys(of_concept)))


def _names(rows: Iterable[tuple[Any, ...]]) -> Iterator[Name]:
    seen = ""
    for _, language, text, source, term_type, atom_id, level, code in rows:
        yield Name(text, language, source, term_type, atom_id, level, language != seen, code)
        seen = language


def _in_order_of_preference(atoms: pa.Table, ranks: Mapping[tuple[str, str], int]) -> pa.Table:
    def rank_of(sab: str, tty: str) -> int:
        return ranks.get((sab, tty), _UNRANKED)

    keys = {
        "language": _languages(atoms.column("LAT")),
        "rank": _of_source(atoms, "TTY", rank_of, pa.int64()),
        "secondary": _differs(atoms.column("TS"), "P"),
        "variant": _differs(atoms.column("STT"), "PF"),
        "other_atom": _differs(atoms.column("ISPREF"), "Y"),
    }
    for name, values in keys.items():
        atoms = atoms.append_column(name, values)
    flags = [(name, "ascending") for name in ("secondary", "variant", "other_atom")]
    rest = [(name, "ascending") for name in ("AUI", "SAB", "TTY", "CODE", "STR", "SRL")]
    first = [("CUI", "ascending"), ("language", "ascending"), ("rank", "descending")]
    return atoms.sort_by([*first, *flags, *rest])


def _languages(lats: pa.ChunkedArray) -> pa.ChunkedArray:
    known = pa.array([language.umls_lat for language in LANGUAGES.values()])
    return pc.take(pa.array(list(LANGUAGES)), pc.index_in(lats, value_set=known))


def _differs(column: pa.ChunkedArray, value: str) -> pa.ChunkedArray:
    return pc.cast(pc.not_equal(column, value), pa.int8())


def _of_source(
    atoms: pa.RecordBatch | pa.Table,
    column: str,
    value: Callable[[str, str], int | None],
    kind: pa.DataType,
) -> pa.Array | pa.ChunkedArray:
    """Return what depends on a row's source and one more column, asked once per distinct pair."""
    pairs = pc.binary_join_element_wise(atoms.column("SAB"), atoms.column(column), "|")
    distinct = pc.unique(pairs)
    values = [value(*pair.split("|")) for pair in distinct.to_pylist()]
    return pc.take(pa.array(values, kind), pc.index_in(pairs, value_set=distinct))


def _has_text(atoms: pa.RecordBatch | pa.Table) -> pa.Array | pa.ChunkedArray:
    return pc.not_equal(pc.utf8_trim_whitespace(atoms.column("STR")), "")
