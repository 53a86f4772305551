"""UMLS RRF files → concepts: filtered and projected as read, met by buckets of CUIs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import apache_beam as beam
import pyarrow as pa
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import Concept, Reject
from pipeline.stages import arrow  # noqa: F401 - registers the coder of record batches
from pipeline.stages.filesystems import open_file
from pipeline.stages.tally import GIVEN, TAKEN, SetAside, count, note
from umls_tools.atoms import CONSO_COLUMNS, filter_atoms
from umls_tools.buckets import split_by_bucket
from umls_tools.concepts import STY_COLUMNS, Assembly, assemble
from umls_tools.definitions import DEF_COLUMNS, filter_definitions
from umls_tools.licence import SOURCE_COLUMNS, Gate, source_levels
from umls_tools.ranks import RANK_COLUMNS, term_ranks
from umls_tools.relations import EDGE_COLUMNS, REL_COLUMNS, normalise_relations
from umls_tools.retired import HISTORY_COLUMNS, resolve, successors
from umls_tools.rrf import read_batches
from umls_tools.sources import LANGUAGE_COLUMNS, source_lats

STAGE = "read concepts"
NAMELESS = "concept_without_name"
RETIRED = "follow retired CUIs"

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "MRCONSO": CONSO_COLUMNS,
    "MRSTY": STY_COLUMNS,
    "MRDEF": DEF_COLUMNS,
    "MRREL": REL_COLUMNS,
}
# The columns as they leave the reader, the first of them the CUI.
PROJECTED = {**COLUMNS, "MRREL": EDGE_COLUMNS}

Bucket = tuple[int, pa.RecordBatch]


@dataclass(frozen=True, slots=True)
class Meta:
    """A Metathesaurus: where its tables lie, and what its small ones say."""

    tables: Mapping[str, str]
    assembly: Assembly


def open_meta(plan: Plan, tables: Mapping[str, str]) -> Meta:
    """Read what the small tables say of sources and ranks; `tables` maps each to its path."""
    levels = source_levels(_batches(tables, "MRSAB", SOURCE_COLUMNS))
    ranks = term_ranks(_batches(tables, "MRRANK", RANK_COLUMNS))
    gate = Gate(levels, plan.umls.max_srl)
    lats = source_lats(_batches(tables, "MRSAB", LANGUAGE_COLUMNS))
    return Meta(tables, Assembly(plan.languages, ranks, gate, lats))


class ReadConcepts(beam.PTransform):
    """A Metathesaurus → concepts, as far as the plan's languages and licence let them be seen."""

    def __init__(self, meta: Meta, buckets: int) -> None:
        super().__init__()
        self.meta = meta
        self.buckets = buckets

    def expand(self, begin: beam.pvalue.PBegin) -> beam.PCollection:
        """One worker sees all rows of a bucket's concepts."""
        tables = {table: self._read(table, begin) for table in COLUMNS}
        return (
            tables
            | "Meet" >> beam.CoGroupByKey()
            | "Assemble" >> beam.FlatMap(assemble_bucket, self.meta.assembly)
        )

    def _read(self, table: str, begin: beam.pvalue.PBegin) -> beam.PCollection:
        """The batches of one table by bucket; none of a table that the release lacks."""
        path = self.meta.tables.get(table)
        read = beam.FlatMap(read_buckets, table, self.buckets, self.meta.assembly)
        return (
            begin
            | f"{table} file" >> beam.Create([path] if path else [])
            | f"Read {table}" >> read.with_output_types(tuple[int, pa.RecordBatch])
        )


class ReadRetired(beam.PTransform):
    """MRCUI → (retired CUI, present CUI), with what has no successor set aside."""

    def __init__(self, meta: Meta) -> None:
        super().__init__()
        self.meta = meta

    @no_annotations
    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        """Gives `.main` and `.rejects`; a release without MRCUI has neither."""
        path = self.meta.tables.get("MRCUI")
        return (
            begin
            | "MRCUI file" >> beam.Create([path] if path else [])
            | "Read MRCUI" >> beam.FlatMap(read_retired)
            | SetAside(RETIRED)
        )


def read_buckets(path: str, table: str, buckets: int, assembly: Assembly) -> Iterator[Bucket]:
    """Read a table, leave out what the plan does not let be seen, cut it into buckets."""
    for batch in read_batches(path, table, COLUMNS[table], open_file):
        note(STAGE, f"{table} rows", batch.num_rows)
        rows, left_out = _sieve(batch, table, assembly)
        _note_rows(left_out)
        yield from split_by_bucket(rows, PROJECTED[table][0], buckets)


def assemble_bucket(
    group: tuple[int, Mapping[str, Iterable[pa.RecordBatch]]], assembly: Assembly
) -> Iterator[Concept]:
    """The concepts of one bucket."""
    _, sides = group
    conso, sty, definitions, relations = (_table(table, sides[table]) for table in COLUMNS)
    concepts, left_out = assemble(conso, sty, definitions, relations, assembly)
    nameless = left_out.pop(NAMELESS, 0)
    _note_rows(left_out)
    count(STAGE, TAKEN, len(concepts) + nameless)
    count(STAGE, NAMELESS, nameless)
    count(STAGE, GIVEN, len(concepts))
    yield from concepts


def _note_rows(left_out: Mapping[str, int]) -> None:
    """Rows that are left out are counted, not kept: most of a release's are not asked for."""
    for reason, number in sorted(left_out.items()):
        note(STAGE, f"rows left out: {reason}", number)


def read_retired(path: str) -> Iterator[tuple[str, str] | Reject]:
    """What became of the CUIs that are gone."""
    fates = list(successors(read_batches(path, "MRCUI", HISTORY_COLUMNS, open_file)))
    count(RETIRED, TAKEN, len(fates))
    merged = dict(fate for fate in fates if not isinstance(fate, Reject))
    ends = resolve(merged)
    yield from (fate for fate in fates if isinstance(fate, Reject))
    yield from (Reject(RETIRED, cui, "circle") for cui in sorted(merged.keys() - ends.keys()))
    yield from sorted(ends.items())


def _sieve(
    batch: pa.RecordBatch, table: str, assembly: Assembly
) -> tuple[pa.RecordBatch, Counter[str]]:
    if table == "MRCONSO":
        return filter_atoms(batch, assembly.languages, assembly.gate)
    if table == "MRDEF":
        return filter_definitions(batch, assembly.gate)
    if table == "MRREL":
        return normalise_relations(batch, assembly.gate)
    return batch, Counter()


def _table(table: str, batches: Iterable[pa.RecordBatch]) -> pa.Table:
    schema = pa.schema([(column, pa.string()) for column in PROJECTED[table]])
    return pa.Table.from_batches(list(batches), schema)


def _batches(
    tables: Mapping[str, str], table: str, columns: tuple[str, ...]
) -> Iterator[pa.RecordBatch]:
    if table in tables:
        yield from read_batches(tables[table], table, columns, open_file)
