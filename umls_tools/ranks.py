"""The Metathesaurus's own order of preference among sources and term types."""

from collections.abc import Iterable

import pyarrow as pa

from umls_tools.errors import RrfError

RANK_COLUMNS = ("RANK", "SAB", "TTY")


def term_ranks(batches: Iterable[pa.RecordBatch]) -> dict[tuple[str, str], int]:
    """Return the rank of each (SAB, TTY) from rows of MRRANK; a higher one is preferred."""
    ranks: dict[tuple[str, str], int] = {}
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in RANK_COLUMNS)
        for text, sab, tty in zip(*columns, strict=True):
            rank = _read_rank(text, sab, tty)
            ranks[sab, tty] = max(rank, ranks.get((sab, tty), rank))
    return ranks


def _read_rank(text: str, sab: str, tty: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise RrfError(
            f"MRRANK.RRF: the rank of {sab} {tty} is {text!r}, expected digits; "
            "take the file from the same release as the others"
        )
    return int(text)
