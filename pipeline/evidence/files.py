"""Files read so that damage is an error with a place: gzip, UTF-8, JSON, one JSON per line."""

import gzip
import json
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, TypeAlias, cast

from pipeline.evidence.base import EvidenceError, OpenFile

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)

Json: TypeAlias = dict[str, Any]


@contextmanager
def opened(path: str, open_file: OpenFile) -> Generator[BinaryIO]:
    """The bytes of a file, decompressed when its name ends in ``.gz``."""
    with open_file(path) as raw:
        if not path.endswith(".gz"):
            yield raw
            return
        # Python takes an empty file for an empty archive, and plain text may come from an
        # opener that decompresses: neither could be told from a truncated download.
        if raw.read(len(_GZIP_MAGIC)) != _GZIP_MAGIC:
            raise EvidenceError(
                f"{path}: not gzip data; download it again, or open it without decompressing"
            )
        raw.seek(0)
        with gzip.GzipFile(fileobj=raw) as stream:
            yield cast(BinaryIO, stream)


@contextmanager
def whole(path: str) -> Generator[None]:
    """Turn what a damaged archive raises while it is read into an error with a name."""
    try:
        yield
    except _DAMAGED as error:
        raise EvidenceError(
            f"{path}: the gzip data is truncated or damaged ({error}); download it again"
        ) from error


def lines(path: str, open_file: OpenFile) -> Iterator[tuple[int, str]]:
    """Numbered lines that are not blank, without their ends; only LF and CRLF end a line."""
    number = 0
    with opened(path, open_file) as stream:
        while line := _next_line(stream, path, number):
            number += 1
            if number == 1:
                line = line.removeprefix(_BYTE_ORDER_MARK)
            if line.strip():
                yield number, _decoded(line.rstrip(b"\r\n"), f"{path}:{number}")


def _next_line(stream: BinaryIO, path: str, number: int) -> bytes:
    with whole(f"{path}:{number + 1}"):
        return stream.readline()


def _decoded(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise EvidenceError(
            f"{where}: byte 0x{line[error.start]:02x} at {error.start + 1} is not UTF-8; "
            "convert the file to UTF-8"
        ) from error


def json_lines(path: str, open_file: OpenFile, *expected: str) -> Iterator[tuple[str, Json]]:
    """The object on each line, with its place as ``path:line``; a file without any raises."""
    empty = True
    for number, line in lines(path, open_file):
        empty = False
        where = f"{path}:{number}"
        yield where, _object(_parsed(line, where), where, expected)
    if empty:
        raise EvidenceError(f"{path}: the file holds no record; download it again")


def json_document(path: str, open_file: OpenFile, *expected: str) -> Json:
    """The one object that a file holds, with the keys that are expected of it."""
    with whole(path), opened(path, open_file) as stream:
        content = stream.read()
    text = _document_text(content, path)
    return _object(_parsed(text, path), path, expected)


def _document_text(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise EvidenceError(
            f"{path}:{line}: byte 0x{content[error.start]:02x} is not UTF-8; "
            "convert the file to UTF-8"
        ) from error


def _parsed(text: str, where: str) -> object:
    try:
        found: object = json.loads(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except json.JSONDecodeError as error:
        # A record of a line has its line already; a document gets it here.
        place = where if error.lineno == 1 and "\n" not in text else f"{where}:{error.lineno}"
        raise EvidenceError(
            f"{place}: {error.msg.removesuffix(' at')} at column {error.colno}, expected JSON; "
            "the file may be truncated, download it again"
        ) from error
    except (ValueError, RecursionError) as error:
        raise EvidenceError(f"{where}: JSON that holds no text or number: {error}") from error
    return found


def _object(found: object, where: str, expected: tuple[str, ...]) -> Json:
    if not isinstance(found, dict):
        raise EvidenceError(f"{where}: a JSON {type(found).__name__}, expected an object")
    missing = [key for key in expected if key not in found]
    if missing:
        raise EvidenceError(
            f"{where}: no {missing[0]!r} among the keys {sorted(found)[:8]}; "
            f"expected {', '.join(expected)}"
        )
    return found


def text_at(record: Json, key: str, where: str) -> str:
    """A string; a key that is missing or null gives ``""``."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise EvidenceError(f"{where}: {key!r} is a {type(value).__name__}, expected a string")
    return value


def texts_at(record: Json, key: str, where: str) -> list[str]:
    """A list of strings; a key that is missing or null gives none."""
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise EvidenceError(f"{where}: {key!r} holds no strings, expected a list of strings")
    return value
