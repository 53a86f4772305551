"""Which of several runs is better, and whether chance could have made it so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pipeline.scorer.clusters import Clusters, find_clusters
from pipeline.scorer.errors import RequestError
from pipeline.scorer.ranked import Floats
from pipeline.scorer.release import Release
from pipeline.scorer.resampling import (
    Interval,
    Strata,
    bootstrap,
    detectable,
    holm,
    permute,
    stratify,
)
from pipeline.scorer.score import RunScores, SubsetScores

Parts = Mapping[str, SubsetScores]
"""What a run has of a task, by subset."""

FIRST = {"concepts": "accuracy@1"}
USUAL = "ndcg@10"


@dataclass(frozen=True, slots=True)
class Difference:
    """What one run is ahead of another in a task, over the subsets that both answer.

    ``p`` is of the paired permutation test, ``adjusted`` the same after Holm's correction over all
    comparisons made at once; ``detectable`` is the difference that this many concepts would show
    four times in five.
    """

    task: str
    measure: str
    better: str
    other: str
    difference: Interval
    p: float
    adjusted: float
    detectable: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The runs' own means with intervals, and every pair's difference."""

    means: Mapping[tuple[str, str, str], Interval]  # run, task, measure
    differences: tuple[Difference, ...]


def compare(
    release: Release, runs: Sequence[RunScores], measures: Sequence[str] = (), seed: int = 0
) -> Comparison:
    """Compare every pair of runs in every task, by its first measure or by those asked for.

    Raises:
        RequestError: A task is answered by two runs in no subset in common.
    """
    means: dict[tuple[str, str, str], Interval] = {}
    raw: list[tuple[str, str, str, str, Interval, float]] = []
    for task in _tasks(runs):
        parts = {run.name: _parts(run, task) for run in runs if _parts(run, task)}
        clusters = find_clusters(
            release, {p.subset for one in parts.values() for p in one.values()}
        )
        for measure in measures or [FIRST.get(task, USUAL)]:
            for name, own in parts.items():
                means[name, task, measure] = bootstrap(_of_run(own, measure, clusters), seed)
            for first, second in combinations(parts, 2):
                raw.append(_pair(parts, first, second, task, measure, clusters, seed))
    adjusted = holm([one[-1] for one in raw])
    found = (
        Difference(task, measure, better, other, size, p, least, detectable(size.error))
        for (task, measure, better, other, size, p), least in zip(raw, adjusted, strict=True)
    )
    return Comparison(means, tuple(found))


def intervals(release: Release, run: RunScores, seed: int = 0) -> dict[tuple[str, str], Interval]:
    """The interval of every measure of a run, by task and measure, over macro means."""
    found = {}
    for task in _tasks([run]):
        parts = _parts(run, task)
        clusters = find_clusters(release, {part.subset for part in parts.values()})
        for measure in next(iter(parts.values())).values:
            found[task, measure] = bootstrap(_of_run(parts, measure, clusters), seed)
    return found


def _pair(  # noqa: PLR0913, PLR0917 - what makes one comparison
    parts: Mapping[str, Parts],
    first: str,
    second: str,
    task: str,
    measure: str,
    clusters: Clusters,
    seed: int,
) -> tuple[str, str, str, str, Interval, float]:
    one, two = parts[first], parts[second]
    shared = {name: one[name] for name in one if name in two}
    if not shared:
        raise RequestError(f"{first} and {second} answer no subset of {task} in common")
    strata = _of_pair(shared, two, measure, clusters)
    if strata.mean < 0:
        first, second = second, first
        strata = Strata(-strata.sums, strata.numbers)
    return task, measure, first, second, bootstrap(strata, seed), permute(strata, seed)


def _of_run(parts: Parts, measure: str, clusters: Clusters) -> Strata:
    """A run's values."""
    return _strata(parts, [part.values[measure] for part in parts.values()], clusters)


def _of_pair(parts: Parts, others: Parts, measure: str, clusters: Clusters) -> Strata:
    """What a run is ahead of another, query by query."""
    ahead = [part.values[measure] - others[name].values[measure] for name, part in parts.items()]
    return _strata(parts, ahead, clusters)


def _strata(parts: Parts, values: list[Floats], clusters: Clusters) -> Strata:
    codes = [clusters.codes(part.judgements.queries) for part in parts.values()]
    return stratify(values, codes, clusters.count)


def _tasks(runs: Sequence[RunScores]) -> list[str]:
    return list(dict.fromkeys(part.subset.task for run in runs for part in run.subsets))


def _parts(run: RunScores, task: str) -> dict[str, SubsetScores]:
    return {part.subset.name: part for part in run.subsets if part.subset.task == task}
