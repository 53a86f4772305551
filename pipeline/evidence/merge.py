"""One passage for one text, and questions that point at passages which are there."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from pipeline.evidence.base import reject
from pipeline.records import Passage, Question, Reject, Relevance
from pipeline.text import normalise


def text_key(passage: Passage) -> str:
    """The key under which passages are merged: their text, whatever title stands above it."""
    return normalise(passage.text)


def merge(passages: Iterable[Passage]) -> tuple[Passage, tuple[str, ...]]:
    """The passage with the smallest id, and the ids of the others, of a group with one key.

    It gains the concepts and headings of all, since each was found for this very text.
    """
    first, *others = sorted(passages, key=lambda passage: passage.passage_id)
    group = (first, *others)
    merged = replace(
        first,
        cuis=tuple(sorted({cui for passage in group for cui in passage.cuis})),
        headings=tuple(sorted({heading for passage in group for heading in passage.headings})),
    )
    return merged, tuple(sorted({other.passage_id for other in others} - {first.passage_id}))


def relink(question: Question, aliases: Mapping[str, str]) -> Question:
    """Follow ids of merged passages to what they were merged into; the higher grade stays."""
    grades: dict[str, int] = {}
    for relevance in question.relevant:
        found = aliases.get(relevance.passage_id, relevance.passage_id)
        grades[found] = max(relevance.grade, grades.get(found, relevance.grade))
    relevant = tuple(Relevance(found, grades[found]) for found in sorted(grades))
    return replace(question, relevant=relevant)


def resolve(question: Question, present: Collection[str]) -> Question | Reject:
    """The question with the passages that exist, or why it is left out when none does."""
    relevant = tuple(found for found in question.relevant if found.passage_id in present)
    if not relevant:
        return reject(question.source_id, "no_relevant_passage")
    return replace(question, relevant=relevant)


def dangling(question: Question, present: Collection[str]) -> Iterator[Reject]:
    """One reject for each passage that a question asks for and that does not exist."""
    for found in question.relevant:
        if found.passage_id not in present:
            yield reject(question.source_id, "dangling_qrels", found.passage_id)
