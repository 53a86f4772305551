"""Which file of a META folder holds which table, and how a local one is opened."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

from umls_tools.columns import COLUMNS
from umls_tools.errors import RrfError

OpenFile = Callable[[str], BinaryIO]

REQUIRED = ("MRCONSO", "MRSTY", "MRSAB")


def open_local(path: str) -> BinaryIO:
    """Open a file of this machine for reading bytes."""
    return Path(path).open("rb")


def locate(names: Iterable[str], folder: str = "") -> dict[str, str]:
    """Find the tables among the files of one folder: table to path, as listed.

    A plain file is taken before its ``.gz``. Only MRCONSO, MRSTY and MRSAB must be there.
    ``folder`` serves the error message alone; without it the folder of the first name is named.
    """
    paths = sorted(names)
    where = folder or _folder_of(paths)
    found = {table: path for table in COLUMNS if (path := _choose(table, paths))}
    missing = [table for table in REQUIRED if table not in found]
    if missing:
        raise RrfError(f"{where}: no {_list_of(missing)}; {_remedy(missing[0], paths)}")
    return found


def _choose(table: str, paths: list[str]) -> str:
    for wanted in (f"{table}.RRF", f"{table}.RRF.gz"):
        fitting = [path for path in paths if _base_name(path) == wanted]
        if len(fitting) > 1:
            raise RrfError(f"{fitting[0]} and {fitting[1]}: two releases; give one META folder")
        if fitting:
            return fitting[0]
    return ""


def _remedy(table: str, paths: list[str]) -> str:
    if any(_base_name(path).startswith(f"{table}.RRF.") for path in paths):
        return f"join its parts first: cat {table}.RRF.*.gz > {table}.RRF.gz"
    return "give the META folder of a Metathesaurus release, made by MetamorphoSys or downloaded"


def _list_of(tables: list[str]) -> str:
    return ", ".join(f"{table}.RRF or {table}.RRF.gz" for table in tables)


def _base_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _folder_of(paths: list[str]) -> str:
    return (paths[0].rpartition("/")[0] if paths else "") or "the folder"
