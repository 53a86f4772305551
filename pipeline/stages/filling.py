"""Claimed queries → judged ones, with reserves called where the filters leave a quota short."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import JudgedQuery, Query, Reject
from pipeline.stages import claims
from pipeline.stages.claims import Reserve
from pipeline.stages.judging import JudgeQueries
from pipeline.stages.tally import GIVEN, SetAside, count, note
from pipeline.stages.translation import TranslateQueries

Slot = tuple[str, str]  # task, stratum
Standing = tuple[Slot, str, bool]  # of a query in a language: whether it is accepted
Balance = Counter[tuple[str, ...]]
"""(task, stratum, JUDGED or WHOLE or a language) → queries."""

JUDGED, WHOLE = "judged", "whole"  # judged in some language; accepted in all without own quotas
_CALLED, _WAITING = "called", "waiting"


class FillQuotas(beam.PTransform):
    """Queries → judged queries: translated, judged, and topped up from the reserves.

    What is called depends on how many queries the filters have accepted, not on when or where.
    """

    def __init__(self, plan: Plan, reserves: beam.PCollection) -> None:
        super().__init__()
        self.plan = plan
        self.reserves = reserves

    @no_annotations
    def expand(self, claimed: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Gives all judged queries, refused ones too, and the rejects."""
        worded, untranslated = claimed | "Translate" >> TranslateQueries(self.plan)
        judged, refused = worded | "Judge" >> JudgeQueries(self.plan)
        rejects, waiting, asked = [untranslated, refused], self.reserves, ()
        for number in range(1, self.plan.translation.top_ups + 1):
            topping = TopUp(self.plan, waiting, asked, number)
            judged, more, waiting, asked = judged | f"Top up {number}" >> topping
            rejects += more
        unneeded = waiting | "Not called" >> beam.Map(_over_quota) | SetAside(claims.STAGE)
        return judged, (*rejects, unneeded.rejects) | "All rejects" >> beam.Flatten()


class TopUp(beam.PTransform):
    """Judged queries → the same and those of the reserves that are now called."""

    def __init__(
        self, plan: Plan, waiting: beam.PCollection, asked: Sequence[beam.PCollection], number: int
    ) -> None:
        super().__init__()
        self.plan = plan
        self.waiting = waiting
        self.asked = asked
        self.number = number

    @no_annotations
    def expand(self, judged: beam.PCollection) -> tuple[Any, ...]:
        """Gives the judged, the rejects, the reserves still waiting, and how many were asked."""
        before = [beam.pvalue.AsList(one) for one in self.asked]
        asked = (
            judged
            | "Compact" >> beam.Map(_standing)
            | "By query" >> beam.GroupByKey()
            | "Weigh" >> beam.FlatMap(weigh, self.plan)
            | "Balance" >> beam.CombineGlobally(_Sum())
            | "Ask" >> beam.Map(ask, self.plan, *before)
        )
        parted = self.waiting | "Part" >> beam.FlatMap(
            _part, beam.pvalue.AsList(asked)
        ).with_outputs(_CALLED, _WAITING)
        worded, untranslated = parted[_CALLED] | "Translate" >> TranslateQueries(self.plan)
        more, refused = worded | "Judge" >> JudgeQueries(self.plan)
        together = (judged, more) | "Together" >> beam.Flatten()
        return together, [untranslated, refused], parted[_WAITING], (asked,)


def weigh(
    group: tuple[str, Iterable[Standing]], plan: Plan
) -> Iterator[tuple[tuple[str, ...], int]]:
    """What one query, judged in its languages, adds to the balance."""
    every = sorted(group[1])
    slot = every[0][0]
    accepted = [language for _, language, is_accepted in every if is_accepted]
    yield (*slot, JUDGED), 1
    yield from (((*slot, language), 1) for language in accepted)
    if set(unlimited(slot, plan)) <= set(accepted):
        yield (*slot, WHOLE), 1


def ask(balance: Balance, plan: Plan, before: Sequence[Mapping[Slot, int]] = ()) -> dict[Slot, int]:
    """How many reserves of each slot are called by now.

    As many as should fill it, if no fewer of them pass than so far; never more at a time than
    there were candidates at first, so that a language that always fails does not take them all.
    """
    asked = Counter(before[0] if before else {})
    for slot, task in sorted(plan.quotas.items()):
        missing = lacking(slot, balance, plan)
        if missing > 0:
            share = balance[*slot, WHOLE] / max(1, balance[*slot, JUDGED])
            most = math.ceil(task.quota * task.factor)
            asked[slot] += min(most, math.ceil(missing / share)) if share else most
    return dict(asked)


def lacking(slot: Slot, balance: Balance, plan: Plan) -> int:
    """What a slot lacks of its quota in all its languages, or of a language's own quota."""
    task = plan.quotas[slot]
    own = (quota - balance[*slot, one] for one, quota in task.language_quotas.items())
    return max(0, task.quota - balance[*slot, WHOLE], *own)


def unlimited(slot: Slot, plan: Plan) -> list[str]:
    """The languages in which all of a slot's quota is wanted."""
    return [one for one in plan.languages if one not in plan.quotas[slot].language_quotas]


def slot_of(query: Query) -> Slot:
    """Where a query's quota stands."""
    return query.task, query.stratum


class _Sum(beam.CombineFn):
    """Adds counts up; of nothing it is empty."""

    def create_accumulator(self) -> Balance:
        return Counter()

    def add_input(self, balance: Balance, counted: tuple[tuple[str, ...], int]) -> Balance:
        balance[counted[0]] += counted[1]
        return balance

    def merge_accumulators(self, parts: Iterable[Balance]) -> Balance:
        balance: Balance = Counter()
        for part in parts:
            balance.update(part)
        return balance

    def extract_output(self, balance: Balance) -> Balance:
        return balance


def _standing(judged: JudgedQuery) -> tuple[str, Standing]:
    query = judged.query
    return query.query_id, (slot_of(query), judged.translation.language, judged.accepted)


def _part(reserve: Reserve, asked: Sequence[Mapping[Slot, int]]) -> Iterator[object]:
    """Who is called goes on as a query, and counts as claimed after all."""
    if reserve.turn < asked[0].get(slot_of(reserve.query), 0):
        count(claims.STAGE, GIVEN)
        note(claims.STAGE, "called from the reserves")
        yield beam.pvalue.TaggedOutput(_CALLED, reserve.query)
    else:
        yield beam.pvalue.TaggedOutput(_WAITING, reserve)


def _over_quota(reserve: Reserve) -> Reject:
    return Reject(claims.STAGE, reserve.query.query_id, "over_quota")
