"""A release appears whole or not at all: built beside its place, then renamed into it."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.release.layout import ReleaseError


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

    A folder cannot replace another in one step, so the old one is moved aside first: between two
    renames there is no release at `target`, never a mixed one.
    """
    replaced = _replaced(target)
    if target.exists():
        _remove(replaced)
        target.rename(replaced)
    staging.rename(target)
    _remove(replaced)


def _restore(target: Path) -> None:
    """Put back the release that a build had moved aside when it was killed."""
    if _replaced(target).exists() and not target.exists():
        _replaced(target).rename(target)


def _replaced(target: Path) -> Path:
    return target.with_name(f".{target.name}.replaced")


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    with target.with_name(f".{target.name}.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ReleaseError(
                f"{target}: another build is writing it; wait for its end"
            ) from error
        yield


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
