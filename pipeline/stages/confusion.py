"""Concepts → confusion sets: one index that all workers share, golds spread over them.

No concept travels to where the index is made: each worker writes what its batches bring to it to
files, and only their names are gathered.
"""

import functools
import hashlib
import math
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import apache_beam as beam
import pyarrow as pa
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import ConfusionSet, Question, Reject
from pipeline.release.layout import WORK
from pipeline.stages.tally import TAKEN, SetAside, count, note
from umls_tools.concept_batches import concepts_of
from umls_tools.confusion.circles import Circle, shortlist
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.mine import Rules, golds, mine, sets_of
from umls_tools.confusion.parts import part_of, read_part, write_part

STAGE = "mine"
CHUNK = 64  # golds that travel together
SPARE = 3  # other tasks claim concepts too, and a circle loses all its sets with one of them


class MineConfusionSets(beam.PTransform):
    """Batches of concepts → confusion sets, whole circles of them, more than are asked for."""

    def __init__(
        self,
        plan: Plan,
        general: beam.PCollection,
        questions: beam.PCollection,
        folder: str,
    ) -> None:
        super().__init__()
        self.plan = plan
        self.general = general
        self.questions = questions
        self.folder = folder

    @no_annotations
    def expand(self, batches: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Gives sets and rejects; the index is written to `folder`."""
        index = (
            batches
            | "Parts" >> beam.Map(write_part_of, self.folder)
            | "Together" >> beam.GroupBy(_one_group)
            | "Index" >> beam.Map(write_index, beam.pvalue.AsList(self.general), self.folder)
        )
        asked = self.questions | "Asked" >> beam.FlatMap(_cuis) | beam.Distinct()
        mined = (
            index
            | "Golds" >> beam.FlatMap(_chunks, self.plan)
            | "Spread" >> beam.Reshuffle()
            | "Gold" >> beam.FlatMap(_with_path)
            | "Mine" >> beam.FlatMap(mine_gold, self.plan, beam.pvalue.AsList(asked))
            | "All circles" >> beam.GroupBy(_one_group)
            | "Choose" >> beam.FlatMap(choose_circles, self.plan)
            | SetAside(STAGE)
        )
        sets = (
            mined.main
            | "Spread circles" >> beam.Reshuffle()
            | "Sets" >> beam.FlatMap(pose_circle, beam.pvalue.AsList(index), self.plan)
        )
        return sets, mined.rejects


def write_part_of(batch: pa.RecordBatch, folder: str) -> str:
    """Write what a batch of concepts brings to the index to a file; returns the path.

    The file is named by its first concept, which no other batch has, and by its content.
    """
    part = part_of(concepts_of(batch))
    draft = Path(folder, WORK, f"part-{part['cuis'][0]}.draft")
    write_part(str(draft), part)
    return _named_by_content(draft, f"part-{part['cuis'][0]}")


def write_index(group: tuple[int, Iterable[str]], general: Iterable[str], folder: str) -> str:
    """Put the parts together to the index of all concepts and write it to a file.

    Returns the path. The file is named by its content: a process that keeps an index keeps the
    right one, though another build may use the same folder later.
    """
    parts = [read_part(path) for path in sorted(group[1])]
    draft = Path(folder, WORK, "concepts.draft")
    ConceptIndex.from_parts(parts, frozenset(general)).save(str(draft))
    return _named_by_content(draft, "concepts")


def _named_by_content(draft: Path, name: str) -> str:
    with draft.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return str(draft.replace(draft.with_name(f"{name}-{digest}.arrow")))


@functools.lru_cache(maxsize=1)
def load_index(path: str) -> ConceptIndex:
    """The index, loaded once a worker process."""
    return ConceptIndex.load(path)


def mine_gold(
    element: tuple[str, str], plan: Plan, asked: Collection[str] = ()
) -> Iterator[Circle | Reject]:
    """All circles that a concept founds, and a Reject for each tier in which it founds none.

    `asked` are the concepts of questions: where others will do, they are left to those.
    """
    path, gold = element
    tiers = {name: tier.rule for name, tier in plan.tiers.items()}
    mined = mine(load_index(path), gold, tiers, circle_rules(plan), frozenset(asked))
    count(STAGE, TAKEN, len(tiers))
    for reason, number in mined.excluded:
        note(STAGE, f"excluded: {reason}", number)
    yield from mined.circles
    for tier in sorted(tiers.keys() - {one.tier for one in mined.circles}):
        yield Reject(STAGE, f"{gold} {tier}", "too_few_distractors")


def circle_rules(plan: Plan) -> Rules:
    """What the plan asks of circles."""
    wanted = plan.concepts
    return Rules(wanted.distractors, plan.seed, tuple(wanted.groups))


def choose_circles(
    group: tuple[int, Iterable[Circle | Reject]], plan: Plan
) -> Iterator[Circle | Reject]:
    """As many circles as give the quotas' candidates `SPARE` times over; the rest are rejects."""
    circles = []
    for mined in group[1]:
        if isinstance(mined, Reject):
            yield mined
        else:
            circles.append(mined)
    kept = shortlist(circles, circles_wanted(plan), plan.seed)
    yield from kept
    chosen = {(one.tier, one.founder) for one in kept}
    for one in circles:
        if (one.tier, one.founder) not in chosen:
            yield Reject(STAGE, f"{one.founder} {one.tier}", "circle_not_needed")


def circles_wanted(plan: Plan) -> dict[str, int]:
    """How many circles of each tier go on: claiming must have a choice."""
    golds = min(plan.concepts.max_shown, plan.concepts.distractors + 1)
    return {
        name: math.ceil(SPARE * tier.task.quota * tier.task.factor / golds)
        for name, tier in plan.tiers.items()
    }


def pose_circle(circle: Circle, paths: list[str], plan: Plan) -> Iterator[ConfusionSet]:
    """The sets of a circle, each with another of its concepts as gold."""
    tier = plan.tiers[circle.tier].rule
    most = plan.concepts.max_shown
    for one in sets_of(load_index(paths[0]), circle, tier, most, plan.seed):
        note(STAGE, "sets")
        yield one


def _cuis(question: Question) -> tuple[str, ...]:
    return question.cuis


def _one_group(_: object) -> int:
    return 0


def _chunks(path: str, plan: Plan) -> Iterator[tuple[str, tuple[str, ...]]]:
    wanted = plan.concepts
    chosen = golds(load_index(path), wanted.golds, plan.seed, wanted.groups, wanted.distractors)
    for start in range(0, len(chosen), CHUNK):
        yield path, tuple(chosen[start : start + CHUNK])


def _with_path(chunk: tuple[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    path, chosen = chunk
    for gold in chosen:
        yield path, gold
