"""The check of difficulty passes what falls clearly, by circles, and nothing else."""

from types import ModuleType

import pytest

CIRCLES = 32


def hits(rate: int, circle: int, gold: int, clustered: bool) -> float:
    """`rate` of ten sets are hit: spread over all circles, or all sets of as many circles."""
    return float((circle if clustered else gold) % 10 < rate)


@pytest.mark.parametrize(
    ("rates", "clustered", "passes"),
    [
        ((9, 7, 4), False, True),
        ((9, 7, 4), True, True),
        ((7, 7, 4), False, False),
        ((9, 4, 7), False, False),
        ((4, 7, 9), False, False),
        ((6, 5, 4), False, True),  # every circle the same: no doubt is left
        ((6, 5, 4), True, False),  # as many hits, but of few circles
    ],
)
def test_only_tiers_that_clearly_fall_pass(
    difficulty: ModuleType, rates: tuple[int, int, int], clustered: bool, passes: bool
) -> None:
    tried = [
        difficulty.Tried(tier, frozenset({f"{tier}{circle}"}), hits(rate, circle, gold, clustered))
        for tier, rate in zip(difficulty.TIERS, rates, strict=True)
        for circle in range(CIRCLES)
        for gold in range(10)
    ]
    assert difficulty.become_harder(tried) is passes


def test_kin_widen_the_interval(difficulty: ModuleType) -> None:
    def width(clustered: bool) -> float:
        tried = [
            difficulty.Tried("hard", frozenset({str(c)}), hits(5, c, g * 7 + c, clustered))
            for c in range(CIRCLES)
            for g in range(10)
        ]
        found = difficulty.accuracies(tried)["hard"]
        assert found.low <= found.mean <= found.high
        return float(found.high - found.low)

    assert width(clustered=True) > 2 * width(clustered=False)
