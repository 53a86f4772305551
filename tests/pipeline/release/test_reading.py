"""Parquet files of other schemas, or cut short, are told in one line that names file and column."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.release.layout import ReleaseError
from pipeline.release.reading import rows_in

ROWS = {"query-id": ["q1", "q2"], "corpus-ids": [["a"], ["b", "c"]]}
COLUMNS = ("query-id", "corpus-ids")


def spoil_pages(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\x07" * 40 + content[44:])


def column(name: str, values: pa.Array) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        pq.write_table(pa.table({**ROWS, name: values}), path)

    return change


def less(path: Path) -> None:
    pq.write_table(pa.table({"corpus-ids": ROWS["corpus-ids"]}), path)


def twice(path: Path) -> None:
    table = pa.table(ROWS)
    pq.write_table(table.append_column("query-id", table["query-id"]), path)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:60]), "cannot be read"),
    "empty": (lambda path: path.write_bytes(b""), "cannot be read"),
    "pages": (spoil_pages, "cannot be read"),
    "a column less": (
        lambda path: pq.write_table(pa.table({"x": [1]}), path),
        "no column query-id",
    ),
    "a column twice": (twice, "two columns query-id"),
    "ids that are numbers": (column("query-id", pa.array([1, 2])), "column query-id is int64"),
    "ids that are bytes": (column("query-id", pa.array([b"a", b"b"])), "column query-id is binary"),
    "a list that is text": (column("corpus-ids", pa.array(["a", "b"])), "corpus-ids is string"),
    "a list of numbers": (column("corpus-ids", pa.array([[1], [2]])), "corpus-ids is list"),
    "null": (column("query-id", pa.array(["a", None])), "column query-id holds null"),
}
LIKE: dict[str, Callable[[Path], None]] = {
    "large strings": column("query-id", pa.array(["q1", "q2"], pa.large_string())),
    "a dictionary": column("query-id", pa.array(["q1", "q2"]).dictionary_encode()),
    "large lists": column("corpus-ids", pa.array([["a"], ["b", "c"]], pa.large_list(pa.string()))),
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    pq.write_table(pa.table(ROWS), tmp_path / "test.parquet")
    return tmp_path / "test.parquet"


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_named_in_a_line(table: Path, fault: str) -> None:
    spoil, told = FAULTS[fault]
    spoil(table)
    with pytest.raises(ReleaseError) as raised:
        list(rows_in(table, COLUMNS))
    assert str(raised.value).startswith(f"{table}: ")
    assert told in str(raised.value)
    assert str(raised.value).endswith("; fetch the release again")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("like", LIKE)
def test_the_same_values_of_another_tool_are_read(table: Path, like: str) -> None:
    LIKE[like](table)
    whole = [{"query-id": "q1", "corpus-ids": ["a"]}, {"query-id": "q2", "corpus-ids": ["b", "c"]}]
    assert list(rows_in(table, COLUMNS)) == whole
