"""Passages out of texts: whole, by section, or by sentences up to a length."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from pipeline.records import Passage

LEAST_NEAR = 0.5
UNITS = ("whole", "section")
# "s" is no hexadecimal digit, so no part of an id is escaped like this.
_PART = re.compile(r"(?P<whole>.+)\.s(?P<start>[0-9]+)-(?P<end>[0-9]+)")

Sentences: TypeAlias = Callable[[str], Sequence[str]]
"""Cuts a text into its sentences, in order, without loss but of the white space between them."""

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passages:
    """What is one passage, and which passages count as one."""

    unit: str = "whole"  # whole, or section: each section of a structured abstract by itself
    longest: int = 0  # words: what has more is parted between sentences; 0 parts nothing
    near_duplicates: float = 0.9  # Jaccard of word 5-grams that makes two one; 1: equal texts alone

    def __post_init__(self) -> None:
        """Refuse what is no unit, length or similarity."""
        if self.unit not in UNITS:
            raise ValueError(f"unit: unknown {self.unit!r}, expected one of {[*UNITS]}")
        if self.longest < 0:
            raise ValueError(f"longest: {self.longest} is not allowed, expected 0 or more words")
        if not (math.isfinite(self.near_duplicates) and LEAST_NEAR <= self.near_duplicates <= 1):
            raise ValueError(
                f"near_duplicates: {self.near_duplicates} is not allowed, "
                f"expected {LEAST_NEAR} to 1"
            )


def cut(passage: Passage, rule: Passages, sentences: Sentences) -> Iterator[Passage]:
    """The passages that a text gives, in order; each has the title, concepts and headings of all.

    A part is called after the text and its place there: ``pubmed-12.s0-245``.
    """
    edges = passage.sections if rule.unit == "section" else ()
    spans = [
        part
        for section in pairwise([0, *edges, len(passage.text)])
        for part in _short_enough(passage.text, section, rule.longest, sentences)
    ]
    if len(spans) <= 1:
        yield replace(passage, sections=())
        return
    for start, end in spans:
        text = passage.text[start:end].strip()
        part_id = f"{passage.passage_id}.s{start}-{end}"
        yield replace(passage, passage_id=part_id, text=text, sections=())


def part_of(passage_id: str) -> tuple[str, Span] | None:
    """The id of the whole text and the place in it, for the id of a part."""
    found = _PART.fullmatch(passage_id)
    return (found["whole"], (int(found["start"]), int(found["end"]))) if found else None


def _short_enough(text: str, section: Span, longest: int, sentences: Sentences) -> Iterator[Span]:
    """Runs of sentences of up to so many words; a sentence of more is a run of its own."""
    start, end = section
    if not longest or len(text[start:end].split()) <= longest:
        if text[start:end].strip():
            yield section
        return
    words, position = 0, start
    for sentence in sentences(text[start:end]):
        more = len(sentence.split())
        begin = text.index(sentence, position)
        if words and words + more > longest:
            yield start, begin
            start, words = begin, 0
        words, position = words + more, begin + len(sentence)
    yield start, end
