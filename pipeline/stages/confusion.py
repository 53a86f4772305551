"""Concepts → confusion sets: one index that all workers share, golds spread over them.

No concept travels to where the index is made: each worker writes what its batches bring to it to
files, and only their names are gathered.
"""

import functools
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import apache_beam as beam
import pyarrow as pa
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import ConfusionSet, Reject
from pipeline.release.layout import WORK
from pipeline.stages.tally import TAKEN, SetAside, count, note
from umls_tools.concept_batches import concepts_of
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.mine import golds, mine
from umls_tools.confusion.parts import part_of, read_part, write_part

STAGE = "mine"
CHUNK = 64  # golds that travel together


class MineConfusionSets(beam.PTransform):
    """Batches of concepts → confusion sets of every tier that a gold can fill."""

    def __init__(self, plan: Plan, general: beam.PCollection, folder: str) -> None:
        super().__init__()
        self.plan = plan
        self.general = general
        self.folder = folder

    @no_annotations
    def expand(self, batches: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        """Gives `.main` and `.rejects`; the index is written to `folder`."""
        return (
            batches
            | "Parts" >> beam.Map(write_part_of, self.folder)
            | "Together" >> beam.GroupBy(_one_group)
            | "Index" >> beam.Map(write_index, beam.pvalue.AsList(self.general), self.folder)
            | "Golds" >> beam.FlatMap(_chunks, self.plan)
            | "Spread" >> beam.Reshuffle()
            | "Gold" >> beam.FlatMap(_with_path)
            | "Mine" >> beam.FlatMap(mine_gold, self.plan)
            | SetAside(STAGE)
        )


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


def _one_group(_: str) -> int:
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
