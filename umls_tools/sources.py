"""What MRSAB states of each source, keyed as SAB is written elsewhere."""

from collections.abc import Iterable

import pyarrow as pa

LANGUAGE_COLUMNS = ("RSAB", "LAT", "CURVER")


def stated_by_source(batches: Iterable[pa.RecordBatch], column: str) -> dict[str, list[str]]:
    """What the rows of each source have in a column of MRSAB, sorted.

    Of several rows of a source only the current ones count, if any is current.
    """
    rows = sorted(row for batch in batches for row in _rows(batch, column))
    current = {source for source, is_current, _ in rows if is_current}
    stated: dict[str, list[str]] = {}
    for source, is_current, text in rows:
        if source and (is_current or source not in current):
            stated.setdefault(source, []).append(text)
    return stated


def source_lats(batches: Iterable[pa.RecordBatch]) -> dict[str, str]:
    """The language (LAT) of each source that states exactly one."""
    stated = stated_by_source(batches, "LAT")
    lats = {source: {text.strip() for text in texts} for source, texts in stated.items()}
    return {source: min(found) for source, found in lats.items() if len(found) == 1 and min(found)}


def _rows(batch: pa.RecordBatch, column: str) -> Iterable[tuple[str, bool, str]]:
    source, current, text = (batch.column(name).to_pylist() for name in ("RSAB", "CURVER", column))
    return zip(source, (flag == "Y" for flag in current), text, strict=True)
