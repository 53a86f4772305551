"""Reads Metathesaurus files in Rich Release Format as Arrow record batches.

The format has one row a line, fields ended by ``|``, and neither quotes nor escapes. Blocks of
whole lines go through Arrow's parser; a block on which that parser fails, or finds another number
of rows than there are lines, is split again byte by byte, which alone decides.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, cast

import pyarrow as pa
from pyarrow import csv

from umls_tools.columns import COLUMNS
from umls_tools.errors import RrfError
from umls_tools.files import OpenFile, open_local

__all__ = ["BLOCK_SIZE", "RrfError", "read_batches"]

BLOCK_SIZE = 4 << 20  # bytes
# The longest value of any table in a full release has about 62,000 characters.
LONGEST_ROW = 16 << 20  # bytes
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_batches(
    path: str,
    table: str,
    columns: tuple[str, ...],
    open_file: OpenFile = open_local,
    block_size: int = BLOCK_SIZE,
) -> Iterator[pa.RecordBatch]:
    """Yield the asked columns of a plain or gzipped file, in order, as strings without nulls.

    Memory is bounded by ``block_size``. ``open_file`` must return the bytes as they are stored:
    the file is recognised as gzip by its first bytes, and only this reader notices when one is
    cut off. Lines end in LF or CRLF; the last pipe may be missing if it is so in the whole file.
    A row with another number of fields, a broken end or bytes that are not UTF-8 in an asked
    column raise RrfError with the line.
    """
    layout = _layout(table, columns)
    with _open(path, open_file) as stream:
        last_pipe: bool | None = None
        for block in _blocks(_chunks(stream, path, block_size), path):
            if last_pipe is None:
                last_pipe = _has_last_pipe(block, layout)
            batch = _parse(block, _RowFormat(path, layout, columns, last_pipe))
            if batch.num_rows:
                yield batch


@dataclass(frozen=True, slots=True)
class _Block:
    data: bytes
    first_line: int


@dataclass(frozen=True, slots=True)
class _RowFormat:
    """How a row of this file looks and which of its fields are wanted."""

    path: str
    layout: tuple[str, ...]
    wanted: tuple[str, ...]
    last_pipe: bool

    @property
    def pipes(self) -> int:
        return len(self.layout) - 1 + self.last_pipe


def _layout(table: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    layout = COLUMNS.get(table)
    if layout is None:
        raise RrfError(f"no table {table}; known are {', '.join(COLUMNS)}")
    if unknown := [column for column in columns if column not in layout]:
        raise RrfError(f"{table} has no column {unknown[0]}; it has {', '.join(layout)}")
    return layout


@contextmanager
def _open(path: str, open_file: OpenFile) -> Iterator[BinaryIO]:
    with open_file(path) as stored:
        magic = stored.read(len(_GZIP_MAGIC))
        stored.seek(0)
        if magic == _GZIP_MAGIC:
            with gzip.GzipFile(fileobj=stored) as inflated:
                yield cast(BinaryIO, inflated)
        else:
            yield stored


def _chunks(stream: BinaryIO, path: str, size: int) -> Iterator[bytes]:
    try:
        while chunk := stream.read(size):
            yield chunk
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RrfError(f"{path}: broken gzip file ({error}); download it again") from error


def _blocks(chunks: Iterable[bytes], path: str) -> Iterator[_Block]:
    """Regroup chunks into blocks of whole lines, each with the number of its first line."""
    rest, line = b"", 1
    for chunk in chunks:
        whole, newline, tail = chunk.rpartition(b"\n")
        if not newline:
            rest += chunk
            if len(rest) > LONGEST_ROW:
                raise RrfError(f"{path}:{line}: no line end in {len(rest)} bytes; not an RRF file")
            continue
        block = _Block(rest + whole + newline, line)
        yield block
        rest, line = tail, line + block.data.count(b"\n")
    if rest:
        yield _Block(rest, line)


def _has_last_pipe(first: _Block, layout: tuple[str, ...]) -> bool:
    """Whether rows end in a pipe, as the first row has it (all do in a release)."""
    row = first.data.partition(b"\n")[0].rstrip(b"\r")
    return row.count(b"|") != len(layout) - 1


def _parse(block: _Block, row_format: _RowFormat) -> pa.RecordBatch:
    data = block.data.removeprefix(_BYTE_ORDER_MARK) if block.first_line == 1 else block.data
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    try:
        table = _parse_with_arrow(data, row_format)
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        table = None
    if table is None or table.num_rows != lines:
        table = _parse_by_bytes(data, block.first_line, row_format)
    arrays = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, names=list(row_format.wanted))


def _parse_with_arrow(data: bytes, row_format: _RowFormat) -> pa.Table:
    names = [*row_format.layout, *([""] if row_format.last_pipe else [])]
    return csv.read_csv(
        pa.BufferReader(data),
        csv.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=names),
        csv.ParseOptions(delimiter="|", quote_char=False, double_quote=False, escape_char=False),
        csv.ConvertOptions(
            include_columns=list(row_format.wanted),
            column_types=dict.fromkeys(row_format.wanted, pa.string()),
            strings_can_be_null=False,
        ),
    )


def _parse_by_bytes(data: bytes, first_line: int, row_format: _RowFormat) -> pa.Table:
    """Split line by line and skip blank lines; raise on the first row that does not fit."""
    places = [row_format.layout.index(column) for column in row_format.wanted]
    rows = []
    for line, raw in enumerate(data.split(b"\n"), first_line):
        row = raw.removesuffix(b"\r")
        if not row:
            continue
        fields = row.split(b"|")
        if len(fields) != row_format.pipes + 1:
            raise RrfError(f"{row_format.path}:{line}: {_misfit(fields, row_format)}")
        rows.append([_decode(fields[place], row_format.path, line) for place in places])
    values = zip(*rows, strict=True) if rows else ([] for _ in places)
    arrays = [pa.array(column, pa.string()) for column in values]
    return pa.Table.from_arrays(arrays, names=list(row_format.wanted))


def _misfit(fields: list[bytes], row_format: _RowFormat) -> str:
    expected = len(row_format.layout)
    found = len(fields) - (not fields[-1])
    if len(fields) == expected and fields[-1] and row_format.last_pipe:
        return "no | at the end of the row; the file looks truncated, download it again"
    if found < expected:
        return f"{found} fields, expected {expected}; the file looks truncated, download it again"
    return f"{found} fields, expected {expected}; is it the right table of a UMLS release?"


def _decode(field: bytes, path: str, line: int) -> str:
    try:
        return field.decode()
    except UnicodeDecodeError as error:
        raise RrfError(f"{path}:{line}: not UTF-8 ({error}); download it again") from error
