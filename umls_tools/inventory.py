"""What MRFILES states of the other files, and whether it is so."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from umls_tools.columns import COLUMNS
from umls_tools.errors import RrfError

FILE_COLUMNS = ("FIL", "FMT", "RWS", "BTS")


@dataclass(frozen=True, slots=True)
class Stated:
    """What a file should have."""

    columns: tuple[str, ...]
    rows: int
    bytes: int


def stated_files(batches: Iterable[pa.RecordBatch]) -> dict[str, Stated]:
    """What MRFILES says of each table that the project reads."""
    found = {}
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in FILE_COLUMNS)
        for file, layout, rows, size in zip(*columns, strict=True):
            table = file.removesuffix(".RRF")
            if table in COLUMNS:
                found[table] = Stated(tuple(layout.split(",")), _number(rows), _number(size))
    return found


def check_columns(stated: Mapping[str, Stated]) -> None:
    """Raise RrfError if a table has other columns than those that the project reads by."""
    for table, file in sorted(stated.items()):
        if file.columns != COLUMNS[table]:
            raise RrfError(
                f"MRFILES.RRF: {table} has the columns {','.join(file.columns)}, expected "
                f"{','.join(COLUMNS[table])}; make the subset with MetamorphoSys's default columns"
            )


def miscounts(
    stated: Mapping[str, Stated], rows: Mapping[str, int], size: Mapping[str, int]
) -> dict[str, str]:
    """What is wrong with each table that has fewer or more rows or bytes than MRFILES says.

    A file whose line ends were made CRLF has a byte more for each row.
    """
    return {
        table: f"{table}.RRF: {rows[table]:,} rows in {size[table]:,} bytes, but MRFILES.RRF says "
        f"{file.rows:,} in {file.bytes:,}; copy or download it again, or, if you cut it "
        "yourself, take MRFILES.RRF out of the folder"
        for table, file in sorted(stated.items())
        if table in rows
        and (rows[table] != file.rows or size[table] not in (file.bytes, file.bytes + file.rows))
    }


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise RrfError(f"MRFILES.RRF: {text!r} is no number of rows or bytes; download it again")
    return int(text)
