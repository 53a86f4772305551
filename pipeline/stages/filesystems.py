"""Files through Beam's filesystems: whatever has a scheme, or lies on this machine."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from pipeline.release.writing import FileEntry
from pipeline.settings import PlanError

_BLOCK = 1 << 20


def open_file(path: str) -> BinaryIO:
    """Open for reading, as the bytes lie there: readers undo compression themselves.

    Beam's own decompression ends a truncated .gz without an error.
    """
    return cast(BinaryIO, FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED))


def list_files(path: str) -> list[str]:
    """The files under a folder at any depth, or the file itself, sorted by path."""
    if "://" not in path:
        return _list_local(path)
    patterns = [path, path.rstrip("/") + "/**"]
    found = {m.path for match in FileSystems.match(patterns) for m in match.metadata_list}
    if not found:
        raise PlanError(f"{path}: nothing is there; check the plan's path and your access")
    return sorted(found)


def _list_local(path: str) -> list[str]:
    here = Path(path)
    if not here.exists():
        raise PlanError(f"{path}: no such file or folder; check the plan's path")
    return sorted(_walk(path)) if here.is_dir() else [path]


def _walk(folder: str) -> Iterator[str]:
    """Every file under a folder, through links; what cannot be entered or followed is an error."""
    entered: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True, onerror=_raise):
        real = os.path.realpath(place)
        if real in entered:  # a link that leads back
            folders.clear()
            continue
        entered.add(real)
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118 - as os.walk names it
            if not Path(path).exists():
                raise PlanError(f"{path}: a link that leads nowhere; mend it or remove it")
            yield path


def _raise(error: OSError) -> None:
    raise error


def fingerprint(path: str, name: str) -> FileEntry:
    """Measure an input file for the manifest, under a name that holds on any machine."""
    digest, size = hashlib.sha256(), 0
    with open_file(path) as handle:
        while block := handle.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return FileEntry(name, 0, size, digest.hexdigest())


def exists(path: str) -> bool:
    """Whether anything is there; "" is nowhere."""
    if not path:
        return False
    return bool(FileSystems.exists(path)) if "://" in path else Path(path).exists()
