"""Relevance of questions to passages, followed to the passages that are there, corpus by corpus."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.evidence.cutting import Span, part_of
from pipeline.records import Passage, Question, Reject, Relevance
from pipeline.stages.tally import TAKEN, CountIn, SetAside, count
from pipeline.text import content_id, normalise

FIND = "find relevant passages"
RESOLVE = "resolve relevance"
UNITE = "unite questions"
WHOLE: Span = (0, 0)
GENERIC = ""  # instead of an id: the passage is there, and answers too many questions


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Present:
    """Under which id a passage is there, in which tasks' corpora, and the id of its text.

    `span` is the place of a part in the text that is named, or WHOLE.
    """

    passage_id: str
    tasks: tuple[str, ...]
    text_id: str
    span: Span = WHOLE


Found = tuple[str, Present]  # the id that a question names, and what goes by it
Fate = tuple[Relevance, Present | Reject]


class ResolveRelevance(beam.PTransform):
    """Questions → those with relevant passages, with rejects: of questions and of judgements."""

    def __init__(self, present: beam.PCollection) -> None:
        super().__init__()
        self.present = present

    @no_annotations
    def expand(self, questions: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Takes questions; `present` holds (an id, Present) for whatever a question may name."""
        asked = questions | CountIn(RESOLVE) | "By id" >> beam.Map(_by_source_id)
        wanted = questions | "Wanted" >> beam.FlatMap(_wanted)
        found = (
            {"wanted": wanted, "present": self.present}
            | "Meet" >> beam.CoGroupByKey()
            | "Found" >> beam.FlatMap(_found)
        )
        gathered = {"questions": asked, "found": found} | "Gather" >> beam.CoGroupByKey()
        judged = gathered | "Find" >> beam.FlatMap(judgements) | SetAside(FIND)
        resolved = gathered | "Resolve" >> beam.FlatMap(resolve_question) | SetAside(RESOLVE)
        unique = (
            resolved.main
            | CountIn(UNITE)
            | "By wording" >> beam.Map(_by_wording)
            | "Same" >> beam.GroupByKey()
            | "Unite" >> beam.FlatMap(unite_questions)
            | SetAside(UNITE)
        )
        rejects = (judged.rejects, resolved.rejects, unique.rejects) | "Lost" >> beam.Flatten()
        return unique.main, rejects


def present_as(merged: tuple[Passage, tuple[str, ...]], most: int) -> Iterator[tuple[str, Present]]:
    """Each id of a passage with how it is there; GENERIC where it has too many.

    A part is there under the id of the text that it was cut from, too.
    """
    passage, aliases = merged
    names = sorted({*aliases, passage.passage_id})
    kept = passage.passage_id if len(names) <= most else GENERIC
    present = Present(kept, passage.tasks, text_id(passage))
    for alias in names:
        yield alias, present
        if part := part_of(alias):
            whole, span = part
            yield whole, dataclasses.replace(present, span=span)


def text_id(passage: Passage) -> str:
    """The same for all passages of equal text, whatever title stands above it.

    Texts without letters and digits are equal only if they are so sign by sign.
    """
    return content_id(normalise(passage.text) or passage.text)


def judgements(
    gathered: tuple[str, Mapping[str, Iterable[Any]]],
) -> Iterator[Relevance | Reject]:
    """What becomes of each passage that a question names."""
    for question in _in_order(gathered)[:1]:
        for relevance, fate in _fates(question, gathered):
            count(FIND, TAKEN)
            yield fate if isinstance(fate, Reject) else relevance


def resolve_question(
    gathered: tuple[str, Mapping[str, Iterable[Any]]],
) -> Iterator[Question | Reject]:
    """Point a question's relevance at the passages that are there, for each task it may serve.

    A question whose tasks' corpora do not hold the same of its passages goes on once for each, and
    is counted as often.
    """
    first, *surplus = _in_order(gathered) or [None]
    for other in surplus:
        yield Reject(RESOLVE, other.source_id, "repeated_source_id", other.source)
    if first is not None:
        parts = list(_by_task(first, list(_fates(first, gathered))))
        count(RESOLVE, TAKEN, len(parts) - 1)
        yield from parts


