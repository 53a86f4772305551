"""Tables of invented rows, and the open Metathesaurus where it is there."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest

from pipeline.records import LANGUAGES
from umls_tools.atoms import CONSO_COLUMNS
from umls_tools.concepts import STY_COLUMNS, Assembly
from umls_tools.definitions import DEF_COLUMNS
from umls_tools.files import locate
from umls_tools.licence import SOURCE_COLUMNS, Gate, source_levels
from umls_tools.ranks import RANK_COLUMNS, term_ranks
from umls_tools.relations import REL_COLUMNS, normalise_relations
from umls_tools.rrf import read_batches
from umls_tools.sources import LANGUAGE_COLUMNS, source_lats

Rows = Callable[..., pa.RecordBatch]


@pytest.fixture
def rows() -> Rows:
    """Build a batch: rows(columns, "a b c", "d e f"), where "-" stands for an empty field."""

    def build(columns: tuple[str, ...], *lines: str) -> pa.RecordBatch:
        split = [["" if field == "-" else field for field in line.split()] for line in lines]
        assert all(len(fields) == len(columns) for fields in split), "a line misses a field"
        values = zip(*split, strict=True) if split else [[] for _ in columns]
        return pa.RecordBatch.from_arrays(
            [pa.array(column, pa.string()) for column in values], names=list(columns)
        )

    return build


class OpenMeta(NamedTuple):
    """What `assemble` takes, read from the open Metathesaurus."""

    conso: pa.Table
    sty: pa.Table
    definitions: pa.Table
    relations: pa.Table
    assembly: Assembly


@pytest.fixture(scope="session")
def openmeta_paths(shared_data: Path) -> dict[str, str]:
    return locate(str(path) for path in (shared_data / "openmeta" / "META").iterdir())


@pytest.fixture(scope="session")
def openmeta(openmeta_paths: dict[str, str]) -> OpenMeta:
    def read(table: str, columns: tuple[str, ...]) -> list[pa.RecordBatch]:
        return list(read_batches(openmeta_paths[table], table, columns))

    gate = Gate(source_levels(read("MRSAB", SOURCE_COLUMNS)), max_srl=0)
    ranks = term_ranks(read("MRRANK", RANK_COLUMNS))
    edges = [normalise_relations(batch, gate)[0] for batch in read("MRREL", REL_COLUMNS)]
    return OpenMeta(
        pa.Table.from_batches(read("MRCONSO", CONSO_COLUMNS)),
        pa.Table.from_batches(read("MRSTY", STY_COLUMNS)),
        pa.Table.from_batches(read("MRDEF", DEF_COLUMNS)),
        pa.Table.from_batches(edges),
        Assembly(tuple(LANGUAGES), ranks, gate, source_lats(read("MRSAB", LANGUAGE_COLUMNS))),
    )
