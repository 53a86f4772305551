"""Rows of a release, each with the file that it stands in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

TASKS = ("concepts", "evidence", "qa")
_ABOVE_SUBSET = 3  # data, task and kind stand above a subset's own folders


class AuditError(ValueError):
    """A release that cannot be read, so that nothing can be said about it."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a row stands: a file, relative to the release, and the row's id."""

    file: str
    row: str

    @property
    def subset(self) -> str:
        """The folders below a kind of table: a language, or a tier and a language."""
        return "/".join(PurePosixPath(self.file).parts[_ABOVE_SUBSET:-1])

    def __str__(self) -> str:
        """As messages name it."""
        return f"{self.file} {self.row}"

    def as_json(self) -> dict[str, str]:
        """For the certificate."""
        return {"file": self.file, "id": self.row}


def tasks_in(root: Path) -> tuple[str, ...]:
    """The tasks of the contract and whatever other task has a folder, sorted."""
    data = root / "data"
    if not data.is_dir():
        raise AuditError(f"{root}: no folder data/; this is not a release, or not a whole one")
    return tuple(sorted({*TASKS, *(folder.name for folder in data.iterdir() if folder.is_dir())}))


def rows(
    root: Path, task: str, kind: str, columns: tuple[str, ...]
) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Rows of all shards of one kind of table of a task; the first column is the row's id."""
    for path in sorted((root / "data" / task / kind).rglob("*.parquet")):
        name = path.relative_to(root).as_posix()
        for row in _read(path, name, columns):
            yield Place(name, row[columns[0]]), row


def _read(path: Path, name: str, columns: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    try:
        with pq.ParquetFile(path) as file:
            missing = set(columns) - set(file.schema_arrow.names)
            if missing:
                raise AuditError(f"{name}: no column {min(missing)}; build the release again")
            for batch in file.iter_batches(columns=list(columns)):
                yield from _without_nulls(batch, name)
    except (pa.ArrowException, OSError) as error:
        told = " ".join(str(error).split())
        raise AuditError(f"{name}: not a readable Parquet file ({told}); fetch it again") from error


def _without_nulls(batch: pa.RecordBatch, name: str) -> Iterator[Mapping[str, Any]]:
    for column in batch.schema.names:
        if batch.column(column).null_count:
            raise AuditError(f"{name}: null in column {column}; the contract allows none")
    yield from batch.to_pylist()
