"""What readers see in files of evidence, counted without building anything."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pipeline.evidence.base import Evidence, OpenFile, Reader
from pipeline.evidence.units import paths, stem
from pipeline.records import Passage, Question, Reject

NOT_ENGLISH = "not_english"
SUPERSEDED = "superseded"
REPEATED = "repeated_id"

Counts = Counter[str]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen: records of units, what of them is kept under what it is called, the rest.

    `left_out` counts rejects by reason, `details` what those of a reason say more.
    """

    units: int
    records: int
    kept: Counts
    left_out: Counts
    details: dict[str, Counts]


def look(sources: Iterable[tuple[Reader, tuple[str, ...]]], open_file: OpenFile) -> Seen:
    """Read the units of each reader, and count what is there once later files had their say.

    Judgements are looked up among the passages of all sources. Memory holds the ids of passages,
    and what a few words say of each.
    """
    looking = _Looking()
    units = 0
    for reader, of_reader in sources:
        for unit in of_reader:
            units += 1
            for record in reader.read(unit, open_file):
                looking.take(record, stem(paths(unit)[0]), revised=reader.revised)
    return looking.seen(units)


class _Looking:
    """What was seen so far: a passage is only counted when no file can revise it any more."""

    def __init__(self) -> None:
        self.records = 0
        self.kept: Counts = Counter()
        self.left_out: Counts = Counter()
        self.details: dict[str, Counts] = {}
        self.there: dict[str, Passage | Reject] = {}
        self.wanted: list[str] = []

    def take(self, record: Evidence, place: str, *, revised: bool) -> None:
        """Count a question at once, a passage only under its id."""
        self.records += 1
        if isinstance(record, Question):
            self.kept.update(_said_of_question(record))
            self.wanted += [one.passage_id for one in record.relevant]
        elif isinstance(record, Reject) and (record.reason == SUPERSEDED or not revised):
            self.leave_out(record.reason, record.detail)
        else:
            self.put(record, place, revised=revised)

    def put(self, record: Passage | Reject, place: str, *, revised: bool) -> None:
        """The last word on an id where files are revised, in whose order they come; else the first.

        Nothing of a passage's text is held.
        """
        key = record.passage_id if isinstance(record, Passage) else record.key
        known = key in self.there
        if known:
            self.leave_out(SUPERSEDED if revised else REPEATED, place)
        if revised or not known:
            self.there[key] = replace(record, text="") if isinstance(record, Passage) else record

    def leave_out(self, reason: str, detail: str) -> None:
        self.left_out[reason] += 1
        if reason in {NOT_ENGLISH, SUPERSEDED, REPEATED} and detail:
            self.details.setdefault(reason, Counter())[detail] += 1

    def seen(self, units: int) -> Seen:
        """Count the passages, and the judgements that lead to one."""
        present = set()
        for key, last in self.there.items():
            if isinstance(last, Reject):
                self.leave_out(last.reason, last.detail)
            else:
                present.add(key)
                self.kept.update(_said_of_passage(last))
        for passage_id in self.wanted:
            there = passage_id in present
            self.kept[f"judgements of passages that are {'there' if there else 'missing'}"] += 1
        return Seen(units, self.records, self.kept, self.left_out, self.details)


def _said_of_passage(record: Passage) -> Iterator[str]:
    told = (
        ("passages", True),
        ("passages with a title", record.title),
        ("passages with CUIs", record.cuis),
        ("passages with headings", record.headings),
        ("passages with a major heading", record.major),
        ("passages in sections", record.sections),
    )
    return (name for name, value in told if value)


def _said_of_question(question: Question) -> Iterator[str]:
    told = (
        ("questions", True),
        (f"questions in {question.language}", True),
        ("questions with CUIs", question.cuis),
        ("questions with headings", question.headings),
        ("questions with places in a passage", any(one.spans for one in question.relevant)),
    )
    yield from (name for name, value in told if value)
    yield from (f"judgements of grade {one.grade}" for one in question.relevant)
