"""Parquet files whose bytes depend on their rows alone: sorted, explicit, written once."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.release.layout import ReleaseError, shard_name

# The Hub's viewer reads row groups of up to 100 MB (uncompressed) and likes files under 500 MB.
ROW_GROUP_BYTES = 64_000_000
SHARD_BYTES = 400_000_000
MAX_ROW_GROUP_ROWS = 50_000


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a release as the manifest lists it; `rows` is 0 where there are none."""

    path: str
    rows: int
    bytes: int
    sha256: str

    def as_json(self) -> dict[str, str | int]:
        """For the manifest."""
        return asdict(self)


def write_shards(table: pa.Table, root: Path, folder: str) -> list[FileEntry]:
    """Write a sorted table as the shards of one folder of a release. No rows, no file."""
    if table.num_rows == 0:
        return []
    pieces = list(_shards(table))
    return [
        write_parquet(piece, root, f"{folder}/{shard_name(place, len(pieces))}")
        for place, piece in enumerate(pieces)
    ]


def write_parquet(table: pa.Table, root: Path, path: str) -> FileEntry:
    """Write one Parquet file by a temporary name, then rename it; refuses an empty table."""
    if table.num_rows == 0:
        raise ReleaseError(f"{path}: no rows; the datasets library refuses such a file")
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    pq.write_table(
        table.combine_chunks(),
        temporary,
        compression="zstd",
        row_group_size=_rows_within(table, ROW_GROUP_BYTES, MAX_ROW_GROUP_ROWS),
        write_page_index=True,
        store_schema=True,
    )
    temporary.replace(target)
    return entry_of(root, path, table.num_rows)


def entry_of(root: Path, path: str, rows: int = 0) -> FileEntry:
    """Measure a file that stands in a release."""
    file = root / path
    with file.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    return FileEntry(path, rows, file.stat().st_size, digest)


def _shards(table: pa.Table) -> Iterator[pa.Table]:
    rows = _rows_within(table, SHARD_BYTES, table.num_rows)
    for start in range(0, table.num_rows, rows):
        yield table.slice(start, rows)


def _rows_within(table: pa.Table, limit: int, most: int) -> int:
    """How many rows of average size fit into `limit` bytes."""
    fitting: int = limit * table.num_rows // max(1, table.nbytes)
    return max(1, min(most, fitting))
