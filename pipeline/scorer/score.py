"""Score runs against a release: every subset that a run answers, query by query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path

import numpy as np

from pipeline.scorer import VERSION
from pipeline.scorer.conventions import Convention, convention
from pipeline.scorer.errors import RequestError, ScorerError
from pipeline.scorer.metrics import DiscountedGain, Metric, parse_measure
from pipeline.scorer.ranked import Floats, lay_over
from pipeline.scorer.rankings import Ranking
from pipeline.scorer.release import (
    Judgements,
    Release,
    Subset,
    open_release,
    read_candidates,
    read_judgements,
)
from pipeline.scorer.runs import Run, read_run, stem

CORPUS_MEASURES = ("ndcg@10", "recall@10", "recall@100", "mrr@10", "map@10")
CANDIDATE_MEASURES = ("accuracy@1", "ndcg@10", "mrr@10")
HASH_DIGITS = 8
ROUNDING = 1e-9  # values that are less apart are the same


@dataclass(frozen=True, slots=True)
class Tied:
    """What ties do to a measure: the share of queries whose value hangs on them, and the mean
    over all their orders.
    """

    queries: float
    mean: float


@dataclass(frozen=True, slots=True)
class SubsetScores:
    """One run's values in one subset; arrays have one entry a query, in the order of the ids.

    All queries of the qrels count: ``missing`` ones, which the run does not answer, and those
    ``without_relevant`` documents have the value 0. ``ignored`` counts the run's queries that
    the subset does not have. A value that a convention of another tool leaves out is NaN.
    ``tied`` is the share of queries with ties among the first documents that change nothing but
    by chance, and what nDCG is when they are averaged.
    """

    subset: Subset
    judgements: Judgements
    values: dict[str, Floats]  # measure → value by query
    missing: tuple[str, ...]
    without_relevant: tuple[str, ...]
    ignored: int
    tied: Mapping[str, Tied] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunScores:
    """One run's values; ``unscored`` names the subsets of the release that it has no file for."""

    name: str
    subsets: tuple[SubsetScores, ...]
    unscored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """What `score` found, and the signature under which it may be compared."""

    signature: str
    runs: tuple[RunScores, ...]


def score(
    release: Path,
    runs: Sequence[Path],
    *,
    measures: Sequence[str] = (),
    subset: str = "",
    compat: str = "",
) -> Results:
    """Score runs against a release; without ``measures``, by those usual for each task.

    ``subset`` is what a single TREC file answers that is not named after it; ``compat`` names the
    tool whose figures are to be reproduced. Raises ScorerError for runs that cannot be scored,
    RequestError for what is not there.
    """
    opened = open_release(release)
    convention(compat, "")
    asked = Asked({name: parse_measure(name) for name in measures}, compat)
    names = _names(runs)
    found = tuple(
        _score_run(opened, Run(name, path, subset), asked)
        for name, path in zip(names, runs, strict=True)
    )
    used = {name for run in found for part in run.subsets for name in part.values}
    return Results(_signature(opened, used, compat), found)


@dataclass(frozen=True, slots=True)
class Asked:
    """The measures asked for, or none, and whose way of computing them."""

    measures: Mapping[str, Metric]
    compat: str = ""

    def of(self, subset: Subset) -> Mapping[str, Metric]:
        """The measures of a subset."""
        usual = CANDIDATE_MEASURES if subset.tier else CORPUS_MEASURES
        return self.measures or {name: parse_measure(name) for name in usual}

    def by_convention(self, subset: Subset) -> dict[Convention, dict[str, Metric]]:
        """The same, by the way in which they are computed."""
        ways: dict[Convention, dict[str, Metric]] = {}
        for name, metric in self.of(subset).items():
            ways.setdefault(convention(self.compat, name), {})[name] = metric
        return ways


def _names(runs: Sequence[Path]) -> list[str]:
    """Short names where they tell the runs apart, else their paths."""
    short = [stem(path) for path in runs]
    if len(set(short)) == len(short):
        return short
    paths = [str(path) for path in runs]
    if len(set(paths)) < len(paths):
        raise RequestError("a run is named twice; name each once")
    return paths


def _score_run(release: Release, run: Run, asked: Asked) -> RunScores:
    scored = {
        name: _score_subset(release, release.subset(name), ranking, asked)
        for name, ranking in read_run(run)
    }
    names = [subset.name for subset in release.subsets]
    present = tuple(scored[name] for name in names if name in scored)
    return RunScores(run.name, present, tuple(name for name in names if name not in scored))


def _score_subset(release: Release, subset: Subset, ranking: Ranking, asked: Asked) -> SubsetScores:
    judgements = read_judgements(release, subset)
    answered = set(ranking.queries) & set(judgements.queries)
    _refuse_strangers(release, subset, ranking, answered)
    missing = np.array([query not in answered for query in judgements.queries], bool)
    depth = max(metric.cutoff for metric in asked.of(subset).values())
    values, tied, ranked = dict[str, Floats](), dict[str, Tied](), None
    for way, metrics in asked.by_convention(subset).items():
        ranked = lay_over(ranking, judgements, depth, way)
        for name, metric in metrics.items():
            found = metric.values(ranked)
            values[name] = found if way.counts_missing else np.where(missing, np.nan, found)
            if isinstance(metric, DiscountedGain) and not asked.compat:
                tied[name] = _tied(found, metric.averaged_over_ties(ranked))
    relevant = np.bincount(
        judgements.query_codes[judgements.grades > 0], minlength=len(judgements.queries)
    )
    return SubsetScores(
        subset=subset,
        judgements=judgements,
        values={name: values[name] for name in asked.of(subset)},
        missing=tuple(compress(judgements.queries, missing)),
        without_relevant=tuple(compress(judgements.queries, relevant == 0)),
        ignored=len(ranking.queries) - len(answered),
        tied=tied,
    )


def _tied(found: Floats, averaged: Floats) -> Tied:
    hanging = np.abs(found - averaged) > ROUNDING
    return Tied(float(hanging.mean()), float(averaged.mean()))


def _refuse_strangers(
    release: Release, subset: Subset, ranking: Ranking, answered: set[str]
) -> None:
    """A run of other queries, or of documents that were no candidates, is not scored at all."""
    if ranking.queries and not answered:
        raise ScorerError(
            f"{ranking.source}: none of its queries ({ranking.queries[0]}, …) is in "
            f"{subset.name}; was it made from this release?"
        )
    candidates = read_candidates(release, subset)
    if candidates is None:
        return
    shown = {query: frozenset(documents) for query, documents in candidates.items()}
    for query, document in ranking.pairs():
        if query in answered and document not in shown.get(query, ()):
            raise ScorerError(
                f"{ranking.source}: query {query} is not shown document {document}; "
                f"rank the candidates of {subset.name}-top_ranked only"
            )


def _signature(release: Release, measures: set[str], compat: str) -> str:
    variants = {name: parse_measure(name).variant for name in sorted(measures)}
    return "|".join(
        (
            f"mmed-bench-scorer:{VERSION}",
            f"release:{release.build_hash[:HASH_DIGITS]}",
            *(f"{name}:{variant}" for name, variant in variants.items() if variant),
            *((f"compat:{compat}",) if compat else ("ties:docid-desc", "missing:0")),
        )
    )
