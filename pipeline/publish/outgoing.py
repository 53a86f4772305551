"""The release that is to be published, as a table of files with the hashes that both ends know."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pipeline.release.layout import MANIFEST, ReleaseError
from pipeline.release.told import read_told

_BLOCK = 1 << 20


class PublishError(ValueError):
    """A release cannot be published, or the place it goes to does not agree."""


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A file of the release; `blob` is its name in git, `sha256` in large file storage."""

    path: str
    local: Path
    size: int
    sha256: str
    blob: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A whole release, its files in order of their paths."""

    version: str
    build_hash: str
    profile: str
    files: tuple[OutgoingFile, ...]

    @property
    def tag(self) -> str:
        """The git tag of this version."""
        return f"v{self.version}"

    @property
    def titles(self) -> str:
        """How the titles of all proposals of this version begin."""
        return f"Release {self.version} ("

    @property
    def title(self) -> str:
        """The message of the commit and title of the proposal, which names the build."""
        return f"{self.titles}{self.build_hash[:12]})"


def read_outgoing(release: Path) -> Outgoing:
    """The release in a folder: what its manifest lists, and the manifest.

    Raises:
        PublishError: There is no manifest, or a file is not as the manifest lists it.
    """
    try:
        manifest = read_told(release, ("version", "build_hash", "profile", "files"))
    except ReleaseError as error:
        raise PublishError(str(error)) from error
    listed = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    files = [_file(release, path) for path in sorted({*listed, MANIFEST})]
    for file in files:
        if listed.get(file.path, file.sha256) != file.sha256:
            raise PublishError(f"{file.local}: changed since the build; build the release again")
    version, build_hash = manifest["version"], manifest["build_hash"]
    return Outgoing(version, build_hash, manifest["profile"], tuple(files))


def _file(release: Path, path: str) -> OutgoingFile:
    local = release / path
    size = local.stat().st_size
    plain, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with local.open("rb") as opened:
        while block := opened.read(_BLOCK):
            plain.update(block)
            blob.update(block)
    return OutgoingFile(path, local, size, plain.hexdigest(), blob.hexdigest())
