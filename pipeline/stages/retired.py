"""What became of the CUIs that a Metathesaurus no longer has."""

from collections.abc import Iterator, Mapping

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.records import Reject
from pipeline.stages.filesystems import open_file
from pipeline.stages.meta import Meta
from pipeline.stages.tally import TAKEN, SetAside, count
from umls_tools.files import TableFile
from umls_tools.retired import HISTORIES, histories, resolve, successors

RETIRED = "follow retired CUIs"


class ReadRetired(beam.PTransform):
    """MRCUI and its like → (retired CUI, present CUI), with what has no successor set aside."""

    def __init__(self, meta: Meta) -> None:
        super().__init__()
        self.meta = meta

    @no_annotations
    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        """Gives `.main` and `.rejects`; a release without such a table has neither."""
        there = {table: self.meta.tables[table] for table in HISTORIES if table in self.meta.tables}
        return (
            begin
            | "Histories" >> beam.Create([there])
            | "Read histories" >> beam.FlatMap(read_retired)
            | SetAside(RETIRED)
        )


def read_retired(tables: Mapping[str, TableFile]) -> Iterator[tuple[str, str] | Reject]:
    """What became of the CUIs that are gone."""
    fates = list(successors(histories(tables, open_file)))
    count(RETIRED, TAKEN, len(fates))
    merged = dict(fate for fate in fates if not isinstance(fate, Reject))
    ends = resolve(merged)
    yield from (fate for fate in fates if isinstance(fate, Reject))
    yield from (Reject(RETIRED, cui, "circle") for cui in sorted(merged.keys() - ends.keys()))
    yield from sorted(ends.items())
