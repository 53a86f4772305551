"""Buckets of concepts: how large tables are cut so that one worker sees whole concepts."""

from collections.abc import Iterator
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def bucket_of(cui: str, buckets: int) -> int:
    """Return the bucket of a concept, the same on every machine and in every run."""
    return crc32(cui.encode()) % buckets


def split_by_bucket(
    batch: pa.RecordBatch, column: str, buckets: int
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the rows of each bucket that occurs, in order of bucket, rows in their own order.

    Each yielded batch is a copy: a slice would carry its whole parent through a pickle.
    """
    if not batch.num_rows:
        return
    encoded = pc.dictionary_encode(batch.column(column))
    of_value = [bucket_of(cui, buckets) for cui in encoded.dictionary.to_pylist()]
    of_row = np.array(of_value, dtype=np.int64)[encoded.indices.to_numpy(zero_copy_only=False)]
    order = np.argsort(of_row, kind="stable")
    found, starts = np.unique(of_row[order], return_index=True)
    ends = [*starts[1:], len(order)]
    for bucket, start, end in zip(found.tolist(), starts, ends, strict=True):
        yield bucket, batch.take(pa.array(order[start:end]))
