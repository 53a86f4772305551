"""Where the distractors of a gold are looked for; every search has a cap, what it cuts is counted.

A cap takes an arc of a list that lies in the order of a hash, from a point drawn for this gold:
a sample that costs no more than its size, is the same in every run, and differs between golds.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.text import draw
from umls_tools.confusion.arrays import Ints, arc
from umls_tools.confusion.exclusions import Exclusions
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.nearest.names import NameIndex
from umls_tools.confusion.nearest.search import Search
from umls_tools.confusion.similarity import alike, cosine, looks_alike

_rooms = threading.local()


@dataclass(frozen=True, slots=True)
class Target:
    """The gold for which a tier is being filled."""

    index: ConceptIndex
    gold: int
    seed: int
    exclusions: Exclusions

    @property
    def cui(self) -> str:
        """The gold's CUI."""
        return self.index.cui(self.gold)

    @property
    def name(self) -> str:
        """The name that the gold is shown under."""
        return self.index.name(self.gold)

    def draw(self, *parts: str) -> int:
        """A number drawn for this gold and the parts."""
        return draw(self.seed, self.cui, *parts)

    def same_group(self, other: int) -> bool:
        """Whether `other` belongs to the gold's semantic group."""
        return bool(self.index.group_of[self.gold] == self.index.group_of[other])

    def similarity(self, other: int) -> float:
        """Cosine of the names shown."""
        return cosine(self.name, self.index.name(other))

    def looks_like(self, other: int, least: float) -> bool:
        """Whether two names shown look alike to the eye, by BI-SIM."""
        return looks_alike(self.name, self.index.name(other), least)


@dataclass(slots=True)
class Pool:
    """Candidates with the first reason for which each was found, and how many a cap cut off."""

    why: dict[int, str] = field(default_factory=dict)
    cut: int = 0

    def sample(self, target: Target, members: Ints, cap: int, label: str) -> list[int]:
        """An arc of a list, from a point drawn for the gold; counts what is left out."""
        kept = arc(members, target.draw(label), cap)
        self.cut += len(members) - len(kept)
        return [int(node) for node in kept]

    def add(self, node: int, why: str) -> None:
        """Note a candidate; the reason that came first stays."""
        self.why.setdefault(node, why)


def add_siblings(pool: Pool, target: Target, cap: int) -> None:
    """Children of the gold's parents, each within one source."""
    index = target.index
    parents = index.hierarchy.parents
    edges = zip(parents.of(target.gold), parents.labels_of(target.gold), strict=True)
    for parent, source in sorted((int(p), int(s)) for p, s in edges):
        why = f"sibling:{index.label(source)}:{index.cui(parent)}"
        children = index.hierarchy.children.labelled(parent, source)
        for node in pool.sample(target, children, cap, why):
            pool.add(node, why)


def add_code_neighbours(pool: Pool, target: Target, sources: tuple[str, ...]) -> None:
    """Concepts whose codes stand beside the gold's, in sources where that means nearness."""
    index = target.index
    codes = index.codes
    edges = zip(codes.labels_of(target.gold), codes.of(target.gold), strict=True)
    for source, node in edges:
        name = index.label(int(source))
        if name in sources:
            pool.add(int(node), f"adjacent_code:{name}")


def add_look_alikes(pool: Pool, target: Target, cap: int, least: float) -> None:
    """Concepts of the gold's group whose names look like its own.

    They are sought among the `cap` nearest names of the group by the cosine of weighted 3-grams.
    """
    index = target.index
    same_group = index.group_of == index.group_of[target.gold]
    (near,) = search_of(index.names).nearest([target.name], cap + 1, same_group)
    pool.cut += near.cut
    others = [node for node in near.places.tolist() if node != target.gold][:cap]
    for place in alike(target.name, [index.name(node) for node in others], least):
        pool.add(others[place], "look_alike")


def search_of(names: NameIndex) -> Search:
    """The room in which an index is searched, one for each thread of a worker."""
    search: Search | None = getattr(_rooms, "search", None)
    if search is None or search.index is not names:
        search = _rooms.search = Search(names)
    return search


def add_cousins(pool: Pool, target: Target, reach: int, cap: int) -> None:
    """Concepts at most `reach` steps below an ancestor at most `reach` steps above the gold.

    No more than `cap` children of one concept and `cap` concepts of one level are followed.
    """
    index = target.index
    for source in index.hierarchy.sources(target.gold):
        above = index.hierarchy.ancestors(target.gold, source)
        for steps, ancestor in sorted((steps, node) for node, steps in above.items()):
            if 0 < steps <= reach:
                why = f"cousin:{index.label(source)}:{index.cui(ancestor)}"
                for node in _below(pool, target, (ancestor, source), (reach, cap)):
                    pool.add(node, why)


def _below(
    pool: Pool, target: Target, root: tuple[int, int], limits: tuple[int, int]
) -> Iterator[int]:
    index = target.index
    (ancestor, source), (reach, cap) = root, limits
    level, seen = [ancestor], {ancestor}
    for _ in range(reach):
        below: set[int] = set()
        for node in level:
            children = index.hierarchy.children.labelled(node, source)
            below.update(pool.sample(target, children, cap, f"below:{index.cui(node)}"))
        order = sorted(below - seen, key=lambda node: (target.draw(index.cui(node)), node))
        pool.cut += max(0, len(order) - cap)
        level = order[:cap]
        seen.update(level)
        yield from level


def add_strangers(pool: Pool, target: Target, cap: int) -> None:
    """Concepts of every semantic group, `cap` of each."""
    index = target.index
    for number in range(len(index.labels)):
        if index.groups.size(number):
            group = index.label(number)
            kind = "distant" if number == index.group_of[target.gold] else "other_group"
            sample = pool.sample(target, index.groups.of(number), cap, f"group:{group}")
            for node in sample:
                pool.add(node, f"{kind}:{group}")
