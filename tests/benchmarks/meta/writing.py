"""Writes all tables of a synthetic Metathesaurus."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from tests.benchmarks.meta.atoms import conso_lines
from tests.benchmarks.meta.concepts import made_concepts
from tests.benchmarks.meta.describing import definition_lines, type_lines
from tests.benchmarks.meta.lines import write_table
from tests.benchmarks.meta.relations import relation_lines
from tests.benchmarks.meta.sources import file_lines, history_lines, rank_lines, source_lines


def write_meta(folder: Path, rows: int, relations: int = 0, seed: int = 1) -> None:
    """Write MRCONSO with that many rows, MRREL with that many if any, and what goes with them.

    A full release, 17 million rows and 60 million relations, takes minutes and half a gigabyte.
    """
    concepts = made_concepts(rows, seed)
    tables: dict[str, Iterable[pa.Array]] = {
        "MRCONSO": conso_lines(concepts),
        "MRSTY": type_lines(concepts),
        "MRDEF": definition_lines(concepts),
        "MRSAB": [source_lines()],
        "MRRANK": [rank_lines()],
        "MRCUI": [history_lines(concepts)],
    }
    if relations:
        tables["MRREL"] = relation_lines(concepts, relations)
    folder.mkdir(parents=True, exist_ok=True)
    written = {name: write_table(folder / f"{name}.RRF", rows) for name, rows in tables.items()}
    write_table(folder / "MRFILES.RRF", [file_lines(written)])
