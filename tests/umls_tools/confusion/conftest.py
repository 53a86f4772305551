"""The open Metathesaurus as concepts, read once for all tests here."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.records import LANGUAGES, Concept
from umls_tools.atoms import CONSO_COLUMNS
from umls_tools.concepts import STY_COLUMNS, Assembly, assemble
from umls_tools.definitions import DEF_COLUMNS
from umls_tools.licence import SOURCE_COLUMNS, Gate, source_levels
from umls_tools.ranks import RANK_COLUMNS, term_ranks
from umls_tools.relations import REL_COLUMNS, normalise_relations
from umls_tools.rrf import read_batches
from umls_tools.sources import LANGUAGE_COLUMNS, source_lats

OPEN_MAX_SRL = 0


def read_concepts(meta: Path) -> list[Concept]:
    """Every concept of a folder of RRF files, as the pipeline would see it."""

    def rows(table: str, columns: Iterable[str]) -> Iterable[pa.RecordBatch]:
        return read_batches(str(meta / f"{table}.RRF"), table, tuple(columns))

    def whole(table: str, columns: Iterable[str]) -> pa.Table:
        return pa.Table.from_batches(rows(table, columns))

    gate = Gate(source_levels(rows("MRSAB", SOURCE_COLUMNS)), OPEN_MAX_SRL)
    edges = pa.Table.from_batches(
        normalise_relations(batch, gate)[0] for batch in rows("MRREL", REL_COLUMNS)
    )
    ranks = term_ranks(rows("MRRANK", RANK_COLUMNS))
    concepts, _ = assemble(
        whole("MRCONSO", CONSO_COLUMNS),
        whole("MRSTY", STY_COLUMNS),
        whole("MRDEF", DEF_COLUMNS),
        edges,
        Assembly(tuple(LANGUAGES), ranks, gate, source_lats(rows("MRSAB", LANGUAGE_COLUMNS))),
    )
    return concepts


@pytest.fixture(scope="session")
def open_concepts(shared_data: Path) -> list[Concept]:
    return read_concepts(shared_data / "openmeta" / "META")
