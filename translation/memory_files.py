"""Reads translation memories from Parquet and TSV files, and writes them file by file.

A TSV file has a header, the columns of ``TSV_COLUMNS`` separated by tabs, no quoting, UTF-8, one
row a line. A Parquet file has ``SCHEMA``; each is written once, under the hash of its content,
and never changed, so that any number of writers may share a folder.
"""

import io
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from translation.base import TranslationError
from translation.languages import language
from translation.memory import Entry, TranslationMemory

OpenFile = Callable[[str], BinaryIO]

SCHEMA = pa.schema(
    [
        pa.field(name, kind, nullable=False)
        for name, kind in (
            ("key", pa.string()),
            ("text", pa.string()),
            ("source", pa.string()),
            ("target", pa.string()),
            ("translation", pa.string()),
            ("back_translation", pa.string()),
            ("engine", pa.string()),
            ("model", pa.string()),
            ("revision", pa.string()),
            ("signature", pa.string()),
            ("score", pa.float64()),
            ("flags", pa.list_(pa.string())),
        )
    ]
)
TSV_COLUMNS = (
    "source_language",
    "target_language",
    "text",
    "translation",
    "back_translation",
    "engine",
    "model",
    "revision",
)
_MAY_BE_EMPTY = frozenset({"back_translation", "model", "revision"})
_ENDINGS = (".parquet", ".tsv")


def open_local(path: str) -> BinaryIO:
    """Open a file of this machine."""
    return Path(path).open("rb")


def list_local(folder: str) -> list[str]:
    """Name the memory files of a local folder; unfinished ones begin with a dot."""
    if not Path(folder).is_dir():
        raise TranslationError(
            f"{folder}: no such folder or memory file; create it or mend the plan"
        )
    names = sorted(entry.name for entry in Path(folder).iterdir())
    return [f"{folder}/{name}" for name in names if name.endswith(_ENDINGS) and name[0] != "."]


def load_memory(
    paths: Iterable[str],
    open_file: OpenFile = open_local,
    list_files: Callable[[str], list[str]] = list_local,
) -> TranslationMemory:
    """Read the memory that files and folders hold together; their order does not matter."""
    files = (
        file for path in paths for file in ([path] if path.endswith(_ENDINGS) else list_files(path))
    )
    return TranslationMemory(
        tuple(entry for file in sorted(set(files)) for entry in read_entries(file, open_file))
    )


def read_entries(path: str, open_file: OpenFile = open_local) -> list[Entry]:
    """Read one file by its ending."""
    try:
        with open_file(path) as file:
            content = file.read()
    except OSError as error:
        raise TranslationError(f"{path}: cannot be read ({error}); mend the plan's path") from error
    read = _read_tsv if path.endswith(".tsv") else _read_parquet
    return list(read(path, content))


def encode_entries(entries: Iterable[Entry]) -> tuple[str, bytes]:
    """Give the name and content of the Parquet file that holds the entries, sorted.

    For places that only a file system of the caller's own can write to.
    """
    # Not a set of entries: a score that is NaN equals no other.
    unique = {(entry.key, entry.order): entry for entry in entries}
    rows = [_row(entry) for _, entry in sorted(unique.items(), key=lambda pair: pair[0])]
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), buffer, compression="zstd")
    content = buffer.getvalue()
    return f"{blake2b(content, digest_size=16).hexdigest()}.parquet", content


def write_entries(folder: str, entries: Iterable[Entry]) -> str:
    """Write entries to a new file of a local folder, whole or not at all; returns its path."""
    name, content = encode_entries(entries)
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".", suffix=".tmp", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            # Temporary files are private; a memory is shared as its folder is.
            Path(file.name).chmod(0o644)
            return str(Path(file.name).replace(Path(folder, name)))
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _row(entry: Entry) -> dict[str, object]:
    row = {name: getattr(entry, name) for name in SCHEMA.names}
    return row | {"flags": list(entry.flags)}


def _read_parquet(path: str, content: bytes) -> Iterator[Entry]:
    remedy = "delete the file, its translations will be made again"
    try:
        table = pq.read_table(io.BytesIO(content), partitioning=None).select(SCHEMA.names)
        rows = table.cast(SCHEMA).to_pylist()
    except (pa.ArrowException, KeyError, OSError) as error:
        raise TranslationError(f"{path}: no translation memory ({error}); {remedy}") from error
    for number, row in enumerate(rows, start=1):
        key = row.pop("key")
        entry = Entry(**row | {"flags": tuple(row["flags"])})
        if entry.key != key:
            raise TranslationError(f"{path}: row {number}: key {key!r} is not its own; {remedy}")
        yield entry


def _read_tsv(path: str, content: bytes) -> Iterator[Entry]:
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        place = f"{path}:{number}"
        fields = _decode(place, line.removesuffix(b"\r")).split("\t")
        if number == 1 and tuple(fields) != TSV_COLUMNS:
            raise TranslationError(f"{place}: the header must be {', '.join(TSV_COLUMNS)}")
        if number > 1 and fields != [""]:
            yield _parse(place, fields)


def _decode(place: str, line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TranslationError(f"{place}: not UTF-8 ({error}); save the table as UTF-8") from error


def _parse(place: str, fields: list[str]) -> Entry:
    if len(fields) != len(TSV_COLUMNS):
        raise TranslationError(
            f"{place}: {len(fields)} fields, expected {len(TSV_COLUMNS)} separated by tabs"
        )
    source, target, *values = fields
    row = dict(zip(TSV_COLUMNS, fields, strict=True))
    blank = [name for name in TSV_COLUMNS if name not in _MAY_BE_EMPTY and not row[name].strip()]
    if blank:
        raise TranslationError(f"{place}: {', '.join(blank)} must not be empty")
    try:
        codes = language(source).code, language(target).code
    except TranslationError as error:
        raise TranslationError(f"{place}: {error}") from error
    text, translation, back_translation, engine, model, revision = values
    return Entry(text, *codes, translation, back_translation, engine, model, revision)
