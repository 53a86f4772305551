"""Which files of a release the manifest knows."""

from pipeline.lint.base import Opened
from splits.audit.manifest import MANIFEST


def is_unlisted(release: Opened, path: str) -> bool:
    """Whether a file is there and the manifest, if it lists files at all, does not name it."""
    listed = {entry["path"] for entry in release.manifest.files}
    known = {MANIFEST, *listed} if listed else set(release.files)
    return path in release.files and path not in known
