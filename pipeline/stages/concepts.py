"""Metathesaurus → concepts: stretch by stretch where its files are in order, else gathered."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.typehints.decorators import no_annotations

import pipeline.stages.arrow  # noqa: F401 - batches travel by its coder
from pipeline.plan import Umls
from pipeline.records import Concept, Reject
from pipeline.stages.filesystems import open_file
from pipeline.stages.meta import Meta
from pipeline.stages.surveying import Pieces, Survey
from pipeline.stages.tally import GIVEN, REJECTS, TAKEN, count, note
from umls_tools.buckets import cut, gathered
from umls_tools.concept_batches import CONCEPT_SCHEMA, concepts_of
from umls_tools.concepts import NAMELESS, SCHEMAS, Assembly, assemble
from umls_tools.reading import Watch, read_concepts, read_selected
from umls_tools.relations import inverse
from umls_tools.rrf import BadRow, RrfError, refuse
from umls_tools.selection import Selected
from umls_tools.spans import Stretch, stretches, whole_rows
from umls_tools.survey import Order

STAGE = "read concepts"
GATHER, FOUND = "gather", "found"

# Of which portion of the concepts, of which table, rows; of a stretch that is still to be read,
# its bounds (STRETCH).
Part = tuple[str, tuple[str, pa.RecordBatch]]
STRETCH = "stretch"
Portion = tuple[str, Iterable[tuple[str, pa.RecordBatch]]]


class ReadConcepts(beam.PTransform):
    """A Metathesaurus → concepts, as far as the plan's languages and licence let them be seen."""

    def __init__(self, meta: Meta) -> None:
        super().__init__()
        self.meta = meta

    @no_annotations
    def expand(self, begin: beam.pvalue.PBegin) -> tuple[beam.PCollection, beam.PCollection]:
        """Gives batches of concepts, and rejects for rows that could not be read."""
        portions, unread = begin | "Portions" >> Portions(self.meta)
        read = portions | "Read" >> beam.FlatMap(read_portion, self.meta).with_outputs(
            REJECTS, main=FOUND
        )
        return read[FOUND], (unread, read[REJECTS]) | LimitRejects(self.meta.umls.max_bad_rows)


class WriteConcepts(beam.PTransform):
    """A Metathesaurus → Parquet files of its concepts, one for each portion."""

    def __init__(self, meta: Meta, folder: str) -> None:
        super().__init__()
        self.meta = meta
        self.folder = folder

    @no_annotations
    def expand(self, begin: beam.pvalue.PBegin) -> tuple[beam.PCollection, beam.PCollection]:
        """Gives the names of the files, and rejects for rows that could not be read."""
        portions, unread = begin | "Portions" >> Portions(self.meta)
        written = portions | "Write" >> beam.FlatMap(
            write_portion, self.meta, self.folder
        ).with_outputs(REJECTS, main=FOUND)
        rejects = (unread, written[REJECTS]) | LimitRejects(self.meta.umls.max_bad_rows)
        return written[FOUND], rejects


class Portions(beam.PTransform):
    """A Metathesaurus → portions of its concepts that can each be read on its own.

    Where the files are in order, a portion is the bounds of a stretch, and no row is ever moved;
    else it is a bucket's rows, which are read and gathered here.
    """

    def __init__(self, meta: Meta) -> None:
        super().__init__()
        self.meta = meta

    @no_annotations
    def expand(self, begin: beam.pvalue.PBegin) -> tuple[beam.PCollection, beam.PCollection]:
        """Gives portions, and rejects for rows that could not be read on the way."""
        order = begin | "Survey" >> Survey(self.meta)
        ways = order | "Part" >> beam.FlatMap(portions_of, self.meta).with_output_types(
            Part
        ).with_outputs(GATHER, main=FOUND)
        gathered = (
            ways[GATHER]
            | "Spread pieces" >> beam.GroupByKey()
            | "Read pieces"
            >> beam.FlatMap(read_pieces, self.meta)
            .with_output_types(Part)
            .with_outputs(REJECTS, main=FOUND)
        )
        parts = (ways[FOUND], gathered[FOUND]) | "Both" >> beam.Flatten()
        return parts | "Spread" >> beam.GroupByKey(), gathered[REJECTS]


