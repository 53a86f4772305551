"""A release appears whole or not at all: built beside its place, then renamed into it."""

import ctypes
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pipeline.release.layout import ReleaseError

# Of Linux's renameat2: relative to the working folder, and both names change places at once.
_AT_FDCWD, _EXCHANGE = -100, 2
_NOT_HERE = (errno.ENOSYS, errno.EINVAL)


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """An empty sibling of `target` to build in, for one build at a time.

    What a killed build left there is removed. When the block ends well, the caller has renamed the
    folder by `commit`; when it does not, the half-built folder is removed.
    """
    staging = target.with_name(f".{target.name}.building")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _locked(target):
            _remove(staging)
            _restore(target)
            staging.mkdir()
            try:
                yield staging
            finally:
                _remove(staging)
    except OSError as error:
        raise ReleaseError(
            f"{error.filename or target.parent}: {error.strerror or error}"
        ) from error


def commit(staging: Path, target: Path) -> None:
    """Put the finished folder in its place; a release that stood there gives way.

    Where the file system can, the two change places in one step, and the old one goes with what is
    left of the staging. Else the old one is moved aside first: between two renames there is no
    release at `target`, never a mixed one, and the next build puts it back.
    """
    replaced = _replaced(target)
    if target.exists():
        _remove(replaced)
        if _exchanged(staging, target):
            return
        target.rename(replaced)
    staging.rename(target)
    _remove(replaced)


def _exchanged(one: Path, other: Path) -> bool:
    """Whether two folders have changed places; False where the system cannot do that."""
    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    names = (_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other))
    if exchange is None or not exchange(*names, _EXCHANGE):
        return exchange is not None
    code = ctypes.get_errno()
    if code in _NOT_HERE:
        return False
    raise OSError(code, os.strerror(code), str(other))


def _restore(target: Path) -> None:
    """Put back the release that a build had moved aside when it was killed."""
    if _replaced(target).exists() and not target.exists():
        _replaced(target).rename(target)


def _replaced(target: Path) -> Path:
    return target.with_name(f".{target.name}.replaced")


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    path = target.with_name(f".{target.name}.lock")
    with _acquire(path, target):
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _acquire(path: Path, target: Path) -> IO[str]:
    """The lock file, locked; it is removed by who holds it.

    So a file that was opened before its holder removed it locks nothing: whoever gets its lock
    looks whether it still has the name, and opens the next one if not.
    """
    while True:
        handle = path.open("w")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            handle.close()
            raise ReleaseError(
                f"{target}: another build is writing it; wait for its end"
            ) from error
        if _has_name(handle, path):
            return handle
        handle.close()


def _has_name(handle: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
