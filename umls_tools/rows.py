"""Rows of one table, found by the places of their pipes in one block of bytes.

RRF has neither quotes nor escapes, so that the pipes say everything: their number, and a line end
behind the last of each row, prove that a block is whole. Short fields are compared as numbers,
without ever becoming strings; only what is kept is copied out, as Arrow strings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

PIPE, LINE_END = 0x7C, 0x0A
NONE_OF_THEM = -1
WORD = 8  # bytes that are read at once
# Bytes behind a block, so that a word may be read at the start of its last field.
PADDING = bytes(WORD)
_LOW_BYTES = np.array([(1 << 8 * kept) - 1 for kept in range(WORD + 1)], np.uint64)


@dataclass(frozen=True, slots=True)
class Rows:
    """Whole rows of one table.

    ``pipes[row, n]`` is where the pipe behind field ``n`` is in ``data``, which ends in PADDING.
    """

    data: bytes
    pipes: Places  # rows × fields
    columns: tuple[str, ...]
    # What was worked out before, of whole columns.
    known: dict[str, pa.DictionaryArray] = field(default_factory=dict, compare=False)
    known_words: dict[str, Words] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.pipes)

    def starts(self, column: str, rows: Places | slice = slice(None)) -> Places:
        """Where a field begins."""
        place = self.columns.index(column)
        if place:
            return self.pipes[:, place - 1][rows] + 1
        first = np.zeros(len(self), np.int64)
        first[1:] = self.pipes[:-1, -1] + len("|\n")
        return first[rows]

    def ends(self, column: str, rows: Places | slice = slice(None)) -> Places:
        """Where the pipe behind a field is."""
        return self.pipes[:, self.columns.index(column)][rows]

    def lengths(self, column: str, rows: Places | slice = slice(None)) -> Places:
        """How many bytes a field has."""
        return self.ends(column, rows) - self.starts(column, rows)

    def words(self, column: str, rows: Places | slice = slice(None), skipped: int = 0) -> Words:
        """Eight bytes of a field as a number, in whose order the bytes are; the first, or later.

        Shorter fields are filled up with zeros at the end.
        """
        if column in self.known_words and not skipped:
            return self.known_words[column][rows]
        starts, ends = self.starts(column, rows), self.ends(column, rows)
        if skipped:
            starts = np.minimum(starts + skipped, ends)
        found = words_at(self.data)[starts]
        found &= _LOW_BYTES[np.minimum(ends - starts, WORD)]
        return found.byteswap(inplace=True)

    def keep_words(self, column: str) -> Words:
        """The words of a whole column, which later calls need not work out again."""
        return self.known_words.setdefault(column, self.words(column))

    def place_among(
        self, column: str, values: Sequence[str], rows: Places | slice = slice(None)
    ) -> npt.NDArray[np.int8]:
        """Which of some texts of less than eight bytes a field is, or NONE_OF_THEM.

        The pipe is compared as well, so that no field's length need be known.
        """
        words = words_at(self.data)[self.starts(column, rows)]
        found = np.full(len(words), NONE_OF_THEM, np.int8)
        heads: dict[int, Words] = {}
        for place, value in enumerate(values):
            wanted = f"{value}|".encode()
            if len(wanted) not in heads:
                heads[len(wanted)] = words & _LOW_BYTES[len(wanted)]
            alike = heads[len(wanted)] == int.from_bytes(wanted, "little")
            # The texts differ, so that a field is one of them at most.
            found += alike.view(np.int8) * np.int8(place - NONE_OF_THEM)
        return found

    def is_one_of(
        self, column: str, values: Sequence[str], rows: Places | slice = slice(None)
    ) -> Mask:
        """Whether a field is exactly one of some texts of less than eight bytes."""
        found: Mask = self.place_among(column, values, rows) != NONE_OF_THEM
        return found

    def strings(self, column: str, rows: Places | None = None, last: str = "") -> pa.StringArray:
        """The asked rows' fields, copied out; up to the end of a later one, if one is named."""
        asked = slice(None) if rows is None else rows
        places = np.arange(len(self), dtype=np.int64) if rows is None else rows
        if rows is not None and (rows[1:] > rows[:-1]).all():  # only these need be looked at
            places = np.arange(len(rows), dtype=np.int64)
        else:
            asked = slice(None)
        starts = self.starts(column, asked)
        bounds = np.empty((len(starts), 2), np.int32)
        bounds[:, 0] = starts
        bounds[:, 1] = self.ends(last or column, asked)
        # Every other text is what lies between the fields.
        count = max(bounds.size - 1, 0)
        texts = pa.StringArray.from_buffers(count, pa.py_buffer(bounds), pa.py_buffer(self.data))
        return pc.take(texts, pa.array(places * 2), boundscheck=False)

    def encoded(self, column: str, rows: Places | None = None) -> pa.DictionaryArray:
        """The asked rows' fields as places among the distinct texts of all rows."""
        if column not in self.known:
            self.known[column] = self.strings(column).dictionary_encode()
        whole = self.known[column]
        if rows is None:
            return whole
        return pa.DictionaryArray.from_arrays(whole.indices.take(pa.array(rows)), whole.dictionary)


def split(data: bytes, columns: tuple[str, ...]) -> Rows | None:
    """Find the fields of a block of whole rows, each with a pipe behind every field.

    ``data`` must end in PADDING. None if any row has another number of fields, or if there are
    more or fewer line ends than rows.
    """
    letters = np.frombuffer(data, np.uint8)[: len(data) - len(PADDING)]
    pipes = np.flatnonzero(letters == PIPE)
    rows, odd = divmod(len(pipes), len(columns))
    if odd or np.count_nonzero(letters == LINE_END) != rows:
        return None
    found = pipes.reshape(rows, len(columns))
    if rows:
        line_ends = found[:, -1] + 1
        if line_ends[-1] + 1 != len(letters) or (letters[line_ends] != LINE_END).any():
            return None
    return Rows(data, found, columns) if rows or not len(letters) else None


def word_of(text: str) -> np.uint64:
    """The word of a text of at most eight bytes."""
    return np.uint64(int.from_bytes(text.encode().ljust(WORD, b"\0"), "big"))


def texts_of(words: Words) -> pa.StringArray:
    """The texts whose words these are."""
    letters = words.astype(">u8").view(np.uint8).reshape(-1, WORD)
    filled = letters != 0
    offsets = np.append(0, np.cumsum(np.count_nonzero(filled, axis=1))).astype(np.int32)
    data = letters if filled.all() else letters[filled]
    return pa.StringArray.from_buffers(
        len(words), pa.py_buffer(offsets), pa.py_buffer(data.ravel())
    )


def words_of(texts: pa.StringArray, skipped: int = 0) -> Words:
    """The words of texts, as `Rows.words` has them, from some byte of each on."""
    texts = texts if not texts.offset else pa.concat_arrays([texts])
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, np.int32)[: len(texts) + 1]
    starts = np.minimum(bounds[:-1] + skipped, bounds[1:])
    padded = (b"" if data is None else data.to_pybytes()) + PADDING
    kept = np.minimum(bounds[1:] - starts, WORD)
    return (words_at(padded)[starts] & _LOW_BYTES[kept]).byteswap()


def codes(encoded: pa.DictionaryArray) -> tuple[Places, list[str]]:
    """For each row the place of its text among the distinct ones, and these."""
    return encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist()


def words_at(data: bytes) -> npt.NDArray[np.uint64]:
    """The word that starts at every byte."""
    return np.ndarray((len(data) - WORD + 1,), "<u8", data, 0, (1,))
