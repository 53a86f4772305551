"""How fast, and in how much memory, MRCONSO is read and put together into concepts."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio, require_equal
from tests.benchmarks.meta import made_meta
from tests.benchmarks.reading import assembly_of

if TYPE_CHECKING:
    import pyarrow as pa

    from umls_tools.concepts import Assembly

ROWS = 2_000_000
TENTH = ROWS // 10  # for pandas, which takes too long over all of them
BUCKETS = 64
OPEN_GATE = 9  # lets every level through, as the peers do
# What bare Arrow needed, and polars beside it, when this was designed: seconds of CPU, megabytes.
GOAL_TO_POLARS, GOAL_MEMORY = 1.5 / 1.7, 350.0


def figures(workshop: Workshop) -> list[Figure]:
    """The whole table against polars, a tenth of one against pandas; whole processes."""
    meta, tenth = workshop.prepare("ingest:prepare", workshop.folder)
    runs = workshop.measure(
        {
            "read into buckets": workshop.ours("ingest:cut", meta),
            "read into concepts": workshop.ours("ingest:assemble", meta),
            "polars": workshop.peer("peers:polars_ingest", f"{meta}/MRCONSO.RRF"),
            "read a tenth into concepts": workshop.ours("ingest:assemble", tenth),
            "pandas on a tenth": workshop.peer("peers:pandas_ingest", f"{tenth}/MRCONSO.RRF"),
        }
    )
    buckets, ours, polars, ours_tenth, pandas = runs.values()
    require_equal("ingest", ours.answer, polars.answer)
    require_equal("ingest of a tenth", ours_tenth.answer, pandas.answer)
    return [
        *process_figures(f"read {ROWS:,} rows into buckets", buckets, GOAL_MEMORY),
        *process_figures(f"read {ROWS:,} rows into concepts", ours, GOAL_MEMORY),
        *process_figures(f"polars, {ROWS:,} rows into lists", polars),
        ratio("CPU: into buckets, to polars", buckets.cpu, polars.cpu, GOAL_TO_POLARS),
        ratio("CPU: into concepts, to polars", ours.cpu, polars.cpu),
        ratio("peak memory: into concepts, to polars", ours.peak, polars.peak),
        *process_figures(f"read {TENTH:,} rows into concepts", ours_tenth),
        *process_figures(f"pandas, {TENTH:,} rows into lists", pandas),
        ratio("CPU: into concepts, to pandas", ours_tenth.cpu, pandas.cpu),
        ratio("peak memory: into concepts, to pandas", ours_tenth.peak, pandas.peak),
    ]


def prepare(folder: str) -> list[str]:
    """Write both Metathesauri, unless they are there; gives their folders."""
    return [made_meta(Path(folder), rows) for rows in (ROWS, TENTH)]


def cut(meta: str) -> dict[str, int]:
    """Read, filter and cut into buckets: rows of a concept meet, but are no records yet."""
    buckets = _buckets(meta, assembly_of(meta, OPEN_GATE))
    return {"names": sum(rows.num_rows for batches in buckets.values() for rows in batches)}


def assemble(meta: str) -> dict[str, int]:
    """Read and put together as the graph does: every concept and name becomes a record."""
    assembly = assembly_of(meta, OPEN_GATE)
    buckets = _buckets(meta, assembly)
    found = {"concepts": 0, "names": 0, "characters": 0}
    for bucket in sorted(buckets):
        for concept in _concepts(buckets.pop(bucket), assembly):
            found["concepts"] += 1
            found["names"] += len(concept.names)
            found["characters"] += sum(len(name.text) for name in concept.names)
    return found


def _buckets(meta: str, assembly: "Assembly") -> "dict[int, list[pa.RecordBatch]]":
    from umls_tools.buckets import split_by_bucket

    buckets: dict[int, list[pa.RecordBatch]] = {}
    for batch in _filtered(meta, assembly):
        for bucket, rows in split_by_bucket(batch, "CUI", BUCKETS):
            buckets.setdefault(bucket, []).append(rows)
    return buckets


def _concepts(batches: "list[pa.RecordBatch]", assembly: "Assembly") -> list[Any]:
    import pyarrow as pa

    from umls_tools.concepts import STY_COLUMNS
    from umls_tools.concepts import assemble as put_together
    from umls_tools.definitions import DEF_COLUMNS
    from umls_tools.relations import EDGE_COLUMNS

    others = [
        pa.schema([(column, pa.string()) for column in columns]).empty_table()
        for columns in (STY_COLUMNS, DEF_COLUMNS, EDGE_COLUMNS)
    ]
    concepts, _ = put_together(pa.Table.from_batches(batches), *others, assembly)
    return concepts


def _filtered(meta: str, assembly: "Assembly") -> "Iterator[pa.RecordBatch]":
    from umls_tools.atoms import CONSO_COLUMNS, filter_atoms
    from umls_tools.rrf import read_batches

    for batch in read_batches(f"{meta}/MRCONSO.RRF", "MRCONSO", CONSO_COLUMNS):
        yield filter_atoms(batch, assembly.languages, assembly.gate)[0]
