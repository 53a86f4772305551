"""Which files of a META folder or archive hold which table, and how they are opened.

A table is one file, plain or gzipped, or parts of one that were gzipped apart
(``MRCONSO.RRF.aa.gz``, ``MRCONSO.RRF.ab.gz``), in a folder or in a zip archive as the NLM gives
it (``.zip``, ``.nlm``). A file in an archive is written ``umls.zip!/2025AB/META/MRSTY.RRF``.
"""

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from umls_tools.columns import COLUMNS
from umls_tools.errors import RrfError

OpenFile = Callable[[str], BinaryIO]

REQUIRED = ("MRCONSO", "MRSTY", "MRSAB")
IN_ARCHIVE = "!/"
ARCHIVES = (".zip", ".nlm")
_GZIP_MAGIC = b"\x1f\x8b"
_PART = re.compile(r"\.RRF\.([a-z]{2})\.gz")


@dataclass(frozen=True, slots=True)
class TableFile:
    """The file of one table, or its parts in order."""

    table: str
    paths: tuple[str, ...]

    @property
    def name(self) -> str:
        """What an error calls it."""
        return self.paths[0]

    @property
    def may_be_cut(self) -> bool:
        """Whether a reader can start in the middle."""
        return len(self.paths) == 1 and self.name.endswith(".RRF") and IN_ARCHIVE not in self.name


def open_local(path: str) -> BinaryIO:
    """Open a file of this machine for reading bytes."""
    return Path(path).open("rb")


def members(paths: Iterable[str], open_file: OpenFile = open_local) -> list[str]:
    """The paths, with those in archives in place of the archives."""
    return sorted(inner for path in paths for inner in _inside(path, open_file))


def locate(names: Iterable[str], folder: str = "") -> dict[str, TableFile]:
    """Find the tables among the files of one folder: table to file, in order of COLUMNS.

    A plain file is taken before its ``.gz``, that before parts. Only MRCONSO, MRSTY and MRSAB
    must be there. ``folder`` serves the error message alone; without it the folder of the first
    name is named.
    """
    paths = sorted(names)
    where = folder or _folder_of(paths)
    found = {
        table: TableFile(table, chosen) for table in COLUMNS if (chosen := _choose(table, paths))
    }
    if missing := [table for table in REQUIRED if table not in found]:
        raise RrfError(
            f"{where}: no {_list_of(missing)}; give the META folder of a Metathesaurus release, "
            "made by MetamorphoSys or downloaded, or the zip that holds it"
        )
    return found


@contextmanager
def open_table(file: TableFile, open_file: OpenFile = open_local) -> Iterator[BinaryIO]:
    """Open a table for reading its bytes, inflated, its parts one after another.

    ``open_file`` must return the bytes as they are stored: gzip is recognised by its first bytes,
    and only this reader notices when a file is cut off. A broken file raises RrfError from
    `read_chunk`.
    """
    with ExitStack() as opened:
        if len(file.paths) == 1:
            yield opened.enter_context(_open_part(file.name, open_file))
        else:
            parts = (opened.enter_context(_open_part(path, open_file)) for path in file.paths)
            yield cast(BinaryIO, io.BufferedReader(_Joined(parts)))


def refuse_empty(tables: Mapping[str, TableFile], open_file: OpenFile = open_local) -> None:
    """Raise RrfError for a table without which there is nothing to read, if it has no byte."""
    for table in REQUIRED:
        with open_table(tables[table], open_file) as stream:
            if not read_chunk(stream, 1, tables[table].name):
                raise RrfError(f"{tables[table].name}: empty; copy or download it again")


def read_chunk(stream: BinaryIO, size: int, path: str) -> bytes:
    """Read up to `size` bytes; what cannot be inflated or is cut off raises RrfError."""
    with _whole(path):
        return stream.read(size)


def read_into(stream: BinaryIO, buffer: memoryview, path: str) -> int:
    """Fill a buffer as far as there are bytes, with `read_chunk`'s errors; gives their number."""
    with _whole(path):
        return cast(io.BufferedIOBase, stream).readinto(buffer)


@contextmanager
def _whole(path: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise RrfError(f"{path}: broken compressed file ({error}); download it again") from error


class _Joined(io.RawIOBase):
    """Several streams read as one."""

    def __init__(self, parts: Iterator[BinaryIO]) -> None:
        self.parts = parts
        self.current = next(parts)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not (data := self.current.read(len(buffer))):
            following = next(self.parts, None)
            if following is None:
                return 0
            self.current = following
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def _open_part(path: str, open_file: OpenFile) -> Iterator[BinaryIO]:
    with ExitStack() as opened:
        stored = opened.enter_context(_open_stored(path, open_file))
        if stored.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC:
            stored.seek(0)
            yield cast(BinaryIO, opened.enter_context(gzip.GzipFile(fileobj=stored)))
        else:
            stored.seek(0)
            yield stored


@contextmanager
def _open_stored(path: str, open_file: OpenFile) -> Iterator[BinaryIO]:
    archive, inside, member = path.partition(IN_ARCHIVE)
    with open_file(archive) as stored:
        if not inside:
            yield stored
            return
        with zipfile.ZipFile(stored) as opened, opened.open(member) as inflated:
            yield cast(BinaryIO, inflated)


def _inside(path: str, open_file: OpenFile) -> Iterator[str]:
    if not path.lower().endswith(ARCHIVES):
        yield path
        return
    try:
        with open_file(path) as stored, zipfile.ZipFile(stored) as opened:
            yield from (f"{path}{IN_ARCHIVE}{name}" for name in opened.namelist())
    except zipfile.BadZipFile as error:
        raise RrfError(f"{path}: broken archive ({error}); download it again") from error


def _choose(table: str, paths: list[str]) -> tuple[str, ...]:
    # Releases hold optional folders with files of the same name: only META itself counts, and
    # what was changed between releases stands in META/CHANGE.
    name = table.removeprefix("CHANGE/")
    for wanted in (f"{name}.RRF", f"{name}.RRF.gz"):
        fitting = [path for path in paths if _base_name(path) == wanted]
        if len(fitting) > 1:
            raise RrfError(f"{fitting[0]} and {fitting[1]}: two releases; give one META folder")
        if fitting:
            return (fitting[0],)
    return _parts(name, paths)


def _parts(name: str, paths: list[str]) -> tuple[str, ...]:
    """The parts of a table by their letters, none missing in between."""
    parts = {
        match.group(1): path
        for path in paths
        if _base_name(path).startswith(f"{name}.RRF.")
        and (match := _PART.fullmatch(_base_name(path).removeprefix(name)))
    }
    for number, letters in enumerate(sorted(parts)):
        expected = chr(ord("a") + number // 26) + chr(ord("a") + number % 26)
        if letters != expected:
            raise RrfError(
                f"{parts[letters]}: part {expected} of {name}.RRF is missing before it; "
                "copy all parts into one folder"
            )
    return tuple(parts[letters] for letters in sorted(parts))


def _list_of(tables: list[str]) -> str:
    return ", ".join(f"{table}.RRF or {table}.RRF.gz" for table in tables)


def _base_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _folder_of(paths: list[str]) -> str:
    return (paths[0].rpartition("/")[0] if paths else "") or "the folder"
