"""Passages that nobody asked for fill the corpora up, without those that may be answers."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import Passage, Reject
from pipeline.stages.enforcing import Ruled
from pipeline.stages.tally import CountIn, SetAside, note
from pipeline.text import draw

STAGE = "fill corpora"
HOLDS_ALL = "holds_all_concepts"
BEYOND = "beyond_corpus_size"

About = tuple[str, str, tuple[str, ...], tuple[str, ...]]  # task, query, CUIs, relevant passages


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """What the queries ask about, for each task: relevant passages, and queries by one CUI each."""

    relevant: Mapping[str, frozenset[str]]
    queries: Mapping[tuple[str, str], tuple[tuple[frozenset[str], str], ...]]

    @classmethod
    def of(cls, rows: Iterable[About]) -> "Asked":
        """From rows of any order."""
        relevant: dict[str, set[str]] = {}
        queries: dict[tuple[str, str], list[tuple[frozenset[str], str]]] = {}
        for task, query_id, cuis, passages in sorted(set(rows)):
            relevant.setdefault(task, set()).update(passages)
            queries.setdefault((task, min(cuis)), []).append((frozenset(cuis), query_id))
        return cls(
            {task: frozenset(ids) for task, ids in relevant.items()},
            {key: tuple(found) for key, found in queries.items()},
        )

    def held_by(self, passage: Passage, task: str) -> str:
        """A query of the task all of whose concepts the passage holds; "" if there is none."""
        cuis = frozenset(passage.cuis)
        found = (one for cui in sorted(cuis) for one in self.queries.get((task, cui), ()))
        return next((query_id for wanted, query_id in found if wanted <= cuis), "")


class FillCorpora(beam.PTransform):
    """Passages → those that stand in a corpus, with rejects set aside.

    A source with a `corpus_size` gives the passages that answer a released query, then those that
    a keyed hash of their text draws, until the corpus has that many. One that holds all concepts
    of such a query, and that nobody has judged, may well answer it, and is left out.
    """

    def __init__(self, plan: Plan, ruled: beam.PCollection) -> None:
        super().__init__()
        self.plan = plan
        self.ruled = ruled

    @no_annotations
    def expand(self, passages: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Takes grounded passages; `ruled` holds judged queries. Gives passages and rejects."""
        sizes, seed = self.plan.corpus_sizes, self.plan.seed
        whole, fillers = passages | "Fillers" >> beam.Partition(_is_filler, 2)
        asked = (
            self.ruled
            | "About" >> beam.FlatMap(about)
            | "Together" >> beam.CombineGlobally(beam.combiners.ToListCombineFn())
            | "Asked" >> beam.Map(Asked.of)
        )
        screened = (
            fillers | CountIn(STAGE) | "Screen" >> beam.Map(screen, beam.pvalue.AsSingleton(asked))
        )
        standing = (
            (whole, screened)
            | "All" >> beam.Flatten()
            | "Standing" >> beam.FlatMap(_standing)
            | "Corpus sizes" >> beam.combiners.Count.PerElement()
        )
        limits = (
            screened
            | "Draw" >> beam.FlatMap(_drawn, seed)
            | "Lowest" >> beam.combiners.Top.SmallestPerKey(max(sizes.values(), default=1))
            | "Limits" >> beam.Map(_limit, beam.pvalue.AsDict(standing), sizes)
        )
        filled = (
            screened | "Fill" >> beam.Map(fill, beam.pvalue.AsDict(limits), seed) | SetAside(STAGE)
        )
        return (whole, filled.main) | "Corpora" >> beam.Flatten(), filled.rejects


def about(ruled: Ruled) -> Iterator[About]:
    """What a released query on evidence is about; the same in each of its languages."""
    judged, released = ruled
    query = judged.query
    if released is not None and query.task != "concepts":
        cuis = {*(concept.cui for concept in query.concepts), *query.unseen}
        relevant = tuple(sorted({one.passage_id for one in query.relevant}))
        yield query.task, query.query_id, tuple(sorted(cuis)), relevant


def screen(passage: Passage, asked: Asked) -> Passage | Reject:
    """The passage with the corpora that it may fill; where it answers a query it stands anyway."""
    answers = {task for task in passage.fills if passage.passage_id in asked.relevant.get(task, ())}
    fills = [task for task in passage.fills if task not in answers]
    held = {task: query for task in fills if (query := asked.held_by(passage, task))}
    for task in sorted(held):
        note(STAGE, f"{task}: hold all concepts of a query")
    tasks = tuple(task for task in passage.tasks if task not in held)
    if not tasks:
        return Reject(STAGE, passage.passage_id, HOLDS_ALL, held[min(held)])
    left = tuple(task for task in fills if task not in held)
    return dataclasses.replace(passage, tasks=tasks, fills=left)


def fill(screened: Passage | Reject, limits: Mapping[str, int], seed: int) -> Passage | Reject:
    """The passage in the corpora for which it is drawn; a Reject where it is in none."""
    if isinstance(screened, Reject):
        return screened
    drawn = dict(_drawn(screened, seed))
    beyond = {task for task in drawn if drawn[task] > limits[task]}
    tasks = tuple(task for task in screened.tasks if task not in beyond)
    if not tasks:
        return Reject(STAGE, screened.passage_id, BEYOND, " ".join(sorted(beyond)))
    return dataclasses.replace(screened, tasks=tasks, fills=())


def _drawn(screened: Passage | Reject, seed: int) -> Iterator[tuple[str, int]]:
    """(Task, its lot) for each corpus that a passage may fill; no two texts draw the same lot."""
    if isinstance(screened, Passage):
        for task in screened.fills:
            yield task, draw(seed, "distractor", task, screened.text) >> 1  # fits Beam's integers


def _limit(
    lots: tuple[str, list[int]], standing: Mapping[str, int], sizes: Mapping[str, int]
) -> tuple[str, int]:
    """The highest lot that is still drawn; below the lowest where the corpus is full without."""
    task, lowest = lots
    room = max(0, sizes[task] - standing.get(task, 0))
    taken = sorted(lowest)[:room]
    return task, taken[-1] if taken else -1


def _standing(screened: Passage | Reject) -> Iterator[str]:
    if isinstance(screened, Passage):
        yield from (task for task in screened.tasks if task not in screened.fills)


def _is_filler(passage: Passage, _: int) -> int:
    return int(bool(passage.fills))
