"""Cuts tables that are in order of CUI into stretches of the same concepts, by byte ranges."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

from umls_tools.blocks import Span
from umls_tools.files import OpenFile, TableFile, open_table

PIECE_SIZE = 32 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Stretch:
    """Concepts from one CUI up to another, which is not among them; "" is the very end."""

    first: str
    beyond: str


def pieces(file: TableFile, size: int, piece_size: int = PIECE_SIZE) -> Iterator[Span]:
    """Cut a file of so many bytes into spans by size alone: rows may lie across their bounds."""
    if not file.may_be_cut or size <= piece_size:
        yield Span(file)
        return
    for start in range(0, size, piece_size):
        yield Span(file, start, min(start + piece_size, size))


def whole_rows(piece: Span, open_file: OpenFile) -> Span:
    """The span of the rows that begin in a piece."""
    if piece.end is None:
        return piece
    with open_table(piece.file, open_file) as stream:
        bounds = [_next_row(stream, bound) for bound in (piece.start, piece.end)]
    return Span(piece.file, *bounds)


def stretches(cuis: list[str]) -> list[Stretch]:
    """The stretches between some CUIs, from the beginning of everything to its end."""
    bounds = ["", *sorted(set(cuis) - {""}), ""]
    return [Stretch(first, beyond) for first, beyond in pairwise(bounds)]


def span_of(stretch: Stretch, file: TableFile, open_file: OpenFile) -> Span:
    """The bytes that a table has on a stretch of concepts; the file must be in order."""
    if stretch == Stretch("", ""):
        return Span(file)
    with open_table(file, open_file) as stream:
        end = stream.seek(0, 2)
        start = _first_row(stream, stretch.first, 0, end)
        beyond = _first_row(stream, stretch.beyond, start, end) if stretch.beyond else end
    return Span(file, start, beyond)


def _first_row(stream: BinaryIO, cui: str, low: int, end: int) -> int:
    """Where the first row at or behind a CUI begins, by halving; `low` is where a row begins."""
    wanted, answer, high = cui.encode(), end, end
    while low < high:  # the rows that begin from low on, before high, are still to be told apart
        middle = (low + high) // 2
        start = low if middle == low else _next_row(stream, middle)
        if start >= high:
            high = middle
            continue
        stream.seek(start)
        line = stream.readline()
        if line.partition(b"|")[0] < wanted:
            low = start + len(line)
        else:
            answer, high = start, middle
    return answer


def _next_row(stream: BinaryIO, place: int) -> int:
    """Where the first row begins that begins at a byte or behind it."""
    if not place:
        return 0
    stream.seek(place - 1)
    stream.readline()
    return stream.tell()
