"""Reads translation memories from Parquet, TSV and TMX files, and writes Parquet file by file.

A Parquet file has ``SCHEMA``; each is written once, under the hash of its content, and never
changed, so that any number of writers may share a folder.
"""

import io
import os
import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from translation.base import TranslationError
from translation.memory import Entry, TranslationMemory
from translation.memory_tables import read_tsv
from translation.memory_tmx import read_tmx

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
PARQUET = ".parquet"
TSV = ".tsv"
TMX = ".tmx"
_TEMPORARY = ".tmp"
_ENDINGS = (PARQUET, TSV, TMX)
_ATTEMPTS = 50  # at a folder whose files others compact; each reads what is new alone


class Vanished(TranslationError):
    """A file that was there a moment ago: somebody has compacted its folder."""


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
    return [f"{folder}/{name}" for name in names if _is_memory(name)]


def load_memory(
    paths: Iterable[str],
    open_file: OpenFile = open_local,
    list_files: Callable[[str], list[str]] = list_local,
) -> TranslationMemory:
    """Read the memory that files and folders hold together; their order does not matter."""
    named = sorted(set(paths))
    files = [path for path in named if path.endswith(_ENDINGS)]
    read = {file: read_entries(file, open_file) for file in files}
    for folder in sorted(set(named) - set(files)):
        read |= _read_folder(folder, open_file, list_files)
    return TranslationMemory(tuple(entry for file in sorted(read) for entry in read[file]))


def _read_folder(
    folder: str, open_file: OpenFile, list_files: Callable[[str], list[str]]
) -> dict[str, list[Entry]]:
    """Read a folder that others may compact meanwhile: what vanishes is in a file that is new."""
    read: dict[str, list[Entry]] = {}
    vanished = ""
    for _ in range(_ATTEMPTS):
        vanished = ""
        listed = list_files(folder)
        if listed == [folder]:
            raise TranslationError(f"{folder}: expected a folder, or a file in {_ENDINGS}")
        for file in sorted({*filter(_is_memory, listed)} - read.keys()):
            try:
                read[file] = read_entries(file, open_file)
            except Vanished:
                vanished = file
        if not vanished:
            return read
    raise TranslationError(
        f"{vanished}: listed, but not there; a link that leads nowhere? remove it"
    )


def _is_memory(path: str) -> bool:
    """By its name; unfinished files begin with a dot, and damaged ones end otherwise."""
    name = path.rpartition("/")[2]
    return name.endswith(_ENDINGS) and not name.startswith(".")


def read_entries(path: str, open_file: OpenFile = open_local) -> list[Entry]:
    """Read one file by its ending."""
    try:
        with open_file(path) as file:
            content = file.read()
    except FileNotFoundError as error:
        raise Vanished(f"{path}: no such file; mend the plan's path") from error
    except OSError as error:
        raise TranslationError(f"{path}: cannot be read ({error}); mend the plan's path") from error
    if path.endswith(TSV):
        return list(read_tsv(path, content))
    if path.endswith(TMX):
        return list(read_tmx(path, content).entries)
    return list(_read_parquet(path, content))


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
    prefix = f".{_writer(os.getpid())}."  # so that what a killed process left is known as such
    with tempfile.NamedTemporaryFile(
        dir=folder, prefix=prefix, suffix=_TEMPORARY, delete=False
    ) as file:
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


def remove_left_behind(folder: str) -> None:
    """Remove the half-written files of this machine's processes that are no more."""
    for path in sorted(Path(folder).glob(f".*{_TEMPORARY}")):
        writer, _, number = path.name[1:].split(".")[0].rpartition("-")
        is_ours = number.isdecimal() and f"{writer}-{number}" == _writer(int(number))
        if is_ours and not _is_running(int(number)):
            path.unlink(missing_ok=True)


def _writer(process: int) -> str:
    return f"{platform.node().partition('.')[0]}-{process}"


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's, but there
        return True
    return True


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
