"""How fast concepts are claimed, and how that grows with the number of candidates."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio
from tests.benchmarks.meta import Dice
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from splits.candidates import Candidate

SMALL, LARGE = 500_000, 1_000_000
SLOTS = (
    *(("qa", ""), ("evidence", "")),
    *(("concepts", "easy"), ("concepts", "medium"), ("concepts", "hard")),
)
KEYS, POPULAR = 8, 2  # of a candidate; the popular ones are shared with many
SEED = 20260624


def figures(workshop: Workshop) -> list[Figure]:
    """Twice the candidates: what is near linear takes twice the time."""
    small, large = workshop.measure(
        {f"{size:,}": workshop.ours("claim:claim_pool", size) for size in (SMALL, LARGE)}
    ).values()
    return [
        *process_figures(f"claim {SMALL:,} candidates of {KEYS} keys", small),
        *process_figures(f"claim {LARGE:,} candidates of {KEYS} keys", large, 4_000),
        Figure(f"claiming alone, {SMALL:,}: CPU", small.seconds["claim"], "s"),
        Figure(f"claiming alone, {LARGE:,}: CPU", large.seconds["claim"], "s", 60),
        Figure(f"accepted of {LARGE:,}", large.answer["accepted"] / LARGE, "share"),
        ratio("growth of CPU for twice", large.seconds["claim"], small.seconds["claim"], 2.2),
        ratio("growth of peak memory for twice", large.peak, small.peak),
    ]


def claim_pool(size: str) -> dict[str, int]:
    """Claim a pool of that many candidates, of which the quotas ask for half."""
    from splits.claim import claim

    pool = list(_pool(int(size)))
    quotas = dict.fromkeys(SLOTS, len(pool) // (2 * len(SLOTS)))
    with timed("claim"):
        outcome = claim(pool, quotas, SEED)
    return {"accepted": len(outcome.accepted), "rejected": len(outcome.rejects)}


def _pool(size: int) -> "Iterator[Candidate]":
    from splits.candidates import Candidate

    for number in range(size):
        dice = Dice(SEED, f"candidate {number}")
        task, stratum = dice.of(SLOTS)
        keys = {f"text:{dice.below(4 * size)}" for _ in range(KEYS - POPULAR)}
        keys.update(f"cui:{_popular(dice, size)}" for _ in range(POPULAR))
        held = tuple(sorted(keys))
        yield Candidate(f"{task}-{number}", task, stratum, held, unique=(f"text:{number}",))


def _popular(dice: Dice, size: int) -> int:
    """A number below a quarter of the size, small ones far more often than large ones."""
    return min(dice.below(size // 4), dice.below(size // 4))
