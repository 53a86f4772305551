"""Reads lists of others: tables, lines of text, and hashes in place of texts."""

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, TextIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from splits.outside import Entry
from splits.sketches import ORDERS

OpenFile = Callable[[str], BinaryIO]
HASH_COLUMNS = ("sha256", "sketch")  # in a table with the first of them, hashes stand for texts
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SKETCH = re.compile(f"[0-9a-f]{{{2 * ORDERS}}}")


class OutsideError(ValueError):
    """A list of others that cannot be read."""


def read_list(path: str, column: str, open_file: OpenFile) -> Iterator[Entry]:
    """The items of a file: ``.txt`` a line each; ``.tsv``, ``.csv``, ``.jsonl``, ``.parquet``.

    All but Parquet may be gzipped. Of a table the named column is read; a number, counted from 1,
    names it in a ``.tsv`` or ``.csv`` without a header. What ``mmed-bench export hashes`` writes
    is known by its columns, and a text of 64 hexadecimal digits is the SHA-256 of one.
    """
    kind = path.removesuffix(".gz").rpartition(".")[2]
    if kind not in _READERS:
        known = ", ".join(f".{one}" for one in sorted(_READERS))
        raise OutsideError(f"{path}: a list ends in {known}, all but .parquet with .gz behind it")
    found = False
    try:
        for where, item in _READERS[kind](path, column, open_file):
            found = True
            yield from _entries(item, f"{path}:{where}")
    except (EOFError, gzip.BadGzipFile, pa.ArrowException, UnicodeDecodeError, csv.Error) as error:
        raise OutsideError(f"{path}: cannot be read ({error}); fetch it again") from error
    if not found:
        raise OutsideError(f"{path}: holds nothing to compare with; fetch it again")


_Items = Iterator[tuple[int, str | Mapping[str, str]]]


def _entries(item: str | Mapping[str, str], where: str) -> Iterator[Entry]:
    """A text that is blank is none."""
    if isinstance(item, str):
        item = {"sha256": item} if _SHA256.fullmatch(item) else {"text": item}
    if "text" in item:
        yield from [Entry(text=item["text"])] if item["text"].strip() else []
        return
    digest, sketch = item["sha256"], item.get("sketch", "")
    if not _SHA256.fullmatch(digest) or not (sketch == "" or _SKETCH.fullmatch(sketch)):
        raise OutsideError(
            f"{where}: no hash; expected 64 hexadecimal digits as sha256, {2 * ORDERS} as sketch"
        )
    yield Entry(sha256=digest, sketch=bytes.fromhex(sketch))


@contextmanager
def _opened(path: str, open_file: OpenFile) -> Generator[TextIO]:
    with open_file(path) as stream:
        inner = cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if path.endswith(".gz") else stream
        with io.TextIOWrapper(inner, "utf-8-sig", newline="") as text:
            yield text


def _lines(path: str, _: str, open_file: OpenFile) -> _Items:
    with _opened(path, open_file) as stream:
        yield from ((number, line.strip()) for number, line in enumerate(stream, 1))


def _json_lines(path: str, column: str, open_file: OpenFile) -> _Items:
    with _opened(path, open_file) as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, _item(_object(line, f"{path}:{number}"), column, f"{path}:{number}")


def _object(line: str, where: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise OutsideError(f"{where}: no JSON ({error}); fetch the file again") from error
    if not isinstance(found, dict):
        raise OutsideError(f"{where}: a JSON {type(found).__name__}, expected an object")
    return found


def _parquet(path: str, column: str, open_file: OpenFile) -> _Items:
    with open_file(path) as stream, pq.ParquetFile(stream) as file:
        names = file.schema_arrow.names
        wanted = [one for one in HASH_COLUMNS if one in names and "sha256" in names]
        number = 0
        for batch in file.iter_batches(columns=wanted or [one for one in names if one == column]):
            for row in batch.to_pylist():
                number += 1
                yield number, _item(row or dict.fromkeys(names), column, f"{path}:{number}")


def _table(path: str, column: str, open_file: OpenFile) -> _Items:
    is_tab = path.removesuffix(".gz").endswith(".tsv")
    dialect: dict[str, Any] = (
        {"delimiter": "\t", "quoting": csv.QUOTE_NONE} if is_tab else {"delimiter": ","}
    )
    with _opened(path, open_file) as stream:
        rows = csv.reader(stream, **dialect)
        names = None if column.isdecimal() else next(rows, [])
        for number, row in enumerate(rows, 1 if names is None else 2):
            numbered = [str(place) for place in range(1, len(row) + 1)]
            keyed = dict(zip(numbered if names is None else names, row, strict=False))
            yield number, _item(keyed, column, f"{path}:{number}")


def _item(row: Mapping[str, Any], column: str, where: str) -> str | Mapping[str, str]:
    """Hashes where the row has them, else the text of the column."""
    if "sha256" in row:
        return {name: str(row.get(name) or "") for name in HASH_COLUMNS}
    if column not in row:
        known = ", ".join(sorted(map(str, row))) or "none"
        raise OutsideError(f"{where}: no column {column!r}; name another one as column: {known}")
    value = row[column]
    if not isinstance(value, str):
        raise OutsideError(f"{where}: {column!r} is a {type(value).__name__}, expected a text")
    return value


_READERS: Mapping[str, Callable[[str, str, OpenFile], _Items]] = {
    "txt": _lines,
    "tsv": _table,
    "csv": _table,
    "jsonl": _json_lines,
    "parquet": _parquet,
}
