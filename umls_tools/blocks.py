"""Reads a table, or part of one, as blocks of whole lines."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from umls_tools.errors import RrfError
from umls_tools.files import OpenFile, TableFile, open_table, read_into
from umls_tools.rows import PADDING

BLOCK_SIZE = 4 << 20  # bytes
# The longest value of any table in a full release has about 62,000 characters.
LONGEST_ROW = 16 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Span:
    """Part of a table's bytes, from a line's start to a line's end; without an end, to the last."""

    file: TableFile
    start: int = 0
    end: int | None = None

    @property
    def name(self) -> str:
        """What an error calls the file."""
        return self.file.name


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, with PADDING behind them and the number of bytes before them in the file."""

    data: bytes
    start: int


def after_last_line(chunk: bytes | bytearray) -> int:
    """Where the last whole line of a chunk ends; 0 if none does."""
    return chunk.rfind(b"\n") + 1


def before_last_concept(chunk: bytes | bytearray) -> int:
    """Where the rows begin that have the first field of a chunk's last whole line.

    Where all the whole lines of a chunk have it, that is the last line's end.
    """
    end = after_last_line(chunk)
    start = chunk.rfind(b"\n", 0, max(end - 1, 0)) + 1
    concept = bytes(chunk[start:end].partition(b"|")[0] + b"|")
    while before := chunk.rfind(b"\n", 0, max(start - 1, 0)) + 1:
        if not chunk.startswith(concept, before):
            return start
        start = before
    return end


def read_blocks(
    span: Span,
    open_file: OpenFile,
    size: int = BLOCK_SIZE,
    cut_of: Callable[[bytearray], int] = after_last_line,
) -> Generator[Block, None, None]:
    """Yield the lines of a span; only the very last may lack its line end.

    ``cut_of`` says where in a chunk of bytes a block may end. Memory is bounded by ``size`` and
    the longest line; a file without lines, a broken archive or a cut gzip file raises RrfError.
    """
    rest, start = b"", span.start
    for chunk in _chunks(span, open_file, size):
        cut = cut_of(chunk)
        if cut:
            block = b"".join((rest, memoryview(chunk)[:cut], PADDING))
            rest = bytes(chunk[cut:])
            yield Block(block, start)
            start += len(block) - len(PADDING)
            continue
        rest += chunk
        if len(rest) > LONGEST_ROW:
            raise RrfError(f"{span.name}: no line end in {len(rest)} bytes; this is no RRF file")
    if rest:
        yield Block(rest + PADDING, start)


def _chunks(span: Span, open_file: OpenFile, size: int) -> Iterator[bytearray]:
    """Yield the bytes of a span in one buffer that is filled anew for each: memory once touched
    costs a third of fresh memory.
    """
    buffer = bytearray(size)
    with open_table(span.file, open_file) as stream, memoryview(buffer) as view:
        if span.start:
            stream.seek(span.start)
        left = size if span.end is None else span.end - span.start
        while length := read_into(stream, view[: min(size, left)], span.name):
            yield buffer if length == size else buffer[:length]
            left -= length if span.end is not None else 0
