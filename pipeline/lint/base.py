"""What a check sees, what it finds, and what a check is."""

import abc
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from splits.audit import read_manifest
from splits.audit.manifest import Manifest

KINDS = ("corpus", "queries", "qrels", "top_ranked")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A fault: which check found it, in which file, in which row of it (or ""), and what it is."""

    check: str
    path: str
    row: str
    message: str

    def __str__(self) -> str:
        """As the command prints it."""
        return f"{self.check} {' '.join(filter(None, (self.path, self.row)))}: {self.message}"


@dataclass(frozen=True, slots=True, order=True)
class Table:
    """A Parquet file that holds one kind of rows: of a scope (a task) and, below it, a subset."""

    path: str
    kind: str
    scope: str
    subset: str


@dataclass(frozen=True)
class Opened:
    """A release's folder, and the user's own META, if one is named."""

    root: Path
    umls: str = ""

    @cached_property
    def manifest(self) -> Manifest:
        """As far as it can be believed; what is wrong with it is a check's business."""
        return read_manifest(self.root)[0]

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Everything below the folder that is no folder, hidden files too."""
        found = (path for path in self.root.rglob("*") if path.is_symlink() or not path.is_dir())
        return tuple(sorted(path.relative_to(self.root).as_posix() for path in found))

    @cached_property
    def parquet(self) -> tuple[str, ...]:
        """The Parquet files that can be read and are not hidden."""
        return tuple(
            path
            for path in self.files
            if path.endswith(".parquet") and not is_hidden(path) and self._opens(path)
        )

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Those of the Parquet files that a corpus, queries, judgements or rankings stand in."""
        found = (_table_at(path) for path in self.parquet)
        return tuple(table for table in found if table is not None)

    @cached_property
    def in_meta(self) -> tuple[list[str], list[str]]:
        """What the META shows to be restricted, and what may be so by chance: read once for all."""
        if not self.umls:
            return [], []
        from pipeline.licence_check import licence_findings  # noqa: PLC0415 - loads Beam

        return licence_findings(self.root, self.umls)

    def of_kind(self, kind: str) -> Iterator[Table]:
        """The tables of one kind."""
        return (table for table in self.tables if table.kind == kind)

    def rows(self, table: Table, columns: Iterable[str]) -> Iterator[tuple[str, Row]]:
        """Each row's id with the row; what the table lacks, or holds as null, is "".

        The first of the columns is the id, whatever type it has.
        """
        first, *rest = columns
        with pq.ParquetFile(self.root / table.path) as file:
            wanted = [name for name in (first, *rest) if name in file.schema_arrow.names]
            for batch in file.iter_batches(columns=wanted):
                for row in batch.to_pylist():
                    full = {name: _known(row.get(name)) for name in (first, *rest)}
                    yield str(full[first]), full

    def _opens(self, path: str) -> bool:
        """Whether all of it can be read: a footer may be whole where the pages are not."""
        try:
            with pq.ParquetFile(self.root / path) as file:
                names = file.schema_arrow.names
                if len(set(names)) < len(names):
                    return False
                for _ in file.iter_batches():
                    pass
        except (pa.ArrowException, OSError):
            return False
        return True


class Check(abc.ABC):
    """One thing that is asked of a release, by its name in `CHECKS`."""

    name: ClassVar[str]

    @abc.abstractmethod
    def find(self, release: Opened) -> Iterator[Finding]:
        """What is wrong; each finding names file, row and remedy."""

    def at(self, path: str, row: str, message: str) -> Finding:
        """A finding of this check."""
        return Finding(self.name, path, row, message)

    def told(self, faults: Iterable[str]) -> Iterator[Finding]:
        """Findings from the audit's lines, which read FILE ROW: WHAT."""
        for fault in faults:
            where, _, message = fault.partition(": ")
            path, _, row = where.partition(" ")
            yield self.at(path, row, message)


def is_hidden(path: str) -> bool:
    """Whether a file, or a folder that it stands in, begins with a point."""
    return any(part.startswith(".") for part in PurePosixPath(path).parts)


def _table_at(path: str) -> Table | None:
    parts = PurePosixPath(path).parts[:-1]
    for place, part in enumerate(parts):
        if part in KINDS:
            return Table(path, part, "/".join(parts[:place]), "/".join(parts[place + 1 :]))
    return None


def _known(value: object) -> object:
    return "" if value is None else value
