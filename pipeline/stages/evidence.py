"""English evidence files → passages and questions, each once, every relevance resolved."""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.evidence.base import Evidence, EvidenceError, reject
from pipeline.evidence.merge import merge
from pipeline.evidence.pubmed import settle
from pipeline.evidence.units import paths, place
from pipeline.plan import Grounding, Source
from pipeline.records import Passage, Question, Reject
from pipeline.stages.filesystems import open_file
from pipeline.stages.relevance import ResolveRelevance, present_as, text_id
from pipeline.stages.tally import TAKEN, CountIn, SetAside, count, note

READ = "read evidence"
MERGE = "merge passages"

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


class MergePassages(beam.PTransform):
    """Passages of equal text → one; questions of equal text → one; relevance follows them.

    An unjudged twin of a relevant passage would be counted as wrong when it is found, and the
    same question twice would be scored twice. An answer that stands under many questions word for
    word ("inherited in an autosomal recessive pattern") cannot be found by any of them.
    """

    def __init__(self, grounding: Grounding) -> None:
        super().__init__()
        self.grounding = grounding

    @no_annotations
    def expand(
        self, evidence: tuple[beam.PCollection, beam.PCollection]
    ) -> tuple[beam.PCollection, ...]:
        """Takes passages and questions; gives both, and rejects."""
        passages, questions = evidence
        groups = (
            passages
            | CountIn(MERGE)
            | "By text" >> beam.Map(_by_text)
            | "Twins" >> beam.GroupByKey()
            | "Merge" >> beam.Map(merge_group)
        )
        merged = groups | "Merged" >> beam.FlatMap(_merged_with_rejects) | SetAside(MERGE)
        present = groups | "Present" >> beam.FlatMap(present_as, self.grounding.max_equal_answers)
        resolved, lost = questions | "Resolve relevance" >> ResolveRelevance(present)
        return merged.main, resolved, (merged.rejects, lost) | "Rejects" >> beam.Flatten()


def read_unit(unit: Unit) -> Iterator[Evidence]:
    """Read one unit and write on each record which tasks it may serve."""
    note(READ, "units")
    for record in unit.source.reader.read(unit.name, open_file):
        count(READ, TAKEN)
        if isinstance(record, Reject):
            yield record
        else:
            yield dataclasses.replace(record, tasks=unit.source.tasks)


def read_dated(unit: Unit) -> Iterator[tuple[str, Dated]]:
    """Read one unit whose records others may revise: each under its id, with the unit's name."""
    for record in read_unit(unit):
        if isinstance(record, Question):
            raise EvidenceError(f"{unit.name}: {record.source_id}: no rule says how it is revised")
        key = record.passage_id if isinstance(record, Passage) else record.key
        yield key, (unit.name, record)


_STORED, _OTHER = "stored", "other"


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
    tasks = {task for passage in same for task in passage.tasks}
    yield dataclasses.replace(kept, tasks=tuple(sorted(tasks)))
    for unit, passage in ordered[1:]:
        yield reject(passage.passage_id, "repeated_id", place(paths(unit)[0]))


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


def _by_text(passage: Passage) -> tuple[str, Passage]:
    return text_id(passage), passage


def merge_group(group: tuple[str, Iterable[Passage]]) -> tuple[Passage, tuple[str, ...]]:
    """One passage for all of equal text, in all their corpora, with the ids it goes by."""
    passages = sorted(group[1], key=lambda passage: passage.passage_id)
    merged, aliases = merge(passages)
    tasks = tuple(sorted({task for passage in passages for task in passage.tasks}))
    return dataclasses.replace(merged, tasks=tasks), aliases


def _merged_with_rejects(
    merged: tuple[Passage, tuple[str, ...]],
) -> Iterator[Passage | Reject]:
    passage, aliases = merged
    yield passage
    for alias in aliases:
        if alias != passage.passage_id:
            yield Reject(MERGE, alias, "equal_text", f"merged into {passage.passage_id}")
