"""English evidence files → passages and questions, each once, every relevance resolved."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.evidence.base import Evidence, EvidenceError
from pipeline.evidence.merge import merge
from pipeline.evidence.pubmed import settle
from pipeline.plan import Grounding, Source
from pipeline.records import Passage, Question, Reject, Relevance
from pipeline.stages.filesystems import open_file
from pipeline.stages.tally import TAKEN, CountIn, SetAside, count, note
from pipeline.text import content_id, normalise

READ = "read evidence"
MERGE = "merge passages"
RESOLVE = "resolve relevance"
UNITE = "unite questions"
GENERIC = ""  # instead of an id: the passage is there, and answers too many questions


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
        once = final | "Read" >> beam.FlatMap(read_unit)
        read = (once, settled) | "All" >> beam.Flatten() | SetAside(READ)
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
        present = groups | "Present" >> beam.FlatMap(aliases_of, self.grounding.max_equal_answers)
        asked = questions | CountIn(RESOLVE) | "By id" >> beam.Map(_by_source_id)
        wanted = questions | "Wanted" >> beam.FlatMap(_wanted)
        found = (
            {"wanted": wanted, "present": present}
            | "Meet" >> beam.CoGroupByKey()
            | "Found" >> beam.FlatMap(_found)
        )
        resolved = (
            {"questions": asked, "found": found}
            | "Gather" >> beam.CoGroupByKey()
            | "Resolve" >> beam.FlatMap(resolve_question)
            | SetAside(RESOLVE)
        )
        unique = (
            resolved.main
            | CountIn(UNITE)
            | "By wording" >> beam.Map(_by_wording)
            | "Same" >> beam.GroupByKey()
            | "Unite" >> beam.FlatMap(unite_questions)
            | SetAside(UNITE)
        )
        rejects = (merged.rejects, resolved.rejects, unique.rejects) | "Rejects" >> beam.Flatten()
        return merged.main, unique.main, rejects


def read_unit(unit: Unit) -> Iterator[Evidence]:
    """Read one unit and write on each record which tasks it may serve."""
    note(READ, "units")
    for record in unit.source.reader.read(unit.name, open_file):
        count(READ, TAKEN)
        if isinstance(record, Reject):
            yield record
        else:
            yield dataclasses.replace(record, tasks=unit.source.tasks)


def read_dated(unit: Unit) -> Iterator[tuple[str, tuple[str, Passage | Reject]]]:
    """Read one unit whose records others may revise: each under its id, with the unit's name."""
    for record in read_unit(unit):
        if isinstance(record, Question):
            raise EvidenceError(f"{unit.name}: {record.source_id}: no rule says how it is revised")
        key = record.passage_id if isinstance(record, Passage) else record.key
        yield key, (unit.name, record)


def _is_revised(unit: Unit, _: int) -> int:
    return int(unit.source.reader.revised)


def _settle(
    group: tuple[str, Iterable[tuple[str, Passage | Reject]]],
) -> Iterator[Passage | Reject]:
    return settle(group[1])


def _passages(record: Any) -> Iterator[Passage]:  # noqa: ANN401
    if isinstance(record, Passage):
        yield record


def _questions(record: Any) -> Iterator[Question]:  # noqa: ANN401
    if isinstance(record, Question):
        yield record


def _by_text(passage: Passage) -> tuple[str, Passage]:
    return content_id(normalise(passage.text)), passage


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


def aliases_of(merged: tuple[Passage, tuple[str, ...]], most: int) -> Iterator[tuple[str, str]]:
    """Each id of a passage with the one it is kept under; GENERIC where it has too many."""
    passage, aliases = merged
    names = sorted({*aliases, passage.passage_id})
    for alias in names:
        yield alias, passage.passage_id if len(names) <= most else GENERIC


def _by_source_id(question: Question) -> tuple[str, Question]:
    return question.source_id, question


def _wanted(question: Question) -> Iterator[tuple[str, str]]:
    for relevance in question.relevant:
        yield relevance.passage_id, question.source_id


def _found(
    met: tuple[str, Mapping[str, Iterable[str]]],
) -> Iterator[tuple[str, tuple[str, str]]]:
    """For each question that wants a passage: under which id it is present."""
    passage_id, sides = met
    for canonical in sorted(set(sides["present"])):
        for source_id in sorted(set(sides["wanted"])):
            yield source_id, (passage_id, canonical)


def resolve_question(
    gathered: tuple[str, Mapping[str, Iterable[Any]]],
) -> Iterator[Question | Reject]:
    """Point a question's relevance at the passages that are there."""
    source_id, sides = gathered
    questions = sorted(sides["questions"], key=lambda question: (question.text, question.language))
    for surplus in questions[1:]:
        yield Reject(RESOLVE, source_id, "repeated_source_id", surplus.source)
    for question in questions[:1]:
        yield from _resolved(question, dict(sorted(sides["found"])))


def _resolved(question: Question, canonical: Mapping[str, str]) -> Iterator[Question | Reject]:
    """A question left without a passage is one reject; one that goes on tells what it lost."""
    wanted = [(one, canonical.get(one.passage_id)) for one in question.relevant]
    missing = sorted(one.passage_id for one, found in wanted if found is None)
    generic = sorted(one.passage_id for one, found in wanted if found == GENERIC)
    relevant = _united(Relevance(found, one.grade) for one, found in wanted if found)
    if not relevant:
        reason = "generic_answer" if generic else "no_relevant_passage"
        yield Reject(RESOLVE, question.source_id, reason, " ".join(sorted([*generic, *missing])))
        return
    for reason, lost in (("generic_answer", generic), ("passage_missing", missing)):
        if lost:
            yield Reject(RESOLVE, question.source_id, reason, " ".join(lost))
    yield dataclasses.replace(question, relevant=relevant)


def _by_wording(question: Question) -> tuple[str, Question]:
    key = content_id(*sorted(question.tasks), "", question.language, normalise(question.text))
    return key, question


def unite_questions(group: tuple[str, Iterable[Question]]) -> Iterator[Question | Reject]:
    """One question for all of equal text, with everything that any of them holds."""
    questions = sorted(group[1], key=lambda question: question.source_id)
    first = questions[0]
    yield dataclasses.replace(
        first,
        cuis=tuple(sorted({cui for question in questions for cui in question.cuis})),
        headings=tuple(sorted({one for question in questions for one in question.headings})),
        relevant=_united(one for question in questions for one in question.relevant),
    )
    for other in questions[1:]:
        detail = f"merged into {first.source_id}"
        yield Reject(UNITE, other.source_id, "equal_question", detail)


def _united(relevances: Iterable[Relevance]) -> tuple[Relevance, ...]:
    """Each passage once, with its highest grade."""
    grades: dict[str, int] = {}
    for one in relevances:
        grades[one.passage_id] = max(one.grade, grades.get(one.passage_id, 0))
    return tuple(Relevance(passage_id, grade) for passage_id, grade in sorted(grades.items()))
