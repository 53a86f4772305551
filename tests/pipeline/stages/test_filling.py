"""Quotas that the filters leave short are filled from the reserves, no more than is needed."""

import dataclasses
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest

from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Query, Wording
from pipeline.stages.claims import Reserve
from pipeline.stages.filling import JUDGED, WHOLE, FillQuotas, ask, lacking, weigh
from translation.memory_tables import TSV_COLUMNS

RunGraph = Callable[..., dict[str, list[Any]]]
Laid = dict[str, beam.PCollection]
Counts = dict[tuple[str, str], int]

QA = ("qa", "")


def plan_of(quota: int, *changes: str, **languages: int) -> Plan:
    plan = load_plan("sample", [f"tasks.qa.quota={quota}", *changes])
    task = dataclasses.replace(plan.tasks["qa"], language_quotas=languages)
    return dataclasses.replace(plan, tasks={**plan.tasks, "qa": task})


def balance(**counts: int) -> Counter[tuple[str, ...]]:
    full = {("evidence", "", WHOLE): 999, ("evidence", "", JUDGED): 999}
    full |= {("concepts", tier, WHOLE): 999 for tier in ("easy", "medium", "hard")}
    return Counter(full | {(*QA, name): count for name, count in counts.items()})


@pytest.mark.parametrize(
    ("found", "languages", "expected"),
    [
        (balance(whole=10), {}, 0),
        (balance(whole=12), {}, 0),
        (balance(whole=7), {}, 3),
        (balance(), {}, 10),
        # a language with a quota of its own lacks what is missing of that
        (balance(whole=10, ja=2), {"ja": 4}, 2),
        (balance(whole=9, ja=4), {"ja": 4}, 1),
    ],
)
def test_what_is_lacking(
    found: Counter[tuple[str, ...]], languages: dict[str, int], expected: int
) -> None:
    assert lacking(QA, found, plan_of(10, **languages)) == expected


@pytest.mark.parametrize(
    ("found", "before", "expected"),
    [
        (balance(whole=10, judged=20), {}, {}),
        (balance(whole=8, judged=20), {}, {QA: 5}),  # two more, of which two in five will pass
        (balance(whole=8, judged=20), {QA: 3}, {QA: 8}),
        (balance(whole=10, judged=20), {QA: 3}, {QA: 3}),
        # never more than the candidates there were at first: ten times the factor of two
        (balance(whole=1, judged=20), {}, {QA: 20}),
        (balance(judged=20), {}, {QA: 20}),
        (balance(), {}, {QA: 20}),
    ],
)
def test_how_many_are_called(
    found: Counter[tuple[str, ...]],
    before: dict[tuple[str, str], int],
    expected: dict[tuple[str, str], int],
) -> None:
    assert ask(found, plan_of(10), [before] if before else []) == expected


@pytest.mark.parametrize(
    ("accepted", "languages", "whole"),
    [("en de fr", {}, True), ("en de", {}, False), ("en de", {"fr": 1}, True), ("", {}, False)],
)
def test_a_query_is_whole_in_all_languages_without_a_quota(
    accepted: str, languages: dict[str, int], whole: bool
) -> None:
    plan = plan_of(1, 'languages=["en", "de", "fr"]', **languages)
    standings = [(QA, one, one in accepted.split()) for one in ("fr", "en", "de")]
    counted = [key[2] for key, _ in weigh(("q", standings), plan)]
    assert counted == [JUDGED, *sorted(accepted.split()), *([WHOLE] if whole else [])]


@pytest.mark.parametrize(
    ("top_ups", "called", "accepted"),
    [(0, 0, 1), (1, 4, 2), (2, 6, 4)],
)
def test_reserves_are_called_until_the_quota_is_met(
    top_ups: int, called: int, accepted: int, tmp_path: Path, run_graph: RunGraph, counts: Counts
) -> None:
    """Three are wanted; of four claimed one is good, of the first four reserves another."""
    memory = tmp_path / "memory.tsv"
    good = {0, 6, 8, 9}
    rows = [TSV_COLUMNS, *(_row(number, number in good) for number in range(10))]
    memory.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    plan = plan_of(
        *(2, 'languages=["en", "de"]', "translation.engine=memory"),
        *(f'translation.memory=["{memory}"]', f"translation.top_ups={top_ups}"),
    )
    tasks = {"qa": dataclasses.replace(plan.tasks["qa"], quota=3, factor=4 / 3)}
    plan = dataclasses.replace(plan, tasks=tasks, tiers={})
    claimed = [_query(number) for number in range(4)]
    reserves = [Reserve(number - 4, _query(number)) for number in range(4, 10)]

    def lay_out(graph: beam.Pipeline) -> Laid:
        waiting = graph | "Reserves" >> beam.Create(reserves)
        judged, rejects = graph | "Claimed" >> beam.Create(claimed) | FillQuotas(plan, waiting)
        return {"judged": judged, "rejects": rejects}

    found = run_graph(lay_out)
    whole = Counter(one.query.query_id for one in found["judged"] if one.accepted)
    assert len(found["judged"]) == 2 * (4 + called)
    assert sum(count == 2 for count in whole.values()) == accepted
    assert counts.get(("claim", "out"), 0) == called
    over = [one.key for one in found["rejects"] if one.reason == "over_quota"]
    assert over == [f"qa-{number}" for number in range(4 + called, 10)]
    claimed.reverse()
    reserves.reverse()
    assert repr(run_graph(lay_out)) == repr(found)  # scores may be NaN


def _query(number: int) -> Query:
    names = (
        Name("appendicitis", "en", "S", "PT", "A1", 0, True),
        Name("Blinddarmentzündung", "de", "S", "PT", "A2", 0, True),
    )
    original = Wording(_text(number), "en", (), 0)
    concepts = (Concept("C1", names, ("T047",)),)
    return Query(f"qa-{number}", "qa", "", "s", "t", "source", original, (), concepts, (), "CC")


def _text(number: int) -> str:
    return f"What are the symptoms of appendicitis in {number + 20} patients?"


def _row(number: int, is_good: bool) -> tuple[str, ...]:
    german = f"Welche Symptome hat eine Blinddarmentzündung bei {number + 20} Patienten?"
    made = german if is_good else _text(number)
    return ("en", "de", _text(number), made, _text(number), "curated", "", "")
