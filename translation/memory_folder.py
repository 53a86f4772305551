"""Keeps the folder of a translation cache whole: damaged files aside, many small ones in one."""

from collections.abc import Iterable
from pathlib import Path

from translation.base import TranslationError
from translation.memory import Entry
from translation.memory_files import (
    PARQUET,
    Vanished,
    list_local,
    read_entries,
    remove_left_behind,
    write_entries,
)

DAMAGED = ".damaged"


def set_aside_damaged(folder: str) -> list[str]:
    """Rename the Parquet files of a folder that cannot be read; says of each which and why.

    Their translations are made again. Other files are somebody's own, and are left alone.
    """
    said = []
    for path in _written(folder):
        try:
            read_entries(path)
        except Vanished:
            continue
        except TranslationError as error:
            Path(path).replace(path + DAMAGED)
            said.append(f"{error}; set aside as {Path(path).name}{DAMAGED}")
    return said


def tidy(folder: str) -> list[str]:
    """Remove what killed processes left half-written, set aside what is damaged, and compact the
    rest; says what was damaged.
    """
    remove_left_behind(folder)
    said = set_aside_damaged(folder)
    compact(folder)
    return said


def compact(folder: str) -> str:
    """Put the Parquet files of a folder into one, named by its content; gives its path, or "".

    The same entries give the same file, however many files they came from. Whoever is killed
    here leaves some entries twice, and none out: the one file stands before the others go. Others
    may write, read and compact meanwhile, since only what was read in full is removed, and what
    contains it all is never among that.
    """
    paths = _written(folder)
    if len(paths) <= 1:
        return "".join(paths)
    read = {path: entries for path in paths if (entries := _read_if_there(path)) is not None}
    target = write_entries(folder, _all(read.values()))
    for path in sorted(read.keys() - {target}):
        Path(path).unlink(missing_ok=True)
    return target


def _written(folder: str) -> list[str]:
    return [path for path in list_local(folder) if path.endswith(PARQUET)]


def _read_if_there(path: str) -> list[Entry] | None:
    try:
        return read_entries(path)
    except Vanished:
        return None


def _all(parts: Iterable[list[Entry]]) -> list[Entry]:
    return [entry for part in parts for entry in part]
