"""Concepts → confusion sets: one index that all workers share, golds spread over them."""

import functools
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import Concept, ConfusionSet, Reject
from pipeline.release.layout import WORK
from pipeline.stages.tally import TAKEN, SetAside, count, note
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.mine import golds, mine

STAGE = "mine"
CHUNK = 64  # golds that travel together


class MineConfusionSets(beam.PTransform):
    """Concepts → confusion sets of every tier that a gold can fill."""

    def __init__(self, plan: Plan, general: beam.PCollection, folder: str) -> None:
        super().__init__()
        self.plan = plan
        self.general = general
        self.folder = folder

    @no_annotations
    def expand(self, concepts: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        """Gives `.main` and `.rejects`; the index is written to `folder`."""
        return (
            concepts
            | "Together" >> beam.GroupBy(_one_group)
            | "Index" >> beam.Map(write_index, beam.pvalue.AsList(self.general), self.folder)
            | "Golds" >> beam.FlatMap(_chunks, self.plan)
            | "Spread" >> beam.Reshuffle()
            | "Gold" >> beam.FlatMap(_with_path)
            | "Mine" >> beam.FlatMap(mine_gold, self.plan)
            | SetAside(STAGE)
        )


def write_index(group: tuple[int, Iterable[Concept]], general: Iterable[str], folder: str) -> str:
    """Build the index of all concepts and write it to a file; returns the path.

    The file is named by its content: a process that keeps an index keeps the right one, though
    another build may use the same folder later.
    """
    draft = Path(folder, WORK, "concepts.arrow")
    ConceptIndex.build(group[1], frozenset(general)).save(str(draft))
    with draft.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return str(draft.replace(draft.with_stem(f"concepts-{digest}")))


@functools.lru_cache(maxsize=1)
def load_index(path: str) -> ConceptIndex:
    """The index, loaded once a worker process."""
    return ConceptIndex.load(path)


def mine_gold(element: tuple[str, str], plan: Plan) -> Iterator[ConfusionSet | Reject]:
    """All sets of one gold, and a Reject for each tier that it cannot fill."""
    path, gold = element
    tiers = {name: tier.rule for name, tier in plan.tiers.items()}
    mined = mine(load_index(path), gold, tiers, plan.concepts.distractors, plan.seed)
    count(STAGE, TAKEN, len(tiers))
    for reason, number in mined.excluded:
        note(STAGE, f"excluded: {reason}", number)
    yield from mined.sets
    for tier in sorted(tiers.keys() - {one.tier for one in mined.sets}):
        yield Reject(STAGE, f"{gold} {tier}", "too_few_distractors")


def _one_group(_: Concept) -> int:
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
