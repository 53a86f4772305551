"""Orders of preference that leave nothing in the names by which the gold could be told.

Whoever sees only the ten names, not the question, should do no better than chance: not by the
longest or the middle one, nor by the one most like or most unlike the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from umls_tools.confusion.candidates import Target
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.similarity import DIGITS, cosine

LENGTH_SPAN = 2.5  # the longest name of the window over the shortest
DRAWS = 1 << 64
SHORTLIST = 3
# On open data the gold of a hard set was most like the other names in 17 % of sets with the first
# alone, least like them in 17 %, and longest in 16 %; with all of these in 14, 10 and 12 %, at the
# same difficulty. Among equals the first is taken.
CLOSENESS = (0.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 4.0)

Floats = npt.NDArray[np.float64]


def matched(target: Target, nodes: Iterable[int]) -> list[int]:
    """A keyed order in which names about as long as the gold's come first.

    "About as long" is a window of lengths; the gold's own place in it is drawn, so that the
    gold is neither the longest nor the shortest nor the middle one more often than any other.
    Among them come first those that might be golds themselves: a gold has more than one name,
    and would be the best known concept among those that have one.
    """
    low = len(target.name) * LENGTH_SPAN ** -(target.draw("window") / DRAWS)

    def key(node: int) -> tuple[float, int, int, int]:
        length = len(target.index.name(node))
        outside = max(low - length, length - low * LENGTH_SPAN, 0.0)
        unasked = 1 - int(target.index.askable[node])
        return round(outside, DIGITS), unasked, target.draw("match", target.index.cui(node)), node

    return sorted(nodes, key=key)


def balanced(target: Target, nodes: Iterable[int], size: int) -> Iterator[int]:
    """The same order, but so many longer names first, and so many shorter, as are drawn.

    The gold's rank by length among the first `size` and itself is then any with equal chance,
    as far as there are names enough on either side.
    """
    longer = target.draw("longer") % (size + 1)
    room = {True: longer, False: size - longer}
    left_over = []
    for node in nodes:
        side = _is_longer(target, node)
        if room[side]:
            room[side] -= 1
            yield node
        else:
            left_over.append(node)
    yield from left_over


def _is_longer(target: Target, node: int) -> bool:
    ours, theirs = len(target.name), len(target.index.name(node))
    return theirs > ours or (theirs == ours and target.draw("tie", target.index.cui(node)) % 2 == 0)


def spread(index: ConceptIndex, nodes: Iterable[int]) -> Iterator[int]:
    """The same order, but of each family of siblings one first, then the others.

    The gold's own siblings are not there; were those of a cousin, the gold would be the odd one.
    """
    families: set[int] = set()
    left_over = []
    for node in nodes:
        parents = set(index.hierarchy.parents.of(node).tolist())
        if families.isdisjoint(parents):
            families |= parents
            yield node
        else:
            left_over.append(node)
    yield from left_over


def most_similar(target: Target, nodes: Iterable[int], size: int) -> Iterator[int]:
    """The nearest names first, but so that the gold is not always in the middle of them.

    Of the `SHORTLIST` times `size` nearest names a set is put together once for each of
    `CLOSENESS`: from distractors that resemble the gold and one another more, or less. Kept is
    the one in which the gold's rank by mean similarity to the rest comes nearest to a drawn
    rank. Everything else follows by similarity; ties go to the smaller CUI.
    """
    ranked = sorted(nodes, key=lambda node: (-target.similarity(node), node))
    shortlist = ranked[: SHORTLIST * size]
    alike = _similarities(target, shortlist)
    wanted = target.draw("typical") % (size + 1)
    options = [_gather(target, (shortlist, alike), size, weight) for weight in CLOSENESS]
    chosen = min(options, key=lambda places: abs(_typicality(alike, places) - wanted))
    best = [shortlist[place] for place in sorted(chosen)]
    taken = set(best)
    return chain(best, (node for node in ranked if node not in taken))


def _similarities(target: Target, nodes: Sequence[int]) -> Floats:
    """Cosines among the names, the gold's in the last row and column; 0 with itself."""
    names = [target.index.name(node) for node in (*nodes, target.gold)]
    alike = np.zeros((len(names), len(names)))
    for left, right in combinations(range(len(names)), 2):
        alike[left, right] = alike[right, left] = cosine(names[left], names[right])
    return alike


def _gather(
    target: Target, names: tuple[Sequence[int], Floats], size: int, weight: float
) -> list[int]:
    """Places in the shortlist, taken one by one: like the gold, and `weight` times like those."""
    shortlist, alike = names
    to_gold, to_chosen = alike[-1, :-1], np.zeros(len(shortlist))
    chosen: list[int] = []
    free = dict(enumerate(shortlist))
    for taken in range(1, min(size, len(shortlist)) + 1):
        scores = np.round(to_gold + weight * to_chosen / taken, DIGITS)
        chosen.append(max(free, key=lambda place: (scores[place], -place)))
        del free[chosen[-1]]
        to_chosen += alike[chosen[-1], :-1]
    return chosen


def _typicality(alike: Floats, places: Sequence[int]) -> int:
    """How many of the chosen resemble the whole set more than the gold does."""
    members = [*places, len(alike) - 1]
    sums = np.round(alike[np.ix_(members, members)].sum(axis=0), DIGITS)
    return int((sums[:-1] > sums[-1]).sum())
