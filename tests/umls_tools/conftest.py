"""Rows of invented tables, and the open Metathesaurus where it is there."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest

from pipeline.records import LANGUAGES, Concept
from umls_tools.columns import COLUMNS
from umls_tools.concept_batches import concepts_of
from umls_tools.concepts import Assembly
from umls_tools.files import TableFile, locate
from umls_tools.reading import Metathesaurus, Watch, assembly_of, read_concepts
from umls_tools.rows import PADDING, Rows, split

Batches = Callable[..., pa.RecordBatch]
RowsOf = Callable[..., Rows]


def _fields(columns: tuple[str, ...], line: str) -> dict[str, str]:
    fields = ["" if field == "-" else field for field in line.split()]
    assert len(fields) == len(columns), f"{line!r} has not the fields {columns}"
    return dict(zip(columns, fields, strict=True))


def rrf_line(table: str, fields: dict[str, str]) -> str:
    """A row of a table as its file has it, empty where no field is given."""
    return "".join(f"{fields.get(column, '')}|" for column in COLUMNS[table]) + "\n"


@pytest.fixture
def rows() -> Batches:
    """Build a batch: rows(columns, "a b c", "d e f"), where "-" stands for an empty field."""

    def build(columns: tuple[str, ...], *lines: str) -> pa.RecordBatch:
        found = [_fields(columns, line) for line in lines]
        arrays = [pa.array([row[column] for row in found], pa.string()) for column in columns]
        return pa.RecordBatch.from_arrays(arrays, names=list(columns))

    return build


@pytest.fixture
def rows_of() -> RowsOf:
    """Build rows of a table from some of their fields, as `rows` does; the rest is empty."""

    def build(table: str, columns: tuple[str, ...], *lines: str) -> Rows:
        text = "".join(rrf_line(table, _fields(columns, line)) for line in lines)
        found = split(text.encode() + PADDING, COLUMNS[table])
        assert found is not None
        return found

    return build


class OpenMeta(NamedTuple):
    """The open Metathesaurus: its files, what may be seen of it, and its concepts."""

    tables: dict[str, TableFile]
    assembly: Assembly
    concepts: list[Concept]
    counts: Counter[str]


@pytest.fixture(scope="session")
def openmeta_paths(shared_data: Path) -> dict[str, TableFile]:
    return locate(str(path) for path in (shared_data / "openmeta" / "META").iterdir())


@pytest.fixture(scope="session")
def openmeta(openmeta_paths: dict[str, TableFile]) -> OpenMeta:
    assembly = assembly_of(openmeta_paths, tuple(LANGUAGES), 0)
    counts: Counter[str] = Counter()
    batches = read_concepts(Metathesaurus(openmeta_paths, assembly), Watch(counts.update))
    concepts = [concept for batch in batches for concept in concepts_of(batch)]
    return OpenMeta(openmeta_paths, assembly, concepts, counts)
