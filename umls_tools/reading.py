"""A Metathesaurus as concepts, by plain functions over files that are in order."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from umls_tools.blocks import Span, after_last_line, before_last_concept
from umls_tools.concepts import LEADING, SCHEMAS, Assembly, assemble, nothing, select
from umls_tools.files import OpenFile, TableFile, open_local
from umls_tools.licence import SOURCE_COLUMNS, Gate, source_levels
from umls_tools.merging import merge
from umls_tools.ranks import RANK_COLUMNS, term_ranks
from umls_tools.rrf import BadRow, read_batches, read_rows, refuse
from umls_tools.selection import Selected
from umls_tools.sources import LANGUAGE_COLUMNS, source_lats
from umls_tools.spans import Stretch, span_of

EVERYTHING = Stretch("", "")


@dataclass(frozen=True, slots=True)
class Metathesaurus:
    """Where the tables lie, what may be seen of them, and how files are opened."""

    tables: Mapping[str, TableFile]
    assembly: Assembly
    open_file: OpenFile = open_local


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told what happens while tables are read.

    ``count`` hears what was read ("MRCONSO rows") and what was left out, by reason; ``bad`` hears
    of every row that cannot be read, and stops at the first unless it is told otherwise.
    """

    count: Callable[[Counter[str]], None]
    bad: Callable[[BadRow], None] = refuse


def assembly_of(
    tables: Mapping[str, TableFile],
    languages: tuple[str, ...],
    max_srl: int,
    open_file: OpenFile = open_local,
) -> Assembly:
    """What may be seen of a Metathesaurus, by the levels and ranks that it gives itself."""

    def rows(table: str, columns: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
        return read_batches(tables[table], columns, open_file) if table in tables else iter(())

    gate = Gate(source_levels(rows("MRSAB", SOURCE_COLUMNS)), max_srl)
    ranks = term_ranks(rows("MRRANK", RANK_COLUMNS))
    return Assembly(languages, ranks, gate, source_lats(rows("MRSAB", LANGUAGE_COLUMNS)))


def read_concepts(
    meta: Metathesaurus, watch: Watch, stretch: Stretch = EVERYTHING
) -> Iterator[pa.RecordBatch]:
    """Yield batches of CONCEPT_SCHEMA in order of CUI, from tables in order of CUI.

    Memory does not grow with the files. A table that is out of order after all raises RrfError.
    """
    streams = {table: _stream(table, meta, watch, stretch) for table in SCHEMAS}
    for group in merge(LEADING, streams):
        batch, left_out = assemble(group, meta.assembly)
        watch.count(left_out)
        if batch.num_rows:
            yield batch


def read_selected(
    span: Span,
    meta: Metathesaurus,
    watch: Watch,
    cut_of: Callable[[bytearray], int] = after_last_line,
) -> Iterator[Selected]:
    """Yield what a plan lets be seen of a table, block by block (`umls_tools.blocks`)."""
    for rows in read_rows(span, meta.open_file, watch.bad, cut_of=cut_of):
        selected, left_out = select(span.file.table, rows, meta.assembly)
        watch.count(left_out + Counter({f"{span.file.table} rows": len(rows)}))
        yield selected


def _stream(table: str, meta: Metathesaurus, watch: Watch, stretch: Stretch) -> Iterator[Selected]:
    if table not in meta.tables:
        return iter([nothing(table)])
    span = span_of(stretch, meta.tables[table], meta.open_file)
    return read_selected(span, meta, watch, before_last_concept)