class LimitRejects(beam.PTransform):
    """Rejects of several steps → all of them, if they are not more than the plan lets pass."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    @no_annotations
    def expand(self, rejects: tuple[beam.PCollection, ...]) -> beam.PCollection:
        """Gives them as they come."""
        together = rejects | "Unreadable" >> beam.Flatten()
        one_by_one = together | "One" >> beam.Map(_one).with_output_types(tuple[int, int])
        _ = one_by_one | "Count" >> beam.GroupByKey() | "Limit" >> beam.Map(_limit, self.limit)
        return together


class AsRecords(beam.PTransform):
    """Batches of concepts → concepts."""

    @no_annotations
    def expand(self, batches: beam.PCollection) -> beam.PCollection:
        """One record a row."""
        return batches | beam.FlatMap(concepts_of).with_output_types(Concept)


def portions_of(order: Order, meta: Meta) -> Iterator[Any]:
    """Stretches of concepts if the files are in order; else their pieces, tagged GATHER."""
    if order.why_not:
        note(STAGE, f"gathered first: {order.why_not}")
        yield from (beam.pvalue.TaggedOutput(GATHER, piece) for piece in enumerate(meta.spans))
        return
    note(STAGE, "in order of CUI: read stretch by stretch")
    whole = all(meta.tables[table].may_be_cut for table in SCHEMAS if table in meta.tables)
    for stretch in stretches(list(order.landmarks[1:]) if whole else []):
        bounds = pa.RecordBatch.from_pylist([dataclasses.asdict(stretch)])
        yield f"from {stretch.first}", (STRETCH, bounds)


def read_pieces(group: Pieces, meta: Meta) -> Iterator[Any]:
    """What the plan lets be seen of the rows that begin in a piece, by bucket; rejects, tagged."""
    for span in group[1]:
        bad = _BadRows(meta.umls)
        rows = whole_rows(span, open_file)
        for selected in read_selected(rows, meta.files, Watch(_count_rows, bad.take)):
            for bucket, table, batch in _parts(span.file.table, selected, meta):
                yield f"bucket {bucket}", (table, batch)
        yield from bad.tagged()


def read_portion(group: Portion, meta: Meta) -> Iterator[Any]:
    """The concepts of one portion in batches, and rejects, tagged."""
    bad = _BadRows(meta.umls)
    yield from _concepts(group, meta, bad)
    yield from bad.tagged()


def write_portion(group: Portion, meta: Meta, folder: str) -> Iterator[Any]:
    """Write the concepts of one portion to a file named by the first of them; rejects, tagged."""
    bad = _BadRows(meta.umls)
    batches = _concepts(group, meta, bad)
    first = next(batches, None)
    if first is not None:
        name = f"concepts-{first.column('cui')[0]}.parquet"
        with pq.ParquetWriter(f"{folder}/{name}", CONCEPT_SCHEMA, compression="zstd") as writer:
            for batch in chain([first], batches):
                writer.write_batch(batch)
        yield name
    yield from bad.tagged()


def _concepts(group: Portion, meta: Meta, bad: "_BadRows") -> Iterator[pa.RecordBatch]:
    tables: dict[str, list[pa.RecordBatch]] = {}
    for table, batch in group[1]:
        tables.setdefault(table, []).append(batch)
    if bounds := tables.get(STRETCH):
        stretch = Stretch(**bounds[0].to_pylist()[0])
        batches = read_concepts(meta.files, Watch(_count_rows, bad.take), stretch)
    else:
        batches = assemble_bucket(tables, meta.assembly)
    for batch in batches:
        count(STAGE, TAKEN, batch.num_rows)
        count(STAGE, GIVEN, batch.num_rows)
        yield batch


def assemble_bucket(
    tables: Mapping[str, list[pa.RecordBatch]], assembly: Assembly
) -> Iterator[pa.RecordBatch]:
    """The concepts of one bucket."""
    batch, left_out = assemble(gathered(tables), assembly)
    _count_rows(left_out)
    if batch.num_rows:
        yield batch


def refuse_too_many(rejects: int, limit: int) -> None:
    """Stop a build of whose input more is broken than its plan lets pass."""
    if rejects > limit:
        raise RrfError(
            f"{rejects} bad rows, more than umls.max_bad_rows = {limit}; see the first with "
            'on_bad_rows = "stop", or download the files again'
        )


def _parts(table: str, selected: Selected, meta: Meta) -> Iterator[tuple[int, str, pa.RecordBatch]]:
    """By bucket; relations from both ends, as the files might hold them from one only."""
    yield from cut(table, selected, meta.umls.buckets)
    if table == "MRREL":
        yield from cut(table, inverse(selected), meta.umls.buckets)


class _BadRows:
    """What becomes of rows that cannot be read, by the plan."""

    def __init__(self, umls: Umls) -> None:
        self.umls = umls
        self.rejects: list[Reject] = []

    def take(self, row: BadRow) -> None:
        if self.umls.on_bad_rows == "stop":
            refuse(row)
        note(STAGE, f"bad rows: {row.reason}")
        name = row.path.replace("\\", "/").rpartition("/")[2]
        self.rejects.append(Reject(STAGE, f"{name}:{row.line}", row.reason))
        refuse_too_many(len(self.rejects), self.umls.max_bad_rows)

    def tagged(self) -> Iterator[beam.pvalue.TaggedOutput]:
        return (beam.pvalue.TaggedOutput(REJECTS, reject) for reject in self.rejects)


def _count_rows(found: Counter[str]) -> None:
    """Rows that are left out are counted, not kept: most of a release's are not asked for."""
    for reason, number in sorted(found.items()):
        if reason == NAMELESS:
            count(STAGE, TAKEN, number)
            count(STAGE, NAMELESS, number)
        else:
            what = reason if reason.endswith(" rows") else f"rows left out: {reason}"
            note(STAGE, what, number)


def _one(_: Reject) -> tuple[int, int]:
    return 0, 1


def _limit(counted: tuple[int, Iterable[int]], limit: int) -> None:
    refuse_too_many(sum(counted[1]), limit)