def _in_order(gathered: tuple[str, Mapping[str, Iterable[Any]]]) -> list[Any]:
    questions = gathered[1]["questions"]
    return sorted(questions, key=lambda question: (question.text, question.language))


def _fates(question: Question, gathered: tuple[str, Mapping[str, Iterable[Any]]]) -> Iterator[Fate]:
    """A judgement of a text that was cut is one of each part that its spans touch."""
    found: dict[str, list[Present]] = {}
    for passage_id, present in sorted(gathered[1]["found"]):
        found.setdefault(passage_id, []).append(present)
    for relevance in question.relevant:
        parts = found.get(relevance.passage_id, [])
        touched = [part for part in parts if _touches(part.span, relevance.spans)]
        for present in touched:
            reason = _lost(present, question.tasks)
            yield relevance, _reject(question, reason, relevance) if reason else present
        if not touched:
            reason = "part_missing" if parts else "passage_missing"
            yield relevance, _reject(question, reason, relevance)


def _touches(part: Span, spans: tuple[Span, ...]) -> bool:
    """Whether a part holds some of the places, of which none or a whole text tell nothing."""
    if part == WHOLE or not spans:
        return True
    return any(start < part[1] and part[0] < end for start, end in spans)


def _reject(question: Question, reason: str, relevance: Relevance) -> Reject:
    return Reject(FIND, question.source_id, reason, relevance.passage_id)


def _lost(found: Present, tasks: tuple[str, ...]) -> str:
    if not set(tasks).intersection(found.tasks):
        return "other_corpus"
    return "generic_answer" if found.passage_id == GENERIC else ""


def _by_task(question: Question, fates: list[Fate]) -> Iterator[Question | Reject]:
    tasks_of: dict[tuple[Relevance, ...], list[str]] = {}
    for task in question.tasks:
        tasks_of.setdefault(_relevant_in(task, fates), []).append(task)
    for relevant, tasks in sorted(tasks_of.items(), key=lambda pair: pair[1]):
        if relevant:
            yield dataclasses.replace(question, relevant=relevant, tasks=tuple(tasks))
        else:
            yield Reject(RESOLVE, question.source_id, _why(fates), " ".join(tasks))
    if not question.tasks:
        yield Reject(RESOLVE, question.source_id, _why(fates))


def _relevant_in(task: str, fates: list[Fate]) -> tuple[Relevance, ...]:
    there = ((one, fate) for one, fate in fates if isinstance(fate, Present))
    return united(
        Relevance(fate.passage_id, one.grade, fate.text_id)
        for one, fate in there
        if task in fate.tasks
    )


def _why(fates: list[Fate]) -> str:
    """Why no passage is left: what could be mended by another plan goes before what could not."""
    reasons = {fate.reason if isinstance(fate, Reject) else "other_corpus" for _, fate in fates}
    for reason in ("generic_answer", "other_corpus"):
        if reason in reasons:
            return reason
    return "no_relevant_passage"


def _by_source_id(question: Question) -> tuple[str, Question]:
    return question.source_id, question


def _wanted(question: Question) -> Iterator[tuple[str, str]]:
    for relevance in question.relevant:
        yield relevance.passage_id, question.source_id


def _found(met: tuple[str, Mapping[str, Iterable[Any]]]) -> Iterator[tuple[str, Found]]:
    """For each question that wants a passage: how it is present."""
    passage_id, sides = met
    for present in sorted(set(sides["present"])):
        for source_id in sorted(set(sides["wanted"])):
            yield source_id, (passage_id, present)


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
        relevant=united(one for question in questions for one in question.relevant),
    )
    for other in questions[1:]:
        detail = f"merged into {first.source_id}"
        yield Reject(UNITE, other.source_id, "equal_question", detail)


def united(relevances: Iterable[Relevance]) -> tuple[Relevance, ...]:
    """Each passage once, with its highest grade."""
    best: dict[str, Relevance] = {}
    for one in relevances:
        if one.passage_id not in best or one.grade > best[one.passage_id].grade:
            best[one.passage_id] = one
    return tuple(best[passage_id] for passage_id in sorted(best))
