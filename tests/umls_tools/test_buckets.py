import pickle
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.buckets import bucket_of, split_by_bucket

Rows = Callable[..., pa.RecordBatch]
LINES = [f"C{n % 40:07d} T{n:03d}" for n in range(400)]


def test_buckets_are_the_same_everywhere() -> None:
    """The check value that the definition of CRC-32 gives."""
    assert bucket_of("123456789", 1 << 32) == 0xCBF43926


def test_rows_go_to_the_bucket_of_their_concept_in_their_own_order(rows: Rows) -> None:
    batch = rows(("CUI", "TUI"), *LINES)
    parts = list(split_by_bucket(batch, "CUI", 7))
    assert [bucket for bucket, _ in parts] == list(range(7))
    assert sum(part.num_rows for _, part in parts) == batch.num_rows
    for bucket, part in parts:
        assert {bucket_of(cui, 7) for cui in part.column("CUI").to_pylist()} == {bucket}
        tuis = part.column("TUI").to_pylist()
        assert tuis == sorted(tuis)
        assert part.schema == batch.schema


def test_parts_do_not_carry_their_parent(rows: Rows) -> None:
    batch = rows(("CUI", "TUI"), *LINES)
    sizes = [len(pickle.dumps(part)) for _, part in split_by_bucket(batch, "CUI", 40)]
    assert max(sizes) < len(pickle.dumps(batch)) / 4


@pytest.mark.parametrize(("lines", "buckets", "expected"), [([], 4, []), (LINES, 1, [0])])
def test_extremes(rows: Rows, lines: list[str], buckets: int, expected: list[int]) -> None:
    parts = split_by_bucket(rows(("CUI", "TUI"), *lines), "CUI", buckets)
    assert [bucket for bucket, _ in parts] == expected
