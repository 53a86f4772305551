"""What a repository holds, as far as a release is concerned; values alone, no network."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.publish.outgoing import Outgoing, OutgoingFile

# All below these belongs to the release: what it has not is what a former one left behind.
OWNED = ("data/", "quality/")


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of the repository: its git name and, where it lies in large file storage, SHA-256."""

    blob: str
    sha256: str = ""

    def holds(self, file: OutgoingFile) -> bool:
        """Whether its bytes are the file's, by what the repository says."""
        return self.sha256 == file.sha256 if self.sha256 else self.blob == file.blob


Tree = Mapping[str, Stored]


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open pull request of this version: one commit upon the head that it was made from."""

    number: int
    title: str
    head: str
    parent: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository at one moment.

    `tagged` is the tree under the release's tag, if there is one; `proved` are the commits whose
    files were read back byte by byte.
    """

    exists: bool = False
    private: bool = False
    gated: str = ""  # "", "auto" or "manual"
    head: str = ""
    tree: Tree = field(default_factory=dict)
    tagged: Tree | None = None
    proposals: tuple[Proposal, ...] = ()
    proved: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Changes:
    """What makes a tree hold a release."""

    uploads: tuple[OutgoingFile, ...]
    deletions: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.uploads or self.deletions)


def changes(tree: Tree, outgoing: Outgoing) -> Changes:
    """The files to upload and those to delete; files of other people are left where they are."""
    uploads = tuple(
        file for file in outgoing.files if file.path not in tree or not tree[file.path].holds(file)
    )
    ours = {file.path for file in outgoing.files}
    left_behind = sorted(path for path in tree if path.startswith(OWNED) and path not in ours)
    return Changes(uploads, tuple(left_behind))
