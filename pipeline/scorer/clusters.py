"""Which queries hang together: those about the same concept, in whatever language they are asked.

Queries of one concept are no independent draws, and the translations of one query even less. So
resampling and permuting take whole clusters: queries that are, directly or by others, joined by an
id, a concept, or (of confusion sets) by being shown the same candidates.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.scorer.codes import Codes
from pipeline.scorer.release import Release, Subset, read_candidates, read_concepts


@dataclass(frozen=True, slots=True)
class Clusters:
    """Query id → the number of its cluster, from 0."""

    of: Mapping[str, int]
    count: int

    def codes(self, queries: Sequence[str]) -> Codes:
        """The cluster of each query."""
        return np.fromiter((self.of[query] for query in queries), np.int64, len(queries))


def find_clusters(release: Release, subsets: Iterable[Subset]) -> Clusters:
    """The clusters of all queries of some subsets together."""
    joined: dict[str, list[str]] = {}
    for subset in subsets:
        shown = read_candidates(release, subset) or {}
        for query, concepts in read_concepts(release, subset).items():
            keys = joined.setdefault(query, [])
            keys += [f"c {one}" for one in concepts]
            if query in shown:
                keys.append("d " + " ".join(sorted(shown[query])))
    return join(joined)


def join(joined: Mapping[str, Iterable[str]]) -> Clusters:
    """Clusters of queries that share a key, directly or by others (union-find)."""
    parent: dict[str, str] = {}
    for query in sorted(joined):
        root = _root(parent, f"q {query}")
        for key in joined[query]:
            other = _root(parent, key)
            first, second = sorted((root, other))
            parent[second] = root = first
    roots = {query: _root(parent, f"q {query}") for query in sorted(joined)}
    numbers = {root: number for number, root in enumerate(dict.fromkeys(roots.values()))}
    return Clusters({query: numbers[root] for query, root in roots.items()}, len(numbers))


def _root(parent: dict[str, str], key: str) -> str:
    """The representative of a key; the way to it is halved."""
    parent.setdefault(key, key)
    while parent[key] != key:
        parent[key] = parent[parent[key]]
        key = parent[key]
    return key
