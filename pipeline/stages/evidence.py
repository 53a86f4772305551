"""English evidence files → passages and questions, one for each id."""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.evidence.base import Evidence, EvidenceError, reject
from pipeline.evidence.merge import in_corpora_of
from pipeline.evidence.pubmed import settle
from pipeline.evidence.units import paths, place
from pipeline.plan import Source
from pipeline.records import Passage, Question, Reject
from pipeline.stages.filesystems import open_file
from pipeline.stages.relevance import text_id
from pipeline.stages.tally import TAKEN, SetAside, count, note

READ = "read evidence"
_STORED, _OTHER = "stored", "other"

Dated = tuple[str, Passage | Reject]  # with the unit that it was read from


@dataclasses.dataclass(frozen=True, slots=True)
class Unit:
    """A file, or what belongs together of a folder, with the source whose reader reads it."""

    source: Source
    name: str


class ReadEvidence(beam.PTransform):
    """The plan's units of evidence → passages and questions, with rejects set aside."""

    def __init__(self, units: Iterable[Unit]) -> None:
        super().__init__()
        self.units = list(units)

    @no_annotations
    def expand(self, begin: beam.pvalue.PBegin) -> tuple[beam.PCollection, ...]:
        """Gives passages, questions and rejects; of what later files revise, the last word."""
        units = begin | "Units" >> beam.Create(self.units) | "Spread" >> beam.Reshuffle()
        final, revised = units | "Revised" >> beam.Partition(_is_revised, 2)
        settled = (
            revised
            | "Read revisions" >> beam.FlatMap(read_dated)
            | "Revisions" >> beam.GroupByKey()
            | "Settle" >> beam.FlatMap(_settle)
        )
        stored, other = final | "Read" >> beam.FlatMap(read_kinds).with_outputs(
            _OTHER, main=_STORED
        )
        once = stored | "Namesakes" >> beam.GroupByKey() | "Once" >> beam.FlatMap(keep_one)
        read = (once, other, settled) | "All" >> beam.Flatten() | SetAside(READ)
        passages = read.main | "Passages" >> beam.FlatMap(_passages)
        questions = read.main | "Questions" >> beam.FlatMap(_questions)
        return passages, questions, read.rejects


def read_unit(unit: Unit) -> Iterator[Evidence]:
    """Read one unit and write on each record which tasks it may serve."""
    note(READ, "units")
    for record in unit.source.reader.read(unit.name, open_file):
        count(READ, TAKEN)
        yield record if isinstance(record, Reject) else _assigned(record, unit.source)


def read_dated(unit: Unit) -> Iterator[tuple[str, Dated]]:
    """Read one unit whose records others may revise: each under its id, with the unit's name."""
    for record in read_unit(unit):
        if isinstance(record, Question):
            raise EvidenceError(f"{unit.name}: {record.source_id}: no rule says how it is revised")
        key = record.passage_id if isinstance(record, Passage) else record.key
        yield key, (unit.name, record)


def read_kinds(unit: Unit) -> Iterator[Any]:
    """Read one unit: passages under their ids, with the unit's name; the rest apart."""
    for record in read_unit(unit):
        if isinstance(record, Passage):
            yield record.passage_id, (unit.name, record)
        else:
            yield beam.pvalue.TaggedOutput(_OTHER, record)


def keep_one(group: tuple[str, Iterable[tuple[str, Passage]]]) -> Iterator[Passage | Reject]:
    """One of the passages that have the same id in several files, or in one read for two tasks.

    It serves the tasks of those that say the same. What it says is decided by the names of the
    files, since there is no later one.
    """
    ordered = sorted(group[1], key=lambda pair: (place(paths(pair[0])[0]), repr(pair[1])))
    kept = ordered[0][1]
    same = [passage for _, passage in ordered if text_id(passage) == text_id(kept)]
    yield in_corpora_of(kept, same)
    for unit, passage in ordered[1:]:
        yield reject(passage.passage_id, "repeated_id", place(paths(unit)[0]))


def _assigned(record: Passage | Question, source: Source) -> Evidence:
    """The record with the tasks that it may serve; what only fills corpora asks nothing."""
    if isinstance(record, Passage):
        fills = source.tasks if source.corpus_size else ()
        return dataclasses.replace(record, tasks=source.tasks, fills=fills)
    if source.corpus_size:
        return reject(record.source_id, "question_of_distractors", source.name)
    return dataclasses.replace(record, tasks=source.tasks)


def _is_revised(unit: Unit, _: int) -> int:
    return int(unit.source.reader.revised)


def _settle(group: tuple[str, Iterable[Dated]]) -> Iterator[Passage | Reject]:
    return settle(group[1])


def _passages(record: Any) -> Iterator[Passage]:  # noqa: ANN401
    if isinstance(record, Passage):
        yield record


def _questions(record: Any) -> Iterator[Question]:  # noqa: ANN401
    if isinstance(record, Question):
        yield record
