"""Queries in a language → the same with every filter's verdict."""

import apache_beam as beam

from pipeline.plan import Plan
from pipeline.records import JudgedQuery, Query, Translation
from pipeline.stages.tally import GIVEN, TAKEN, count
from qa_filters.judge import judge, reasons

STAGE = "judge"


class JudgeQueries(beam.PTransform):
    """(Query, text in a language) → judged queries; refused ones go on, with their verdicts."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    def expand(self, pairs: beam.PCollection) -> beam.PCollection:
        """Score first, decide second, keep both."""
        return pairs | "Spread" >> beam.Reshuffle() | "Judge" >> beam.Map(judge_pair, self.plan)


def judge_pair(pair: tuple[Query, Translation], plan: Plan) -> JudgedQuery:
    """Judge one text, and count by which filters it is refused."""
    judged = judge(*pair, plan.filters)
    count(STAGE, TAKEN)
    if judged.accepted:
        count(STAGE, GIVEN)
    for reason in reasons(judged):
        count(STAGE, reason)
    return judged
