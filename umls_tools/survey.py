"""What one pass over the files of a META folder tells before anything is read of them.

Files of a release stand in order of CUI, and relations are stored from both their ends. Where
that holds, concepts can be put together stretch by stretch; where it does not, rows must first be
gathered. It is never assumed. The same pass counts what MRFILES states of every file.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from umls_tools.blocks import Span, read_blocks
from umls_tools.concepts import Assembly, select
from umls_tools.files import OpenFile, open_local
from umls_tools.relations import balance
from umls_tools.rows import LINE_END, PADDING, Words, texts_of, words_at
from umls_tools.rrf import BadRow, read_rows
from umls_tools.spans import whole_rows

_ALL = 1 << 64
# Blocks that stay in a core's cache: this pass does so little that fetching them tells.
_BLOCK_SIZE = 1 << 19  # bytes


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What was found in one piece of a table."""

    table: str
    start: int  # bytes before it
    rows: int
    bytes: int
    first: int  # the keys of its first and last row
    last: int
    in_order: bool
    balance: int = 0  # of relations, see umls_tools.relations.balance


@dataclass(frozen=True, slots=True)
class Order:
    """How the tables of a META folder may be read."""

    why_not: str  # in order, "" if they are
    landmarks: tuple[str, ...]  # CUIs at which the pieces of MRCONSO begin
    rows: Mapping[str, int]
    bytes: Mapping[str, int]


def survey(piece: Span, assembly: Assembly, open_file: OpenFile = open_local) -> Surveyed:
    """Look at the rows that begin in a piece (`umls_tools.spans.pieces`) of a table."""
    span = whole_rows(piece, open_file)
    found = _scan(span, open_file)
    if span.file.table != "MRREL":
        return found
    total = 0
    for rows in read_rows(span, open_file, _pass_over):
        total += balance(select("MRREL", rows, assembly)[0])
    return replace(found, balance=total % _ALL)


def order_of(found: Iterable[Surveyed]) -> Order:
    """Put the pieces of all tables together, in whatever order they come."""
    pieces = sorted(found, key=lambda piece: (piece.table, piece.start))
    by_table: dict[str, list[Surveyed]] = {}
    for piece in pieces:
        by_table.setdefault(piece.table, []).append(piece)
    reasons = [why for table, parts in by_table.items() if (why := _why_not(table, parts))]
    leading = [piece for piece in by_table.get("MRCONSO", []) if piece.rows]
    return Order(
        why_not=min(reasons, default=""),
        landmarks=tuple(texts_of(np.array([p.first for p in leading], np.uint64)).to_pylist()),
        rows={table: sum(piece.rows for piece in parts) for table, parts in by_table.items()},
        bytes={table: sum(piece.bytes for piece in parts) for table, parts in by_table.items()},
    )


def _why_not(table: str, parts: list[Surveyed]) -> str:
    filled = [part for part in parts if part.rows]
    follow = all(one.last <= two.first for one, two in pairwise(filled))
    if not follow or not all(part.in_order for part in filled):
        return f"{table} is not in order of CUI"
    if sum(part.balance for part in parts) % _ALL:
        return f"{table} does not store every relation from both ends"
    return ""


def _scan(span: Span, open_file: OpenFile) -> Surveyed:
    """Count a span's rows and compare what they begin with, without looking further into them."""
    rows = size = 0
    first, last, in_order = np.uint64(0), np.uint64(0), True
    for keys, length in _keys(span, open_file):
        size += length
        in_order &= bool((keys[1:] >= keys[:-1]).all()) and (not rows or keys[0] >= last)
        first, last = (first if rows else keys[0]), keys[-1]
        rows += len(keys)
    return Surveyed(span.file.table, span.start, rows, size, int(first), int(last), in_order)


def _keys(span: Span, open_file: OpenFile) -> Iterator[tuple[Words, int]]:
    """The first eight bytes of every line, block by block, and the bytes of each block."""
    for block in read_blocks(span, open_file, _BLOCK_SIZE):
        letters = np.frombuffer(block.data, np.uint8)[: -len(PADDING)]
        starts = np.flatnonzero(letters[:-1] == LINE_END) + 1
        yield words_at(block.data)[np.append(0, starts)].byteswap(), len(letters)


def _pass_over(_: BadRow) -> None:
    """Rows that cannot be read are told when the table is read."""
