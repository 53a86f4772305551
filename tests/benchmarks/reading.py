"""Real and sample data for benchmarks, read with the project's own readers."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.records import Concept
    from umls_tools.concepts import Assembly

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "pipeline" / "sample"


def open_data(name: str) -> Path | None:
    """A folder of the real open data, from MMED_SHARED or beside the checkout, if it is there."""
    shared = Path(os.environ.get("MMED_SHARED") or ROOT.parent / "shared")
    folder = shared / "data" / name
    return folder if folder.is_dir() else None


def assembly_of(meta: str, max_srl: int) -> "Assembly":
    """All languages, under the levels and ranks that the Metathesaurus itself gives."""
    from pipeline.records import LANGUAGES
    from umls_tools.concepts import Assembly
    from umls_tools.licence import SOURCE_COLUMNS, Gate, source_levels
    from umls_tools.ranks import RANK_COLUMNS, term_ranks
    from umls_tools.rrf import read_batches
    from umls_tools.sources import LANGUAGE_COLUMNS, source_lats

    levels = source_levels(read_batches(f"{meta}/MRSAB.RRF", "MRSAB", SOURCE_COLUMNS))
    ranks = term_ranks(read_batches(f"{meta}/MRRANK.RRF", "MRRANK", RANK_COLUMNS))
    lats = source_lats(read_batches(f"{meta}/MRSAB.RRF", "MRSAB", LANGUAGE_COLUMNS))
    return Assembly(tuple(LANGUAGES), ranks, Gate(levels, max_srl), lats)


def concepts_of(meta: str) -> "list[Concept]":
    """Every concept of a small, free Metathesaurus, with all that is known of it."""
    import pyarrow as pa

    from umls_tools.atoms import CONSO_COLUMNS
    from umls_tools.concepts import STY_COLUMNS, assemble
    from umls_tools.definitions import DEF_COLUMNS
    from umls_tools.relations import REL_COLUMNS, normalise_relations

    assembly = assembly_of(meta, max_srl=0)
    conso, sty, definitions = (
        pa.Table.from_batches(_read(meta, table, columns))
        for table, columns in (
            ("MRCONSO", CONSO_COLUMNS),
            ("MRSTY", STY_COLUMNS),
            ("MRDEF", DEF_COLUMNS),
        )
    )
    related = _read(meta, "MRREL", REL_COLUMNS)
    edges = [normalise_relations(batch, assembly.gate)[0] for batch in related]
    concepts, _ = assemble(conso, sty, definitions, pa.Table.from_batches(edges), assembly)
    return concepts


def _read(meta: str, table: str, columns: tuple[str, ...]) -> "list[pa.RecordBatch]":
    from umls_tools.rrf import read_batches

    return list(read_batches(f"{meta}/{table}.RRF", table, columns))
