"""One passage for one text."""

from collections.abc import Iterable
from dataclasses import replace

from pipeline.records import Passage
from pipeline.text import normalise


def text_key(passage: Passage) -> str:
    """The key under which passages are merged: their text, whatever title stands above it."""
    return normalise(passage.text)


def merge(passages: Iterable[Passage]) -> tuple[Passage, tuple[str, ...]]:
    """The passage with the smallest id, and the ids of the others, of a group with one key.

    It gains the concepts and headings of all, since each was found for this very text, and has
    no title unless all have the same: one answer may stand under hundreds of diseases.
    """
    first, *others = sorted(passages, key=lambda passage: passage.passage_id)
    group = (first, *others)
    merged = replace(
        first,
        title=first.title if len({normalise(passage.title) for passage in group}) == 1 else "",
        cuis=tuple(sorted({cui for passage in group for cui in passage.cuis})),
        headings=tuple(sorted({heading for passage in group for heading in passage.headings})),
        major=tuple(sorted({heading for passage in group for heading in passage.major})),
    )
    return merged, tuple(sorted({other.passage_id for other in others} - {first.passage_id}))


def in_corpora_of(kept: Passage, every: Iterable[Passage]) -> Passage:
    """The passage that is kept of several, in the corpora of all of them.

    It only fills a corpus where all of those that stand there do.
    """
    passages = list(every)
    tasks = {task for passage in passages for task in passage.tasks}
    whole = {task for one in passages for task in one.tasks if task not in one.fills}
    return replace(kept, tasks=tuple(sorted(tasks)), fills=tuple(sorted(tasks - whole)))
