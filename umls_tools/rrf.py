"""Reads Metathesaurus files in Rich Release Format, block by block, and names what is broken.

A block in which every row has its pipes is read as it lies there. Only a block that does not fit
is gone through line by line, which alone decides which rows are broken.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np
import pyarrow as pa

from umls_tools.blocks import BLOCK_SIZE, Block, Span, after_last_line, read_blocks
from umls_tools.columns import COLUMNS, CUI_COLUMNS
from umls_tools.cuis import CUI, are_cuis
from umls_tools.errors import RrfError
from umls_tools.files import OpenFile, TableFile, open_local, open_table
from umls_tools.rows import PADDING, WORD, Rows, split

__all__ = ["BLOCK_SIZE", "BadRow", "RrfError", "Span", "read_batches", "read_rows", "refuse"]

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SAMPLED = 100  # rows by which a file is judged


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be read: where, and what is wrong with it. Holds nothing of its text."""

    path: str
    line: int
    reason: str  # field_count, not_utf8, not_a_cui
    detail: str

    def __str__(self) -> str:
        """Place and fault, as an error says them."""
        return f"{self.path}:{self.line}: {self.detail}"


def refuse(row: BadRow) -> None:
    """Stop at the first row that cannot be read."""
    raise RrfError(str(row))


def read_rows(
    span: Span,
    open_file: OpenFile = open_local,
    bad: Callable[[BadRow], None] = refuse,
    block_size: int = BLOCK_SIZE,
    cut_of: Callable[[bytearray], int] = after_last_line,
) -> Iterator[Rows]:
    """Yield the rows of a table, or of a part of it, in order, in blocks of at least one row.

    Memory is bounded by ``block_size``. Lines end in LF or CRLF; the last pipe may be missing if
    it is so in the whole file. A row with another number of fields, with bytes that are not
    UTF-8, or with something else than a CUI where one belongs, goes to ``bad`` instead.
    """
    layout = layout_of(span.file.table)
    with closing(read_blocks(span, open_file, block_size, cut_of)) as blocks:
        if (first := next(blocks, None)) is None:
            return
        last_pipe = _has_last_pipe(first.data, layout)
        reader = _Reader(span, layout, last_pipe, partial(_lines_before, span.file, open_file), bad)
        if not span.start:
            first = replace(first, data=first.data.removeprefix(_BYTE_ORDER_MARK))
        for block in chain([first], blocks):
            if len(rows := reader.read(block)):
                yield rows


def read_batches(
    file: TableFile,
    columns: tuple[str, ...],
    open_file: OpenFile = open_local,
    block_size: int = BLOCK_SIZE,
) -> Iterator[pa.RecordBatch]:
    """Yield the asked columns of a whole table, in order, as strings without nulls.

    A row that cannot be read raises RrfError with its line.
    """
    layout = layout_of(file.table)
    if unknown := [column for column in columns if column not in layout]:
        raise RrfError(f"{file.table} has no column {unknown[0]}; it has {', '.join(layout)}")
    for rows in read_rows(Span(file), open_file, block_size=block_size):
        arrays = [rows.strings(column) for column in columns]
        yield pa.RecordBatch.from_arrays(arrays, names=list(columns))


def layout_of(table: str) -> tuple[str, ...]:
    """The columns of a table, in file order."""
    if table not in COLUMNS:
        raise RrfError(f"no table {table}; known are {', '.join(COLUMNS)}")
    return COLUMNS[table]


@dataclass(frozen=True, slots=True)
class _Reader:
    """How the rows of this file look, and what becomes of one that looks otherwise."""

    span: Span
    layout: tuple[str, ...]
    last_pipe: bool
    lines_before: Callable[[int], int]
    bad: Callable[[BadRow], None]

    def read(self, block: Block) -> Rows:
        rows = split(block.data, self.layout)
        return rows if rows is not None and self._is_whole(rows) else self._read_again(block)

    def _read_again(self, block: Block) -> Rows:
        """Mend the line ends; if that is not enough, keep the rows that fit and tell the others."""
        lines = block.data[: -len(PADDING)].replace(b"\r\n", b"\n")
        if not lines.endswith(b"\n"):
            lines += b"\n"
        if not self.last_pipe:
            lines = lines.replace(b"\n", b"|\n")
        rows = split(lines + PADDING, self.layout)
        if rows is not None and self._is_whole(rows):
            return rows
        before = self.lines_before(block.start)
        fitting = [
            line + b"\n"
            for number, line in enumerate(lines.split(b"\n")[:-1], before + 1)
            if self._fits(line, number)
        ]
        kept = split(b"".join(fitting) + PADDING, self.layout)
        if kept is None:
            raise RrfError(f"{self.span.file.name}: unreadable although each of its rows fits")
        return kept

    def _is_whole(self, rows: Rows) -> bool:
        """Whether every row is UTF-8 and has CUIs where they belong."""
        fine = (
            are_cuis(rows.keep_words(column)) & (rows.lengths(column) == WORD)
            for column in CUI_COLUMNS.get(self.span.file.table, ())
        )
        return all(of_column.all() for of_column in fine) and _is_utf8(rows.data)

    def _fits(self, line: bytes, number: int) -> bool:
        """Whether a line is a row; a blank one holds nothing that could be lost."""
        if line == (b"" if self.last_pipe else b"|"):
            return False
        reason, detail = self._fault(line)
        if reason:
            self.bad(BadRow(self.span.file.name, number, reason, detail))
        return not reason

    def _fault(self, line: bytes) -> tuple[str, str]:
        *fields, rest = line.split(b"|")
        if rest or len(fields) != len(self.layout):
            return "field_count", _misfit([*fields, rest], self.layout, self.last_pipe)
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return "not_utf8", f"not UTF-8 ({error.reason}); download it again"
        for column in CUI_COLUMNS.get(self.span.file.table, ()):
            if not CUI.fullmatch(fields[self.layout.index(column)]):
                return "not_a_cui", f"{column} is no CUI, a C with seven digits; download it again"
        return "", ""


def _lines_before(file: TableFile, open_file: OpenFile, place: int) -> int:
    """How many lines stand before a byte: counted only for a block that does not fit."""
    lines = 0
    with open_table(file, open_file) as stream:
        while place and (chunk := stream.read(min(place, BLOCK_SIZE))):
            lines, place = lines + chunk.count(b"\n"), place - len(chunk)
    return lines


def _has_last_pipe(data: bytes, layout: tuple[str, ...]) -> bool:
    """Whether rows end in a pipe, as most of the first block do (all do in a release)."""
    lines = data[: -len(PADDING)].split(b"\n", _SAMPLED)[:_SAMPLED]
    rows = [line for line in lines if line.strip(b"\r")]
    without = sum(row.count(b"|") == len(layout) - 1 for row in rows)
    return 2 * without < len(rows) or not rows


def _is_utf8(data: bytes) -> bool:
    bounds = pa.py_buffer(np.array([0, len(data)], np.int32))
    try:
        pa.StringArray.from_buffers(1, bounds, pa.py_buffer(data)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _misfit(fields: list[bytes], layout: tuple[str, ...], last_pipe: bool) -> str:
    """What is wrong with the number of fields; the last is what stands behind the last pipe."""
    expected, found = len(layout), len(fields) - (not fields[-1])
    if len(fields) == expected and fields[-1] and last_pipe:
        return "no | at the end of the row; the file looks truncated, download it again"
    if found < expected:
        return f"{found} fields, expected {expected}; the file looks truncated, download it again"
    return f"{found} fields, expected {expected}; is it the right table of a UMLS release?"
