"""Rows of one table, found by the places of their pipes in one block of bytes.

RRF has neither quotes nor escapes, so that the pipes say everything: their number, and a line end
behind the last of each row, prove that a block is whole. Short fields are compared as numbers,
without ever becoming strings; only what is kept is copied out, as Arrow strings.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Places = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

PIPE, LINE_END = 0x7C, 0x0A
WORD = 8  # bytes that are read at once
# Bytes behind a block, so that a word may be read at the start of its last field.
PADDING = bytes(WORD)
_LOW_BYTES = np.array([(1 << 8 * kept) - 1 for kept in range(WORD + 1)], np.uint64)


@dataclass(frozen=True, slots=True)
class Rows:
    """Whole rows of one table.

    ``bounds[row, n]`` is where field ``n`` starts in ``data``, and ``bounds[row, n + 1] - 1`` is
    its pipe. ``data`` ends in PADDING.
    """

    data: bytes
    offsets: npt.NDArray[np.int32]  # all bounds, row after row, and the end
    columns: tuple[str, ...]
    # What was worked out before, of whole columns.
    known: dict[str, pa.DictionaryArray] = field(default_factory=dict, compare=False)
    known_words: dict[str, Words] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.offsets) // (len(self.columns) + 1)

    @property
    def bounds(self) -> npt.NDArray[np.int32]:
        """Rows × (fields + 1)."""
        return self.offsets[:-1].reshape(len(self), len(self.columns) + 1)

    def lengths(self, column: str, rows: Places | slice = slice(None)) -> npt.NDArray[np.int32]:
        """How many bytes a field has."""
        place = self.columns.index(column)
        found: npt.NDArray[np.int32] = self.bounds[rows, place + 1] - self.bounds[rows, place] - 1
        return found

    def words(self, column: str, rows: Places | slice = slice(None)) -> Words:
        """The first eight bytes of a field as a number, in whose order the bytes are.

        Shorter fields are filled up with zeros at the end.
        """
        if column in self.known_words:
            return self.known_words[column][rows]
        place = self.columns.index(column)
        starts = self.bounds[rows, place]
        lengths = self.bounds[rows, place + 1] - starts - 1
        found = words_at(self.data)[starts]
        found &= _LOW_BYTES[np.minimum(lengths, WORD)]
        return found.byteswap()

    def keep_words(self, column: str) -> Words:
        """The words of a whole column, which later calls need not work out again."""
        return self.known_words.setdefault(column, self.words(column))

    def is_one_of(
        self, column: str, values: Iterable[str], rows: Places | slice = slice(None)
    ) -> Mask:
        """Whether a field is exactly one of some texts of less than eight bytes."""
        words = self.words(column, rows)
        found = np.zeros(len(words), np.bool_)
        for value in values:
            found |= words == word_of(value)
        return found

    def strings(self, column: str, rows: Places | None = None) -> pa.StringArray:
        """The asked rows' fields, copied out."""
        return pc.ascii_rtrim(self._with_pipes(column, rows), characters="|")

    def encoded(self, column: str, rows: Places | None = None) -> pa.DictionaryArray:
        """The asked rows' fields as places among the distinct texts of all rows."""
        if column not in self.known:
            encoded = self._with_pipes(column, None).dictionary_encode()
            texts = pc.ascii_rtrim(encoded.dictionary, characters="|")
            self.known[column] = pa.DictionaryArray.from_arrays(encoded.indices, texts)
        whole = self.known[column]
        if rows is None:
            return whole
        return pa.DictionaryArray.from_arrays(whole.indices.take(pa.array(rows)), whole.dictionary)

    def _with_pipes(self, column: str, rows: Places | None) -> pa.StringArray:
        """Fields with the pipe behind them: as they lie there, one after another."""
        places = np.arange(len(self), dtype=np.int64) if rows is None else rows
        offsets, data = pa.py_buffer(self.offsets), pa.py_buffer(self.data)
        fields = pa.StringArray.from_buffers(len(self.offsets) - 1, offsets, data)
        return fields.take(pa.array(places * (len(self.columns) + 1) + self.columns.index(column)))


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
    offsets = np.empty(rows * (len(columns) + 1) + 1, np.int32)
    offsets[-1] = len(letters)
    bounds = offsets[:-1].reshape(rows, len(columns) + 1)
    bounds[:, 1:] = pipes.reshape(rows, len(columns))
    bounds[:, 1:] += 1
    if rows:
        bounds[0, 0] = 0
        bounds[1:, 0] = bounds[:-1, -1] + 1
        if bounds[-1, -1] + 1 != len(letters) or (letters[bounds[:, -1]] != LINE_END).any():
            return None
    return Rows(data, offsets, columns) if rows or not len(letters) else None


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
