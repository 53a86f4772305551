"""Which rows of a table were added, removed or changed, told by their keys."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.release.layout import ReleaseError
from pipeline.release.reading import readable

KEYS = {"qrels": ("query-id", "corpus-id"), "top_ranked": ("query-id",)}
ID = ("_id",)
_ROWS = 4096  # of a batch: bounds how many are Python objects at a time
_SHOWN = 5  # keys of each kind that are named


@dataclass(frozen=True, slots=True)
class TableDiff:
    """A table of both releases: how many rows came, went and changed, and the first of each.

    `columns` are those that only one of both has, or has with another type; where they differ,
    rows are compared by the columns in common.
    """

    folder: str
    rows: int
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether no row and no column differs."""
        return not (self.added or self.removed or self.changed or self.columns)


def compare_tables(folder: str, old: Path, new: Path) -> TableDiff:
    """Compare a table of two releases, each a folder of Parquet files."""
    before, after = _read(old / folder), _read(new / folder)
    columns = sorted({name for name, _ in _columns(before) ^ _columns(after)})
    common = [name for name in before.schema.names if name in after.schema.names]
    key = KEYS.get("".join(folder.split("/")[2:3]), ID)
    for root, table in ((old, before), (new, after)):
        _require_key(root / folder, table, key)
    kept = [name for name in common if name not in columns or name in key]
    was, now = (_digests(table.select(kept), key) for table in (before, after))
    return TableDiff(
        folder,
        len(now),
        added=tuple(sorted(now.keys() - was.keys())),
        removed=tuple(sorted(was.keys() - now.keys())),
        changed=tuple(sorted(one for one in was.keys() & now.keys() if was[one] != now[one])),
        columns=tuple(columns),
    )


def tables_in(root: Path) -> list[str]:
    """The folders of a release that hold a table each, such as ``data/qa/queries/de``."""
    return sorted(
        {path.parent.relative_to(root).as_posix() for path in root.glob("data/**/*.parquet")}
    )


def named(keys: tuple[str, ...]) -> str:
    """The first keys, and how many more there are."""
    more = f" and {len(keys) - _SHOWN:,} more" if len(keys) > _SHOWN else ""
    return ", ".join(keys[:_SHOWN]) + more


def _read(folder: Path) -> pa.Table:
    shards = []
    for path in sorted(folder.glob("*.parquet")):
        with readable(path):
            shards.append(pq.read_table(path, partitioning=None))
    with readable(folder):
        return pa.concat_tables(shards)


def _require_key(folder: Path, table: pa.Table, key: tuple[str, ...]) -> None:
    """Rows of both are told by it."""
    for name in key:
        if table.schema.names.count(name) != 1:
            raise ReleaseError(f"{folder}: not one column {name}; name the folder of a release")


def _columns(table: pa.Table) -> set[tuple[str, str]]:
    return {(field.name, str(field.type)) for field in table.schema}


def _digests(table: pa.Table, key: tuple[str, ...]) -> dict[str, bytes]:
    """A digest of each row by its key."""
    return {" ".join(str(row[name]) for name in key): _digest(row) for row in _rows(table)}


def _rows(table: pa.Table) -> Iterator[dict[str, object]]:
    for batch in table.to_batches(max_chunksize=_ROWS):
        yield from batch.to_pylist()


def _digest(row: dict[str, object]) -> bytes:
    told = repr(sorted(row.items())).encode()
    return hashlib.blake2b(told, digest_size=16).digest()
