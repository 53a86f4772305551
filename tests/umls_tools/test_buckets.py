import pickle

import numpy as np
import pyarrow as pa
import pytest

from umls_tools.buckets import SEEN, buckets_of, cut, gathered
from umls_tools.rows import texts_of, words_of
from umls_tools.selection import Selected, distinct

CUIS = [f"C{n % 400:07d}" for n in range(4_000)]


def types(cuis: list[str]) -> Selected:
    keys = words_of(pa.array(cuis, pa.string()))
    tuis = pa.array([f"T{n:04d}" for n in range(len(cuis))], pa.string())
    kept = pa.RecordBatch.from_arrays([tuis], names=["tui"])
    return Selected(keys, kept, distinct(keys))


def test_buckets_are_the_same_everywhere() -> None:
    """Worked out once by hand: the key times the multiplier, the upper half of it, the rest."""
    key = int.from_bytes(b"C0000001", "big")
    by_hand = ((key * 0x9E3779B97F4A7C15 % 2**64) >> 32) % 16
    assert buckets_of(words_of(pa.array(["C0000001"])), 16).tolist() == [by_hand]


def test_neighbours_are_spread() -> None:
    keys = words_of(pa.array([f"C{n:07d}" for n in range(16_000)]))
    sizes = np.bincount(buckets_of(keys, 16).astype(np.int64))
    assert sizes.min() > 900
    assert sizes.max() < 1_100


def test_rows_go_to_the_bucket_of_their_concept_in_their_own_order() -> None:
    found = list(cut("MRSTY", types(CUIS), 7))
    rows = [(bucket, batch) for bucket, table, batch in found if table == "MRSTY"]
    assert [bucket for bucket, _ in rows] == list(range(7))
    assert sum(batch.num_rows for _, batch in rows) == len(CUIS)
    for bucket, batch in rows:
        assert set(buckets_of(batch.column("cui").to_numpy(), 7).tolist()) == {bucket}
        tuis = batch.column("tui").to_pylist()
        assert tuis == sorted(tuis)
    seen = [cui for _, table, batch in found if table == SEEN for cui in batch.column("cui")]
    assert len(seen) == 400


def test_what_is_cut_is_gathered() -> None:
    parts: dict[int, dict[str, list[pa.RecordBatch]]] = {}
    for bucket, table, batch in cut("MRSTY", types(CUIS), 3):
        parts.setdefault(bucket, {}).setdefault(table, []).append(batch)
    found = [gathered(of_bucket) for of_bucket in parts.values()]
    cuis = [cui for tables in found for cui in texts_of(tables["MRSTY"].keys).to_pylist()]
    assert sorted(cuis) == sorted(CUIS)
    assert all(not len(tables["MRREL"].keys) for tables in found)


def test_parts_do_not_carry_their_parent() -> None:
    rows = types(CUIS)
    sizes = [len(pickle.dumps(batch)) for _, _, batch in cut("MRSTY", rows, 40)]
    assert max(sizes) < len(pickle.dumps(rows.kept)) / 4


@pytest.mark.parametrize(("cuis", "buckets", "expected"), [([], 4, []), (CUIS, 1, [0, 0])])
def test_extremes(cuis: list[str], buckets: int, expected: list[int]) -> None:
    assert [bucket for bucket, _, _ in cut("MRSTY", types(cuis), buckets)] == expected
