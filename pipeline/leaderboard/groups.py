"""Which systems share a rank: those that no test tells apart."""

from collections.abc import Collection, Sequence
from itertools import combinations


def rank_groups(
    ranked: Sequence[str], apart: Collection[frozenset[str]]
) -> dict[str, tuple[int, ...]]:
    """The groups of each system, numbered from 1, the best system's first.

    No two of a group are ``apart``, and no group lies within another. A system may be in several:
    the second of three is told apart from neither neighbour where these are from each other. By
    insertion and absorption (Piepho 2004, "An Algorithm for a Letter-Based Representation of
    All-Pairwise Comparisons").
    """
    groups = [frozenset(ranked)]
    for first, second in combinations(ranked, 2):
        if frozenset((first, second)) in apart:
            groups = _absorbed([part for one in groups for part in _split(one, first, second)])
    places = {name: place for place, name in enumerate(ranked)}
    ordered = sorted(sorted(places[name] for name in group) for group in groups)
    return {
        name: tuple(number for number, group in enumerate(ordered, 1) if place in group)
        for name, place in places.items()
    }


def _split(group: frozenset[str], first: str, second: str) -> list[frozenset[str]]:
    if first in group and second in group:
        return [group - {second}, group - {first}]
    return [group]


def _absorbed(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The groups that lie within no other, each once."""
    unique = list(dict.fromkeys(groups))
    return [one for one in unique if not any(one < other for other in unique)]
