"""Buckets of concepts: rows in any order are gathered, so that one worker has whole concepts."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from umls_tools.concepts import SCHEMAS, nothing
from umls_tools.merging import joined
from umls_tools.rows import Words
from umls_tools.selection import Selected, distinct

# What was seen of a table, beside what was kept of it.
SEEN = "seen"
_KEY = "cui"
# Multiplies by 2^64 over the golden ratio, which spreads neighbouring numbers (Knuth 1973, 6.4).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def buckets_of(keys: Words, buckets: int) -> Words:
    """The bucket of each concept, the same on every machine and in every run."""
    with np.errstate(over="ignore"):
        return ((keys * _SPREAD) >> np.uint64(32)) % np.uint64(buckets)


def cut(table: str, rows: Selected, buckets: int) -> Iterator[tuple[int, str, pa.RecordBatch]]:
    """Yield what each bucket has of the rows, and under SEEN what was seen of its concepts.

    Each batch is a copy: a slice would carry its whole parent through a pickle.
    """
    whole = rows.kept.add_column(0, _KEY, pa.array(rows.keys))
    for bucket, part in _cut(whole, rows.keys, buckets):
        yield bucket, table, part
    seen = pa.RecordBatch.from_arrays([pa.array(rows.seen)], names=[_KEY])
    for bucket, part in _cut(seen, rows.seen, buckets):
        yield bucket, SEEN, part


def gathered(parts: Mapping[str, Sequence[pa.RecordBatch]]) -> dict[str, Selected]:
    """What a bucket has of every table, given the batches that `cut` made, in any order."""
    tables = {
        table: joined([nothing(table), *(_uncut(batch) for batch in parts.get(table, ()))])
        for table in SCHEMAS
    }
    seen = [batch.column(_KEY).to_numpy() for batch in parts.get(SEEN, ())]
    atoms = tables["MRCONSO"]
    all_seen = distinct(np.concatenate([atoms.seen, *seen]))
    return {**tables, "MRCONSO": Selected(atoms.keys, atoms.kept, all_seen)}


def _cut(batch: pa.RecordBatch, keys: Words, buckets: int) -> Iterator[tuple[int, pa.RecordBatch]]:
    if not len(keys):
        return
    of_row = buckets_of(keys, buckets)
    order = np.argsort(of_row, kind="stable")
    found, starts = np.unique(of_row[order], return_index=True)
    ends = [*starts[1:], len(order)]
    for bucket, start, end in zip(found.tolist(), starts, ends, strict=True):
        yield bucket, batch.take(pa.array(order[start:end]))


def _uncut(batch: pa.RecordBatch) -> Selected:
    keys = batch.column(_KEY).to_numpy()
    return Selected(keys, batch.remove_column(0), keys[:0])
