"""MRSAB, MRRANK, MRCUI and MRFILES: the sources, what became of old concepts, and the files."""

from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.benchmarks.meta.concepts import Concepts, cuis, gap_cuis
from tests.benchmarks.meta.draws import draw, slot, spread
from tests.benchmarks.meta.lines import Written, chosen, lines
from tests.benchmarks.meta.shares import SOURCES
from umls_tools.columns import COLUMNS

# What became of a CUI that is no more; rounded. Some were related to several others.
_FATES = {"SY": 60, "DEL": 20, "RB": 8, "RN": 6, "RO": 6}
_GONE_EVERY = 6  # concepts for one that is no more
_SECOND_EVERY = 11  # old concepts for one with a second row
_CONTENTS = {
    "MRCONSO": "Atoms",
    "MRSTY": "Types of concepts",
    "MRDEF": "Definitions",
    "MRREL": "Relations",
    "MRSAB": "Sources",
    "MRRANK": "Ranks of term types",
    "MRCUI": "Concepts of old",
}


def source_lines() -> pa.Array:
    """One row for each source."""
    return _lines(
        (
            *("", "C0000000", f"{source.name}_2025", source.name, source.name, source.name),
            *("2025", "", "", "2025AA", "", "", "", str(source.level), "", "", ""),
            *(",".join(source.kinds), "", source.language, "UTF-8", "Y", "Y", source.name, ""),
        )
        for source in SOURCES
    )


def rank_lines() -> pa.Array:
    """One row for each term type of each source, the highest rank first."""
    named = [(source.name, kind) for source in SOURCES for kind in source.kinds]
    ranks = range(len(named), 0, -1)
    return _lines(
        (f"{rank:04d}", source, kind, "N")
        for rank, (source, kind) in zip(ranks, named, strict=True)
    )


def history_lines(concepts: Concepts) -> pa.Array:
    """Old CUIs that lie in the gaps; merged ones have become any other."""
    every = np.arange(0, concepts.count, _GONE_EVERY)
    gone = np.repeat(every, 1 + (every % _SECOND_EVERY == 1))
    bits = draw(np.arange(len(gone)), "history", concepts.seed)
    fates = spread(_FATES.values())[slot(bits, 0)]
    has_new = fates != list(_FATES).index("DEL")
    new = cuis((gone + slot(bits, 1)) % concepts.count)
    return lines(
        *(gap_cuis(gone), chosen(("2008AA", "2015AB", "2024AB"), slot(bits, 2) % 3)),
        *(chosen(_FATES, fates), "", "", pc.if_else(pa.array(has_new), new, "")),
        chosen(("", "Y"), has_new.astype(np.int64)),
    )


def file_lines(written: Mapping[str, Written]) -> pa.Array:
    """What MRFILES says of each table, with its true rows and bytes; of itself it says nothing."""
    return _lines(
        (
            *(f"{table}.RRF", _CONTENTS[table], ",".join(COLUMNS[table])),
            *(str(len(COLUMNS[table])), str(size.rows), str(size.bytes)),
        )
        for table, size in sorted(written.items())
    )


def _lines(rows: Iterable[tuple[str, ...]]) -> pa.Array:
    return lines(pa.array(["|".join(row) for row in rows]))
