"""Judged queries → those that are released, with no overlap left between tasks."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import JudgedQuery, Reject
from pipeline.stages.judging import label_of
from pipeline.stages.tally import GIVEN, CountIn, count
from splits.select import Contender, Released, Rules, contender_of, select

STAGE = "select"

Ruling = tuple[str, Released | Reject]
Ruled = tuple[JudgedQuery, Released | None]


class EnforceZeroOverlap(beam.PTransform):
    """Judged queries → (judged query, how it is released or None), with rejects set aside."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    @no_annotations
    def expand(self, judged: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Every judged query goes on, so that its verdicts are kept."""
        rulings = (
            judged
            | "Accepted" >> beam.Filter(_is_accepted)
            | CountIn(STAGE)
            | "Compact" >> beam.Map(contender_of)
            | "Together" >> beam.GroupBy(_one_group)
            | "Select" >> beam.FlatMap(select_pool, self.plan)
        )
        rejects = rulings | "Rejected" >> beam.FlatMap(_rejected)
        by_label = judged | "By label" >> beam.Map(_by_label)
        ruled = (
            {"judged": by_label, "rulings": rulings}
            | "Gather" >> beam.CoGroupByKey()
            | "Rule" >> beam.FlatMap(_rule)
        )
        return ruled, rejects


def select_pool(group: tuple[int, Iterable[Contender]], plan: Plan) -> Iterator[Ruling]:
    """A ruling on every contender, under its label."""
    selection = select(group[1], rules_of(plan))
    for released in selection.released:
        count(STAGE, GIVEN)
        yield f"{released.query_id}/{released.language}", released
    for reject in selection.rejects:
        count(STAGE, reject.reason)
        yield reject.key, reject


def rules_of(plan: Plan) -> Rules:
    """What the plan asks to be released."""
    quotas = plan.quotas
    return Rules(
        languages=plan.languages,
        quotas={slot: task.quota for slot, task in quotas.items()},
        seed=plan.seed,
        threshold=plan.overlap.jaccard,
        language_quotas={slot: task.language_quotas for slot, task in quotas.items()},
        floors={slot: task.language_floor for slot, task in quotas.items()},
    )


def _one_group(_: Contender) -> int:
    return 0


def _is_accepted(judged: JudgedQuery) -> bool:
    return judged.accepted


def _by_label(judged: JudgedQuery) -> tuple[str, JudgedQuery]:
    return label_of(judged), judged


def _rejected(ruling: Ruling) -> Iterator[Reject]:
    if isinstance(ruling[1], Reject):
        yield ruling[1]


def _rule(group: tuple[str, Mapping[str, Iterable[Any]]]) -> Iterator[Ruled]:
    """What the filters refuse has no ruling, and is not released either."""
    _, sides = group
    released = [ruling for ruling in sides["rulings"] if isinstance(ruling, Released)]
    for judged in sides["judged"]:
        yield judged, released[0] if released else None
