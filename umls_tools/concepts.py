"""Puts concepts together from the rows that several tables have on them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.records import LANGUAGES, Concept, Definition, Name, Relation
from umls_tools.atoms import filter_atoms, names_by_concept
from umls_tools.definitions import filter_definitions, in_languages, plain_text
from umls_tools.errors import RrfError
from umls_tools.licence import Gate
from umls_tools.masks import Sieve, is_from_allowed_source, is_one_of
from umls_tools.relations import EDGE_COLUMNS

STY_COLUMNS = ("CUI", "TUI")
LANGUAGE_OF_LAT = {language.umls_lat: code for code, language in LANGUAGES.items()}

Names = dict[str, tuple[Name, ...]]


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


def assemble(
    conso: pa.Table,
    sty: pa.Table,
    definitions: pa.Table,
    relations: pa.Table,
    assembly: Assembly,
) -> tuple[list[Concept], Counter[str]]:
    """Return concepts in order of CUI and how much was left out for which reason.

    The tables hold CONSO_COLUMNS, STY_COLUMNS, DEF_COLUMNS and EDGE_COLUMNS of the same concepts,
    in any order of rows, whether or not they were filtered before. A concept without a name left
    is none: ``concept_without_name``.
    """
    atoms, left_out = filter_atoms(conso, assembly.languages, assembly.gate)
    names = dict(names_by_concept(atoms, assembly.ranks, assembly.gate))
    nameless = set(pc.unique(conso.column("CUI")).to_pylist())
    nameless.update(pc.unique(sty.column("CUI")).to_pylist())
    left_out += Counter({"concept_without_name": len(nameless - names.keys())})
    types = _types(sty, names)
    usable, lost_texts = filter_definitions(definitions, assembly.gate)
    told, untold = in_languages(usable, atoms, assembly.lats, assembly.languages)
    texts = _definitions(told, names, assembly.gate)
    edges, lost_edges = _relations(relations, names, assembly.gate)
    concepts = [
        Concept(cui, names[cui], types.get(cui, ()), texts.get(cui, ()), edges.get(cui, ()))
        for cui in sorted(names)
    ]
    return concepts, left_out + lost_texts + untold + lost_edges


def _types(sty: pa.Table, names: Names) -> dict[str, tuple[str, ...]]:
    rows = sty.filter(is_one_of(sty.column("CUI"), names))
    return {
        cui: tuple(sorted({tui for _, tui in of_concept}))
        for cui, of_concept in _by_first_column(rows, STY_COLUMNS)
    }


def _definitions(
    definitions: pa.Table, names: Names, gate: Gate
) -> dict[str, tuple[Definition, ...]]:
    rows = definitions.filter(is_one_of(definitions.column("CUI"), names))
    found: dict[str, tuple[Definition, ...]] = {}
    for cui, of_concept in _by_first_column(rows, ("CUI", "SAB", "DEF", "LAT")):
        texts = {
            (source, text, LANGUAGE_OF_LAT[lat])
            for _, source, raw, lat in of_concept
            if (text := plain_text(raw))
        }
        found[cui] = tuple(
            Definition(text, source, gate.levels[source], language)
            for source, text, language in sorted(texts)
        )
    return found


def _relations(
    relations: pa.Table, names: Names, gate: Gate
) -> tuple[dict[str, tuple[Relation, ...]], Counter[str]]:
    sieve = Sieve(relations)
    sieve.keep("relation_restricted", lambda rows: is_from_allowed_source(rows, gate, "source"))
    rows = sieve.rows.filter(is_one_of(sieve.rows.column("cui"), names))
    edges = {
        cui: tuple(Relation(kind, other, source) for _, kind, other, source in of_concept)
        for cui, of_concept in _by_first_column(rows, EDGE_COLUMNS)
    }
    return edges, sieve.left_out


def _by_first_column(
    rows: pa.Table, columns: tuple[str, ...]
) -> Iterator[tuple[str, Iterator[tuple[str, ...]]]]:
    """Group distinct rows by their first column; groups and rows are sorted."""
    ordered = rows.select(columns).sort_by([(column, "ascending") for column in columns])
    values = zip(*(ordered.column(column).to_pylist() for column in columns), strict=True)
    distinct = (row for row, _ in groupby(values))
    return ((key, of_key) for key, of_key in groupby(distinct, key=lambda row: row[0]))
