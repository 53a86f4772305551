"""Rows of a table as Arrow arrays of lines, put together column by column."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.benchmarks.meta.draws import Numbers

_GROUP = 4  # digits that are looked up at once
_DIGITS = np.array([f"{number:0{_GROUP}d}" for number in range(10**_GROUP)], f"S{_GROUP}")
# A prime just below the 8 digits of most identifiers.
_BELOW_DIGITS = 99_999_989


class Written(NamedTuple):
    """How much of a table was written."""

    rows: int
    bytes: int


def identifiers(letters: str, numbers: Numbers, width: int = 8) -> pa.Array:
    """Letters and the number with leading zeros."""
    groups = -(-width // _GROUP)
    padded = np.empty((len(numbers), len(letters) + groups * _GROUP), np.uint8)
    left = numbers
    for place in range(padded.shape[1] - _GROUP, len(letters) - 1, -_GROUP):
        left, group = np.divmod(left, 10**_GROUP)
        padded[:, place : place + _GROUP] = _DIGITS[group][:, None].view(np.uint8)
    texts = np.ascontiguousarray(padded[:, groups * _GROUP - width :])
    texts[:, : len(letters)] = np.frombuffer(letters.encode(), np.uint8)
    offsets = np.arange(len(numbers) + 1, dtype=np.int32) * texts.shape[1]
    return string_array(offsets, pa.py_buffer(texts))


def scattered(numbers: Numbers, factor: int) -> Numbers:
    """Other numbers of 8 digits for numbers up to 8 digits, all different, in no order."""
    return (numbers * factor + factor) % _BELOW_DIGITS


def string_array(offsets: "np.ndarray[Any, np.dtype[np.int32]]", texts: pa.Buffer) -> pa.Array:
    """The strings that lie one after another in a buffer."""
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), texts)


def chosen(choices: Iterable[str], places: Numbers) -> pa.Array:
    """The choice of each row."""
    return pa.array(list(choices), pa.string()).take(pa.array(places))


def lines(*columns: pa.Array | str) -> pa.Array:
    """One line a row; a text stands for a column, or several, that has it in every row."""
    return pc.binary_join_element_wise(*columns, "\n", "|")


def write_table(path: Path, blocks: Iterable[pa.Array]) -> Written:
    """Write lines, block by block."""
    rows = size = 0
    with path.open("wb") as file:
        for block in blocks:
            rows += len(block)
            size += file.write(_bytes(block)) if len(block) else 0
    return Written(rows, size)


def _bytes(block: pa.Array) -> memoryview:
    end = np.frombuffer(block.buffers()[1], np.int32)[len(block)]
    return memoryview(block.buffers()[2])[:end]
