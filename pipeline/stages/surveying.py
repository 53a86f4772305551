"""Metathesaurus → in what order its files are, once they are as MRFILES says."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.stages.filesystems import open_file
from pipeline.stages.meta import Meta
from umls_tools.blocks import Span
from umls_tools.inventory import miscounts
from umls_tools.rrf import RrfError, read_rows
from umls_tools.survey import Order, Surveyed, order_of, survey

# A span under its number, each of which makes a group of its own.
Piece = tuple[int, Any]
Pieces = tuple[int, Iterable[Span]]


class Survey(beam.PTransform):
    """The files of a Metathesaurus → in what order they are, once they are as MRFILES says."""

    def __init__(self, meta: Meta) -> None:
        super().__init__()
        self.meta = meta

    @no_annotations
    def expand(self, begin: beam.pvalue.PBegin) -> beam.PCollection:
        """Gives one Order."""
        # Each transform costs the runner some 10 ms: pieces are spread by the groups they make,
        # where Create and Reshuffle would take fourteen.
        return (
            begin
            | beam.Impulse()
            | "Pieces" >> beam.FlatMap(_pieces, self.meta).with_output_types(Piece)
            | "Spread pieces" >> beam.GroupByKey()
            | "Look" >> beam.FlatMap(_look, self.meta).with_output_types(tuple[int, Any])
            | "Together" >> beam.GroupByKey()
            | "Order" >> beam.Map(_order, self.meta).with_output_types(Order)
        )


def _pieces(_: bytes, meta: Meta) -> Iterator[tuple[int, Span]]:
    return iter(enumerate(meta.spans))


def _look(group: Pieces, meta: Meta) -> Iterator[tuple[int, Surveyed]]:
    return ((0, survey(span, meta.assembly, open_file)) for span in group[1])


def _order(group: tuple[int, Iterable[Surveyed]], meta: Meta) -> Order:
    order = order_of(group[1])
    if wrong := miscounts(meta.stated, order.rows, order.bytes):
        _explain(wrong, order, meta)
    return order


def _explain(wrong: Mapping[str, str], order: Order, meta: Meta) -> None:
    """Stop at the row that makes a file differ from what MRFILES says, if one can be told.

    Where a plan has bad rows rejected, a file may differ by what is in its rows, not by a row.
    """
    for table, message in wrong.items():
        if meta.umls.on_bad_rows == "stop":
            for _ in read_rows(Span(meta.tables[table]), open_file):
                pass
        if meta.umls.on_bad_rows == "stop" or order.rows[table] != meta.stated[table].rows:
            raise RrfError(message)
