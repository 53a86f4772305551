"""Reads what was written back, row by row, for tests of it."""

from pathlib import Path
from typing import TypeAlias

from umls_tools.files import TableFile
from umls_tools.rrf import read_batches

Rows: TypeAlias = list[tuple[str, ...]]


def rows_of(folder: Path, table: str, *columns: str) -> Rows:
    """Some columns of all rows of a table, in order."""
    batches = read_batches(TableFile(table, (str(folder / f"{table}.RRF"),)), columns)
    return [
        row
        for batch in batches
        for row in zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
    ]
