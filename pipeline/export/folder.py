"""An export appears whole or not at all, and replaces nothing."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.export.source import Source
from pipeline.release.folder import commit, staged
from pipeline.release.layout import ReleaseError

LICENCE = "LICENSE.md"


@contextmanager
def new_folder(source: Source, target: Path) -> Iterator[Path]:
    """A folder beside `target` to write in, which is put in its place when the block ends well.

    Raises:
        ReleaseError: Something stands at `target`, or it lies within the release.
    """
    place = target.resolve()
    if place.is_relative_to(source.root.resolve()):
        raise ReleaseError(f"{target}: within the release, which must stay as it is; go elsewhere")
    if place.exists() and (place.is_file() or any(place.iterdir())):
        raise ReleaseError(f"{target}: is there already; remove it or name another folder")
    with staged(place) as staging:
        yield staging
        commit(staging, place)


def add_licence(source: Source, folder: Path) -> None:
    """Texts go nowhere without the notices of the release."""
    notices = source.root / LICENCE
    if not notices.is_file():
        raise ReleaseError(f"{notices}: no such file; fetch the release again")
    shutil.copyfile(notices, folder / LICENCE)


def same_file(first: Path, second: Path) -> None:
    """The same file at a second place, without its bytes where the file system can."""
    second.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(first, second)
    except OSError:
        shutil.copyfile(first, second)
