"""Measures runs for the leaderboard: means with intervals, rank groups, languages, tiers, gaps."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.leaderboard.groups import rank_groups
from pipeline.scorer.aggregate import Means, TaskMeans, Values, aggregate
from pipeline.scorer.clusters import Clusters, find_clusters
from pipeline.scorer.comparing import FIRST, USUAL, Comparison, compare
from pipeline.scorer.release import ENGLISH, Release, open_release, read_candidates
from pipeline.scorer.resampling import LEVEL, Interval, bootstrap, stratify
from pipeline.scorer.score import Results, RunScores, SubsetScores, score

OVERALL = USUAL  # what all tasks are measured by
SIGNIFICANT = 1 - LEVEL


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a system stands in a task.

    ``mean`` is over the subsets that it answers, ``languages`` are means of the task's measure;
    ``gap`` and ``spread`` as the scorer has them, None where there is no parallel core. ``absent``
    counts the subsets that it does not answer.
    """

    run: str
    mean: Interval
    groups: tuple[int, ...]
    values: Values
    languages: Mapping[str, float]
    tiers: Mapping[str, Interval]
    worst: str
    gap: float | None
    spread: float | None
    absent: int


@dataclass(frozen=True, slots=True)
class TaskBoard:
    """All standings of a task, the best first; ``chance`` is that of a blind guess, by tier."""

    task: str
    measure: str
    standings: tuple[Standing, ...]
    languages: tuple[str, ...]
    tiers: tuple[str, ...]
    chance: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard of a release; ``overall`` has the systems that answer every subset."""

    title: str
    version: str
    profile: str
    signature: str
    runs: tuple[str, ...]
    tasks: tuple[TaskBoard, ...]
    overall: Mapping[str, float]


def measure_board(root: Path, runs: Sequence[Path], seed: int = 0) -> tuple[Board, Results]:
    """Score runs and compare each with each.

    Raises ScorerError for runs that cannot be scored, RequestError for what is not there and for
    two runs that answer no subset of a task in common.
    """
    release = open_release(root)
    results = score(root, runs)
    means = {run.name: aggregate(run) for run in results.runs}
    compared = compare(release, results.runs, seed=seed)
    names = dict.fromkeys(part.subset.task for run in results.runs for part in run.subsets)
    told = json.loads((root / "manifest.json").read_text("utf-8"))
    board = Board(
        title=str(told.get("title", root.name)),
        version=str(told.get("version", "")),
        profile=str(told.get("profile", "")),
        signature=results.signature,
        runs=tuple(means),
        tasks=tuple(_Task(release, results, name).board(means, compared, seed) for name in names),
        overall={run.name: means[run.name].overall[OVERALL] for run in results.runs if _whole(run)},
    )
    return board, results


def _whole(run: RunScores) -> bool:
    return not run.unscored and all(OVERALL in part.values for part in run.subsets)


@dataclass(frozen=True, slots=True)
class _Task:
    """One task of some results."""

    release: Release
    results: Results
    name: str

    @property
    def measure(self) -> str:
        return FIRST.get(self.name, USUAL)

    def board(self, means: Mapping[str, Means], compared: Comparison, seed: int) -> TaskBoard:
        own = {run.name: self._parts(run) for run in self.results.runs if self._parts(run)}
        found = {name: compared.means[name, self.name, self.measure] for name in own}
        ranked = sorted(found, key=lambda name: (-found[name].mean, name))
        groups = rank_groups(ranked, self._apart(compared))
        subsets = list(dict.fromkeys(part.subset for parts in own.values() for part in parts))
        clusters = find_clusters(self.release, subsets)
        standings = []
        for name in ranked:
            (task,) = (one for one in means[name].tasks if one.task == self.name)
            tiers = self._by_tier(own[name], clusters, seed)
            standings.append(self._standing(name, found[name], groups[name], task, tiers))
        languages = {subset.language for subset in subsets}
        found_tiers = {one.tier: None for one in self.release.subsets if one in subsets}
        return TaskBoard(
            task=self.name,
            measure=self.measure,
            standings=tuple(standings),
            languages=tuple(sorted(languages, key=lambda one: (one != ENGLISH, one))),
            tiers=tuple(filter(None, found_tiers)),
            chance=self._chance(),
        )

    def _standing(
        self,
        name: str,
        mean: Interval,
        groups: tuple[int, ...],
        task: TaskMeans,
        tiers: Mapping[str, Interval],
    ) -> Standing:
        return Standing(
            run=name,
            mean=mean,
            groups=groups,
            values=task.macro,
            languages={one: values[self.measure] for one, values in task.languages.items()},
            tiers=tiers,
            worst=task.worst(self.measure),
            gap=task.gap.get(self.measure),
            spread=task.spread.get(self.measure),
            absent=task.absent,
        )

    def _parts(self, run: RunScores) -> list[SubsetScores]:
        return [part for part in run.subsets if part.subset.task == self.name]

    def _apart(self, compared: Comparison) -> set[frozenset[str]]:
        return {
            frozenset((one.better, one.other))
            for one in compared.differences
            if one.task == self.name and one.adjusted < SIGNIFICANT
        }

    def _by_tier(
        self, parts: Sequence[SubsetScores], clusters: Clusters, seed: int
    ) -> dict[str, Interval]:
        found = {}
        for tier in dict.fromkeys(part.subset.tier for part in parts if part.subset.tier):
            own = [part for part in parts if part.subset.tier == tier]
            codes = [clusters.codes(part.judgements.queries) for part in own]
            values = [part.values[self.measure] for part in own]
            found[tier] = bootstrap(stratify(values, codes, clusters.count), seed)
        return found

    def _chance(self) -> dict[str, float]:
        """By tier, what a blind guess comes to: one over the number of candidates, on average."""
        shares: dict[str, list[float]] = {}
        for subset in self.release.subsets:
            if subset.task == self.name and subset.tier:
                shown = read_candidates(self.release, subset) or {}
                own = shares.setdefault(subset.tier, [])
                own += [1 / len(documents) for documents in shown.values()]
        return {tier: float(np.mean(own)) for tier, own in shares.items() if own}
