"""Intervals that hold what they promise, p-values that are uniform where nothing differs."""

import math

import numpy as np
import pytest

from pipeline.scorer.clusters import join
from pipeline.scorer.resampling import (
    Strata,
    _student,
    bootstrap,
    detectable,
    holm,
    permute,
    stratify,
)

TRIALS, CLUSTERS = 1000, 60


def drawn(generator: np.random.Generator, effect: float) -> Strata:
    """Differences in two languages of clusters of one to three queries, which hang together."""
    sizes = generator.integers(1, 4, CLUSTERS)
    codes = np.repeat(np.arange(CLUSTERS), sizes)
    shared = generator.normal(0, 0.2, CLUSTERS)[codes]
    values = [
        effect
        + shared
        + generator.normal(0, 0.1, codes.size)
        + generator.exponential(0.1, codes.size)
        - 0.1
        for _ in range(2)
    ]
    return stratify(values, [codes, codes], CLUSTERS)


def test_intervals_hold_the_true_difference_nineteen_times_in_twenty() -> None:
    generator = np.random.default_rng(7)
    held = 0
    for trial in range(TRIALS):
        found = bootstrap(drawn(generator, 0.05), trial, 500)
        held += found.low <= 0.05 <= found.high
    assert 0.93 <= held / TRIALS <= 0.97


def test_p_values_are_uniform_where_nothing_differs() -> None:
    generator = np.random.default_rng(8)
    values = np.array([permute(drawn(generator, 0.0), trial, 499) for trial in range(TRIALS)])
    counts, _ = np.histogram(values, bins=10, range=(0, 1))
    chi_square = float(((counts - TRIALS / 10) ** 2 / (TRIALS / 10)).sum())
    assert chi_square < 27.9  # the 99.9 % quantile with nine degrees of freedom
    assert 0.03 <= (values <= 0.05).mean() <= 0.07


def test_a_detectable_difference_is_found_four_times_in_five() -> None:
    generator = np.random.default_rng(9)
    error = np.mean([bootstrap(drawn(generator, 0.0), trial, 200).error for trial in range(50)])
    effect = detectable(float(error))
    found = [permute(drawn(generator, effect), trial, 499) <= 0.05 for trial in range(400)]
    assert 0.74 <= np.mean(found) <= 0.86


def test_clusters_widen_the_interval() -> None:
    generator = np.random.default_rng(3)
    values = np.repeat(generator.normal(0, 1, 50), 7)  # each concept asked in seven languages
    alone = stratify([values], [np.arange(350)], 350)
    together = stratify([values], [np.repeat(np.arange(50), 7)], 50)
    narrow, wide = bootstrap(alone, 1), bootstrap(together, 1)
    assert narrow.mean == pytest.approx(wide.mean)
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(
        math.sqrt(7), rel=0.15
    )


def test_the_mean_weighs_strata_alike() -> None:
    strata = stratify([np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0])],
                      [np.array([0, 1, 2, 3]), np.array([0])], 4)  # fmt: skip
    assert strata.mean == (0.25 + 1.0) / 2


def test_the_same_seed_gives_the_same_figures() -> None:
    strata = drawn(np.random.default_rng(1), 0.1)
    assert bootstrap(strata, 5) == bootstrap(strata, 5)
    assert permute(strata, 5) == permute(strata, 5)


def test_one_sided_differences_have_the_least_p_that_there_is() -> None:
    strata = stratify([np.ones(40)], [np.arange(40)], 40)
    assert permute(strata, 0, 999) == 1 / 1000


def test_no_difference_has_p_one() -> None:
    assert permute(stratify([np.zeros(5)], [np.arange(5)], 5), 0, 99) == 1.0


@pytest.mark.parametrize(
    ("values", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # as R's p.adjust has it
        ([0.5, 0.9], [1.0, 1.0]),
        ([], []),
    ],
)
def test_holm(values: list[float], adjusted: list[float]) -> None:
    assert holm(values) == pytest.approx(adjusted)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)]
)
def test_students_quantile(freedom: int, quantile: float) -> None:
    assert _student(freedom) == pytest.approx(quantile, abs=3e-3)


def test_queries_are_joined_by_what_they_share() -> None:
    found = join({"a": ["c 1"], "b": ["c 2", "d x"], "c": ["d x"], "d": ["c 1"], "e": []})
    assert (found.of["a"], found.of["b"]) == (found.of["d"], found.of["c"])
    assert found.count == 3
    assert found.codes(["e", "a"]).tolist() == [found.of["e"], found.of["a"]]
