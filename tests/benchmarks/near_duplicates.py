"""How fast near duplicates between tasks are found, and that none is missed, by language."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio
from tests.benchmarks.meta import Dice, name_of
from tests.benchmarks.timing import timed

TEXTS = 20_000
COMPARED = 500  # of them are compared with all others one by one: all would take an hour
SEED = 20260624
TASKS = ("qa", "evidence", "concepts")
QUESTIONS = {
    "ENG": (
        "What are the symptoms of {}?",
        "What are the treatments for {}?",
        "How many people are affected by {}?",
        "Is {} inherited?",
        "What is the outlook for {}?",
        "Does {} increase the risk of {}?",
    ),
    "JPN": ("{}の症状は何ですか。", "{}の治療法は何ですか。", "{}は{}の危険を高めますか。"),
    "CHI": ("{}有什么症状?", "如何治疗{}?", "{}会增加{}的风险吗?"),
}
REPEATED = 20  # every twentieth text says again what another task's says, in a word more
MORE = {"ENG": " Now", "JPN": "今", "CHI": "呢"}
TIMES_FASTER = 20

Texts = dict[str, tuple[str, str]]
Pairs = list[tuple[str, str, float]]


def figures(workshop: Workshop) -> list[Figure]:
    """The search by rare grams, a product of matrices over all texts, and a loop over some."""
    return [figure for language in QUESTIONS for figure in _of_language(workshop, language)]


def _of_language(workshop: Workshop, language: str) -> Iterator[Figure]:
    runs = workshop.measure(
        {
            f"rare grams, {language}": workshop.ours("near_duplicates:search", language),
            f"all pairs, {language}": workshop.peer("near_duplicates:multiply", language),
            f"loop, {language}": workshop.ours("near_duplicates:compare_some", language),
        }
    )
    ours, product, loop = runs.values()
    found, there = (set(run.answer["pairs"]) for run in (ours, product))
    whole = loop.seconds["find"] * TEXTS / COMPARED / 2  # every pair once
    yield from process_figures(f"near duplicates among {TEXTS:,} texts, {language}", ours)
    yield Figure(f"search alone, {language}: CPU", ours.seconds["find"], "s")
    yield Figure(f"all pairs, as the loop over {COMPARED} has it, {language}: CPU", whole, "s")
    yield ratio(
        f"CPU: search, to all pairs, {language}",
        *(ours.seconds["find"], whole, 1 / TIMES_FASTER),
    )
    yield Figure(f"pairs there, {language}", len(there), "pairs")
    yield Figure(f"pairs missed, {language}", len(there - found), "pairs", 0)
    yield Figure(f"pairs that are none, {language}", len(found - there), "pairs", 0)


def search(language: str) -> dict[str, Any]:
    """What the project does."""
    from splits.near_duplicates import pairs

    return _timed(pairs, language)


def compare_some(language: str) -> dict[str, Any]:
    """Some texts with every text of another task, by their sets of grams alone."""
    return _timed(_loop, language)


def multiply(language: str) -> dict[str, Any]:
    """Every two texts of different tasks, as a product of sparse matrices."""
    return _timed(_product, language)


def _timed(find: Callable[[Texts], Pairs], language: str) -> dict[str, Any]:
    texts = dict(_texts(language))
    with timed("find"):
        found = find(texts)
    return {"pairs": sorted(f"{one} {other} {score:.9f}" for one, other, score in found)}


def _loop(texts: Texts) -> Pairs:
    from splits.near_duplicates import THRESHOLD, grams

    held = [(one, task, grams(text)) for one, (task, text) in sorted(texts.items())]
    found = []
    for one, task, mine in held[:COMPARED]:
        for other, rival, theirs in held:
            if task != rival:
                shared = len(mine & theirs)
                similarity = shared / (len(mine) + len(theirs) - shared)
                if similarity >= THRESHOLD:
                    found.append((one, other, similarity))
    return found


def _product(texts: Texts) -> Pairs:
    """A second opinion that shares no code: grams of what the tests' texts are once plain."""
    import numpy as np
    from scipy.sparse import csr_array

    names = sorted(texts)
    tasks = np.array([TASKS.index(texts[name][0]) for name in names])
    sets = [_grams(texts[name][1]) for name in names]
    columns = {gram: at for at, gram in enumerate(sorted(set().union(*sets)))}
    places = np.array([columns[gram] for one in sets for gram in sorted(one)])
    sizes = np.array([len(one) for one in sets])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    held = csr_array((np.ones(len(places), np.int32), places, starts), (len(sets), len(columns)))
    found, step = [], 500
    for start in range(0, len(names), step):
        shared = (held[start : start + step] @ held.T).tocoo()
        left, right = shared.row + start, shared.col
        score = shared.data / (sizes[left] + sizes[right] - shared.data)
        near = (score >= 0.7) & (left < right) & (tasks[left] != tasks[right])
        found += [
            (names[one], names[other], value)
            for one, other, value in zip(left[near], right[near], score[near], strict=True)
        ]
    return found


def _grams(text: str) -> set[str]:
    plain = " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
    return {plain[at : at + 5] for at in range(max(1, len(plain) - 4))}


def _texts(language: str) -> Iterator[tuple[str, tuple[str, str]]]:
    said = ""
    for number in range(TEXTS):
        dice = Dice(SEED, f"text {number}")
        if number % REPEATED:
            names = name_of(language, dice), name_of(language, dice)
            said = text = dice.of(QUESTIONS[language]).format(*names)
        else:
            text = f"{said}{MORE[language]}"
        yield f"{number:05d}", (TASKS[number % len(TASKS)], text)
