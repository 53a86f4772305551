import hashlib
import itertools
import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.release import writing
from pipeline.release.layout import ReleaseError
from pipeline.release.writing import FileEntry, entry_of, write_parquet, write_shards
from pipeline.schemas import to_table

ROWS = [{"query-id": f"q{n:03}", "corpus-id": f"p{n:03}", "score": 1} for n in range(100)]


def names(entries: list[FileEntry]) -> list[str]:
    return [Path(entry.path).name for entry in entries]


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    orders = itertools.islice(itertools.permutations(ROWS[:6]), 0, None, 89)
    entries = {
        tuple(write_shards(to_table("qrels", order), tmp_path / str(at), "data/x"))
        for at, order in enumerate(orders)
    }
    assert len(entries) == 1


def test_chunks_leave_no_trace(tmp_path: Path) -> None:
    whole = to_table("qrels", ROWS)
    chunked = pa.concat_tables([whole.slice(0, 7), whole.slice(7, 50), whole.slice(57)])
    one, other = (
        write_parquet(t, tmp_path, f"{at}.parquet") for at, t in enumerate((whole, chunked))
    )
    assert one.sha256 == other.sha256


def test_a_file_is_measured_as_it_lies_there(tmp_path: Path) -> None:
    (entry,) = write_shards(to_table("qrels", ROWS), tmp_path, "data/qa/qrels/en")
    file = tmp_path / entry.path
    assert entry == FileEntry(
        path="data/qa/qrels/en/test-00000-of-00001.parquet",
        rows=100,
        bytes=file.stat().st_size,
        sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
    )
    assert entry_of(tmp_path, entry.path, 100) == entry
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_files_are_written_for_the_viewer(tmp_path: Path) -> None:
    (entry,) = write_shards(to_table("qrels", ROWS), tmp_path, "data/x")
    with pq.ParquetFile(tmp_path / entry.path) as file:
        column = file.metadata.row_group(0).column(0)
        assert column.compression == "ZSTD"
        assert column.has_offset_index
        assert column.has_column_index
        assert file.schema_arrow.equals(to_table("qrels", ROWS).schema)


@pytest.mark.parametrize(
    ("limit", "rows_of_shards"),
    [(10**9, [100]), (50, [50, 50]), (40, [40, 40, 20]), (1, [1] * 100), (0, [1] * 100)],
)
def test_a_shard_keeps_within_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, rows_of_shards: list[int]
) -> None:
    """The limit is in bytes, here as many as `limit` of these equally long rows take."""
    table = to_table("qrels", ROWS)
    monkeypatch.setattr(writing, "SHARD_BYTES", math.ceil(limit * table.nbytes / len(ROWS)))
    entries = write_shards(table, tmp_path, "data/x")
    assert [entry.rows for entry in entries] == rows_of_shards
    count = len(rows_of_shards)
    assert names(entries) == [f"test-{n:05d}-of-{count:05d}.parquet" for n in range(count)]
    back = pa.concat_tables(pq.read_table(tmp_path / entry.path) for entry in entries)
    assert back.equals(table)


@pytest.mark.parametrize(
    ("constant", "value", "groups"),
    [("MAX_ROW_GROUP_ROWS", 30, 4), ("ROW_GROUP_BYTES", 1, 100), ("ROW_GROUP_BYTES", 10**9, 1)],
)
def test_a_row_group_keeps_within_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, constant: str, value: int, groups: int
) -> None:
    monkeypatch.setattr(writing, constant, value)
    (entry,) = write_shards(to_table("qrels", ROWS), tmp_path, "data/x")
    with pq.ParquetFile(tmp_path / entry.path) as file:
        assert file.num_row_groups == groups


def test_limits_keep_below_those_of_the_hub() -> None:
    assert writing.ROW_GROUP_BYTES < 100_000_000
    assert writing.SHARD_BYTES < 500_000_000


def test_no_rows_give_no_file(tmp_path: Path) -> None:
    empty = to_table("qrels", [])
    assert write_shards(empty, tmp_path, "data/x") == []
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ReleaseError, match=r"x\.parquet: no rows; the datasets library refuses"):
        write_parquet(empty, tmp_path, "x.parquet")
    assert list(tmp_path.iterdir()) == []
