"""How fast near duplicates between tasks are found, and that none is missed."""

from collections.abc import Callable, Iterator
from itertools import combinations

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio
from tests.benchmarks.meta import Dice, name_of
from tests.benchmarks.timing import timed

TEXTS = 5_000
SEED = 20260624
TASKS = ("qa", "evidence", "concepts")
QUESTIONS = (
    "What are the symptoms of {}?",
    "What are the treatments for {}?",
    "How many people are affected by {}?",
    "Is {} inherited?",
    "What is the outlook for {}?",
    "Does {} increase the risk of {}?",
)
REPEATED = 20  # every twentieth text says again what another task's says, in a word more

Texts = dict[str, tuple[str, str]]
Pairs = list[tuple[str, str, float]]


def figures(workshop: Workshop) -> list[Figure]:
    """The search by rare grams against a comparison of all texts of different tasks."""
    ours, brute = workshop.measure(
        {
            "rare grams": workshop.ours("near_duplicates:search"),
            "all pairs": workshop.ours("near_duplicates:compare_all"),
        }
    ).values()
    found, there = (set(map(tuple, run.answer)) for run in (ours, brute))
    return [
        *process_figures(f"near duplicates among {TEXTS:,} texts", ours),
        *process_figures(f"all pairs of {TEXTS:,} texts", brute),
        ratio("CPU of the search alone, to all pairs", ours.seconds["find"], brute.seconds["find"]),
        Figure("pairs there", len(there), "pairs"),
        Figure("pairs missed", len(there - found), "pairs", 0),
        Figure("pairs that are none", len(found - there), "pairs", 0),
    ]


def search() -> Pairs:
    """What the project does."""
    from splits.near_duplicates import pairs

    return _timed(pairs)


def compare_all() -> Pairs:
    """Every two texts of different tasks, by their sets of grams alone."""
    return _timed(_all_pairs)


def _timed(find: Callable[[Texts], Pairs]) -> Pairs:
    texts = dict(_texts())
    with timed("find"):
        return find(texts)


def _all_pairs(texts: Texts) -> Pairs:
    from splits.near_duplicates import THRESHOLD, grams

    held = [(one, task, grams(text)) for one, (task, text) in sorted(texts.items())]
    found = []
    for (one, task, mine), (other, rival, theirs) in combinations(held, 2):
        if task != rival:
            shared = len(mine & theirs)
            similarity = shared / (len(mine) + len(theirs) - shared)
            if similarity >= THRESHOLD:
                found.append((one, other, similarity))
    return found


def _texts() -> Iterator[tuple[str, tuple[str, str]]]:
    said = ""
    for number in range(TEXTS):
        dice = Dice(SEED, f"text {number}")
        if number % REPEATED:
            said = dice.of(QUESTIONS).format(name_of("ENG", dice), name_of("ENG", dice))
            text = said
        else:
            text = f"{said} Now"
        yield f"{number:05d}", (TASKS[number % len(TASKS)], text)
