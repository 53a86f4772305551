"""Means over subsets: macro, micro, by language and tier, and the gap between languages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.scorer.ranked import Floats
from pipeline.scorer.release import ENGLISH
from pipeline.scorer.score import RunScores, SubsetScores

Values = Mapping[str, float]
"""Measure → value."""


@dataclass(frozen=True, slots=True)
class TaskMeans:
    """What a task's subsets come to.

    ``macro`` weighs subsets alike, ``micro`` queries. ``gap`` is English minus the mean of the
    other languages, over the parallel core; empty without English, another language, or a core.
    ``spread`` is the best language minus the worst, over the same queries. ``absent`` counts the
    task's subsets that the run does not answer: they are in no mean.
    """

    task: str
    macro: Values
    micro: Values
    languages: Mapping[str, Values]
    tiers: Mapping[str, Values]
    gap: Values
    spread: Values
    absent: int

    def worst(self, measure: str) -> str:
        """The language with the least value; of equal ones the first by name."""
        return min(sorted(self.languages), key=lambda one: self.languages[one][measure])


@dataclass(frozen=True, slots=True)
class Means:
    """A run's means: by task; and over tasks, for the measures that all of them have."""

    tasks: tuple[TaskMeans, ...]
    languages: Mapping[str, Values]
    overall: Values


def aggregate(run: RunScores) -> Means:
    """All means of a run; every mean over tasks weighs them alike."""
    tasks = [
        _task_means(task, parts, _count_absent(run, task))
        for task, parts in _group(run.subsets, lambda part: part.subset.task).items()
    ]
    languages = _unique(part.subset.language for part in run.subsets)
    return Means(
        tasks=tuple(tasks),
        languages={
            language: _mean(
                [task.languages[language] for task in tasks if language in task.languages]
            )
            for language in languages
        },
        overall=_mean([task.macro for task in tasks]),
    )


def subset_means(part: SubsetScores) -> Values:
    """The mean of each measure over all queries of a subset."""
    return {name: average(values) for name, values in part.values.items()}


def average(values: Floats) -> float:
    """The mean of the values that count; 0 where none does."""
    counted = values[~np.isnan(values)]
    return float(counted.mean()) if counted.size else 0.0


def _task_means(task: str, parts: Sequence[SubsetScores], absent: int) -> TaskMeans:
    by_tier = _group(parts, lambda part: part.subset.tier)
    return TaskMeans(
        task=task,
        macro=_macro(parts),
        micro=_micro(parts),
        languages={
            language: _macro(group)
            for language, group in _group(parts, lambda part: part.subset.language).items()
        },
        tiers={tier: _macro(group) for tier, group in by_tier.items() if tier},
        gap=_mean([gap for gap in map(_gap, by_tier.values()) if gap]),
        spread=_mean([spread for spread in map(_spread, by_tier.values()) if spread]),
        absent=absent,
    )


def _count_absent(run: RunScores, task: str) -> int:
    return sum(name.split("-")[0] == task for name in run.unscored)


def _macro(parts: Sequence[SubsetScores]) -> Values:
    return _mean([subset_means(part) for part in parts])


def _micro(parts: Sequence[SubsetScores]) -> Values:
    return {
        name: average(np.concatenate([part.values[name] for part in parts]))
        for name in parts[0].values
    }


def _gap(parts: Sequence[SubsetScores]) -> Values:
    """English minus the mean of the others, over the queries that every language has."""
    core = _core(parts)
    english = core.pop(ENGLISH, None)
    if english is None or not core:
        return {}
    others = _mean(list(core.values()))
    return {name: english[name] - others[name] for name in others}


def _spread(parts: Sequence[SubsetScores]) -> Values:
    """The best language minus the worst, over the queries that every language has."""
    rows = list(_core(parts).values())
    if len(rows) < 2:  # noqa: PLR2004 - one language is ahead of none
        return {}
    return {
        name: max(row[name] for row in rows) - min(row[name] for row in rows) for name in rows[0]
    }


def _core(parts: Sequence[SubsetScores]) -> dict[str, Values]:
    """Each language's means over the parallel core."""
    return {
        part.subset.language: {
            name: average(values[part.judgements.in_core]) for name, values in part.values.items()
        }
        for part in parts
        if part.judgements.in_core.any()
    }


def _mean(rows: Sequence[Values]) -> Values:
    """The mean of each measure that all rows have."""
    if not rows:
        return {}
    shared = [name for name in rows[0] if all(name in row for row in rows)]
    return {name: float(np.mean([row[name] for row in rows])) for name in shared}


def _group(
    parts: Iterable[SubsetScores], key: Callable[[SubsetScores], str]
) -> dict[str, list[SubsetScores]]:
    groups: dict[str, list[SubsetScores]] = {}
    for part in parts:
        groups.setdefault(key(part), []).append(part)
    return groups


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
