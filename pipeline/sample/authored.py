"""The sample's hand-written tables: read, checked and merged into concepts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from pipeline.records import LANGUAGES
from pipeline.text import normalise

CONCEPT_COLUMNS = ("cui", "tuis", "parents", *LANGUAGES, "definition")
_CUI_SHAPE = re.compile(r"C\d{7}")


class AuthoringError(ValueError):
    """A hand-written table of the sample cannot be used as it stands."""


@dataclass(frozen=True, slots=True)
class AuthoredConcept:
    """One row of a concepts table; ``names`` holds (language, names), the preferred one first."""

    cui: str
    tuis: tuple[str, ...]
    parents: tuple[str, ...]
    names: tuple[tuple[str, tuple[str, ...]], ...]
    definition: str
    where: str


@dataclass(frozen=True, slots=True)
class Authored:
    """All that is written by hand, merged and checked, in order of CUI."""

    concepts: tuple[AuthoredConcept, ...]
    semantic_types: dict[str, tuple[str, str]]  # TUI: (tree number, name)
    relations: tuple[tuple[str, ...], ...]  # cui1, rel, rela, cui2
    retired: tuple[tuple[str, ...], ...]  # cui1, rel, cui2
    suppressed: tuple[tuple[str, ...], ...]  # cui, language, name
    restricted: tuple[tuple[str, ...], ...]  # cui, language, name


def read_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """Rows of a tab-separated table without quoting, each with its place (``file:line``)."""
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if tuple(lines[0].split("\t")) != columns:
        raise AuthoringError(f"{path.name}:1: the header must be {' '.join(columns)}")
    for number, line in enumerate(lines[1:], start=2):
        where = f"{path.name}:{number}"
        fields = line.split("\t")
        if len(fields) != len(columns):
            raise AuthoringError(f"{where}: {len(fields)} fields, expected {len(columns)}")
        yield where, dict(zip(columns, fields, strict=True))


def read_concepts(path: Path) -> Iterator[AuthoredConcept]:
    """The concepts of one table; several values of a field stand between ``|``."""
    for where, row in read_rows(path, CONCEPT_COLUMNS):
        yield AuthoredConcept(
            cui=row["cui"],
            tuis=tuple(sorted(_values(row["tuis"]))),
            parents=tuple(sorted(_values(row["parents"]))),
            names=tuple((code, _values(row[code])) for code in LANGUAGES),
            definition=row["definition"].strip(),
            where=where,
        )


def _values(field: str) -> tuple[str, ...]:
    return tuple(field.split("|")) if field else ()


def read_authored(folder: Path) -> Authored:
    """Every table of the authoring folder, merged; the first fault found stops it."""
    tables = sorted(folder.glob("concepts_*.tsv"))
    concepts = sorted((c for table in tables for c in read_concepts(table)), key=lambda c: c.cui)
    names = ("cui", "language", "name")
    authored = Authored(
        concepts=tuple(concepts),
        semantic_types={
            row["tui"]: (row["stn"], row["sty"])
            for _, row in read_rows(folder / "semantic_types.tsv", ("tui", "stn", "sty"))
        },
        relations=_tuples(folder / "relations.tsv", ("cui1", "rel", "rela", "cui2")),
        retired=_tuples(folder / "retired.tsv", ("cui1", "rel", "cui2")),
        suppressed=_tuples(folder / "suppressed.tsv", names),
        restricted=_tuples(folder / "restricted.tsv", names),
    )
    check(authored)
    return authored


def _tuples(path: Path, columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(tuple(row.values()) for _, row in read_rows(path, columns)))


def check(authored: Authored) -> None:
    """Raise at the first concept, name or reference that cannot stand in a Metathesaurus."""
    known: dict[str, str] = {}
    for concept in authored.concepts:
        _check_fields(concept, authored.semantic_types)
        if concept.cui in known:
            raise AuthoringError(
                f"{concept.where}: {concept.cui} stands in {known[concept.cui]} too; keep one row"
            )
        known[concept.cui] = concept.where
    _check_names(authored)
    _check_parents(authored.concepts, known)
    _check_references(authored, known)


def _check_fields(concept: AuthoredConcept, semantic_types: dict[str, tuple[str, str]]) -> None:
    if not _CUI_SHAPE.fullmatch(concept.cui):
        raise AuthoringError(f"{concept.where}: {concept.cui!r} is no CUI (C and seven digits)")
    if not concept.tuis or not concept.definition:
        raise AuthoringError(f"{concept.where}: {concept.cui} needs a semantic type and definition")
    for tui in concept.tuis:
        if tui not in semantic_types:
            raise AuthoringError(f"{concept.where}: {tui} is not in semantic_types.tsv; add it")
    for language, names in concept.names:
        if not names or any(not normalise(name) or name != name.strip() for name in names):
            raise AuthoringError(f"{concept.where}: {concept.cui} has a blank {language} name")
        if len({normalise(name) for name in names}) < len(names):
            raise AuthoringError(f"{concept.where}: {concept.cui} has a {language} name twice")


def _check_names(authored: Authored) -> None:
    """One normalised name, in whatever language or standing, names one concept only."""
    owner: dict[str, str] = {}
    for cui, name, where in _all_names(authored):
        other = owner.setdefault(normalise(name), cui)
        if other != cui:
            raise AuthoringError(f"{where}: {name!r} names {other} and {cui}; drop it from one")


def _all_names(authored: Authored) -> Iterator[tuple[str, str, str]]:
    for concept in authored.concepts:
        for _, names in concept.names:
            yield from ((concept.cui, name, concept.where) for name in names)
    for file, rows in (("suppressed", authored.suppressed), ("restricted", authored.restricted)):
        yield from ((cui, name, f"{file}.tsv") for cui, _, name in rows)


def _check_parents(concepts: Iterable[AuthoredConcept], known: dict[str, str]) -> None:
    graph = TopologicalSorter[str]()
    for concept in concepts:
        for parent in concept.parents:
            if parent not in known:
                raise AuthoringError(
                    f"{concept.where}: parent {parent} of {concept.cui} is in no concepts table"
                )
        graph.add(concept.cui, *concept.parents)
    try:
        graph.prepare()
    except CycleError as error:
        raise AuthoringError(f"parents run in a circle: {' > '.join(error.args[1])}") from error


def _check_references(authored: Authored, known: dict[str, str]) -> None:
    """Other tables speak of concepts that are there, and retire only those that are not."""
    targets = [
        *((cui, "relations.tsv") for row in authored.relations for cui in (row[0], row[3])),
        *((row[2], "retired.tsv") for row in authored.retired if row[2]),
        *((row[0], "suppressed.tsv") for row in authored.suppressed),
        *((row[0], "restricted.tsv") for row in authored.restricted),
    ]
    for cui, file in targets:
        if cui not in known:
            raise AuthoringError(f"{file}: {cui} is in no concepts table")
    for cui, *_ in authored.retired:
        if cui in known or not _CUI_SHAPE.fullmatch(cui):
            raise AuthoringError(f"retired.tsv: {cui} must be a CUI of no concepts table")
