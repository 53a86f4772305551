"""What is exported: the subsets of a release and their rows, in the order of its files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.release.layout import (
    TIERS,
    ReleaseError,
    Subset,
    corpus_folder,
    subset_folder,
    subsets,
)
from pipeline.release.reading import rows_in
from pipeline.release.told import read_told
from pipeline.schemas import Row

SHARDS = "test-*.parquet"
NAMING = ("name", "version", "umls_release", "build_hash")


@dataclass(frozen=True, slots=True)
class Source:
    """A release as an export sees it: where it lies, what names it, which subsets it has."""

    root: Path
    name: str
    version: str
    umls_release: str
    build_hash: str
    subsets: tuple[Subset, ...]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that have a subset, in the order of the design."""
        return tuple(dict.fromkeys(subset.task for subset in self.subsets))

    def of(self, task: str, tier: str = "") -> tuple[Subset, ...]:
        """The subsets of a task, of concepts of one tier."""
        return tuple(one for one in self.subsets if (one.task, one.tier) == (task, tier))


def open_source(root: Path) -> Source:
    """Find what a release holds.

    Raises:
        ReleaseError: There is no manifest, no subset, or hashes stand where texts should.
    """
    told = read_told(root, (*NAMING, "languages"))
    if told.get("profile") == "ids":
        raise ReleaseError(
            f"{root}: of profile `ids`, with hashes where texts may not go; hydrate it first"
        )
    listed = subsets(tuple(told["languages"]), TIERS)
    found = tuple(one for one in listed if _shards(root, subset_folder(one, "queries")))
    if not found:
        raise ReleaseError(f"{root}: no queries; fetch the release again")
    named = {name: str(told[name]) for name in NAMING}
    return Source(root=root, subsets=found, **named)


def corpus_rows(source: Source, task: str, columns: Sequence[str]) -> Iterator[Row]:
    """The documents of a task."""
    return _rows(source.root, corpus_folder(task), columns)


def subset_rows(source: Source, subset: Subset, kind: str, columns: Sequence[str]) -> Iterator[Row]:
    """The rows of one of a subset's own tables."""
    return _rows(source.root, subset_folder(subset, kind), columns)


def _shards(root: Path, folder: str) -> list[Path]:
    return sorted((root / folder).glob(SHARDS))


def _rows(root: Path, folder: str, columns: Sequence[str]) -> Iterator[Row]:
    shards = _shards(root, folder)
    if not shards:
        raise ReleaseError(f"{root / folder}: no {SHARDS}; fetch the release again")
    for shard in shards:
        yield from rows_in(shard, columns)
