"""Candidate queries → those that no list of others has, as far as the plan names lists."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.overlap import Outside
from pipeline.plan import Plan
from pipeline.records import Query, Reject
from pipeline.release.layout import WORK
from pipeline.stages.filesystems import open_file
from pipeline.stages.tally import CountIn, SetAside, note
from splits.outside import EQUAL, NEAR, Entry, Match, Ours
from splits.outside_files import read_list

STAGE = "compare outside"
_FILE = "external.json"

Compact = tuple[str, tuple[str, ...]]  # a query's id and its texts
Found = dict[str, Match]  # by query


class CompareOutside(beam.PTransform):
    """Queries → those left to claim, and rejects of those that a list has and the plan drops.

    Texts are compared as the sources give them, in every language; translations are made later.
    What was found is written for the manifest. One worker sees all texts, and the lists go by.
    """

    def __init__(self, plan: Plan, folder: str) -> None:
        super().__init__()
        self.plan = plan
        self.folder = folder

    @no_annotations
    def expand(self, queries: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Gives queries and rejects; without a list, all queries as they came."""
        if not self.plan.overlap.external:
            return queries, queries | "No list" >> beam.Filter(_nothing)
        known = (
            queries
            | CountIn(STAGE)
            | "Compact" >> beam.Map(_compact)
            | "Together" >> beam.GroupBy(_one_group)
            | "Compare" >> beam.FlatMap(compare_pool, self.plan, self.folder)
        )
        by_id = queries | "By id" >> beam.Map(_by_id)
        parted = (
            {"queries": by_id, "known": known}
            | "Gather" >> beam.CoGroupByKey()
            | "Part" >> beam.FlatMap(_part)
            | SetAside(STAGE)
        )
        return parted.main, parted.rejects


def compare_pool(
    group: tuple[int, Iterable[Compact]], plan: Plan, folder: str
) -> Iterator[tuple[str, Reject]]:
    """A reject for each query that is to be dropped, under the first list that has it."""
    ours = Ours(dict(sorted(group[1])), plan.overlap.jaccard)
    told, dropped = {}, dict[str, Reject]()
    for name, outside in sorted(plan.overlap.external.items()):
        counter = _Counter()
        found = ours.find(counter.through(_entries(outside)))
        told[name] = _told(outside, found, counter.number)
        if outside.found == "flag":
            note(STAGE, f"flagged, in {name}", len(found))
            continue
        for query_id, match in found.items():
            dropped.setdefault(query_id, Reject(STAGE, query_id, f"external_{name}", str(match)))
    Path(folder, WORK, _FILE).write_text(json.dumps(told), "utf-8")
    yield from sorted(dropped.items())


def read_outside(folder: Path) -> dict[str, dict[str, Any]]:
    """What the lists of a build have of ours, by list; nothing if the plan names none."""
    path = folder / WORK / _FILE
    found: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


class _Counter:
    """Counts what goes by."""

    def __init__(self) -> None:
        self.number = 0

    def through(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self.number += 1
            yield entry


def _entries(outside: Outside) -> Iterator[Entry]:
    for path in outside.files:
        yield from read_list(path, outside.column, open_file)


def _told(outside: Outside, found: Found, items: int) -> dict[str, Any]:
    """For the manifest: the numbers, and of a list that only flags the queries."""
    kinds = [match.kind for match in found.values()]
    flagged = sorted(found) if outside.found == "flag" else []
    return {
        "found": outside.found,
        "items": items,
        EQUAL: kinds.count(EQUAL),
        NEAR: kinds.count(NEAR),
        "flagged": flagged,
    }


def _compact(query: Query) -> Compact:
    return query.query_id, tuple(one.text for one in (query.original, *query.natives))


def _one_group(_: Compact) -> int:
    return 0


def _by_id(query: Query) -> tuple[str, Query]:
    return query.query_id, query


def _nothing(_: Query) -> bool:
    return False


def _part(group: tuple[str, Mapping[str, Iterable[Any]]]) -> Iterator[Query | Reject]:
    _, sides = group
    known = list(sides["known"])
    yield from known or sides["queries"]
