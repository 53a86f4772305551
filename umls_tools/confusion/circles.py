"""First the ten, then the gold: concepts of which any may be asked for among the others.

Were distractors chosen for a gold, they would give it away: it alone would be shown in one set,
be what all others resemble, or stand apart from siblings of each other. So a circle is put
together in which every two members stand as a tier wants a gold and a distractor to stand, and
each could be a gold. Which of them is one is drawn afterwards. Nothing that can be said of the
ten names without the question then tells the gold.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.text import draw
from umls_tools.confusion.candidates import Target
from umls_tools.confusion.exclusions import exclusions_of
from umls_tools.confusion.similarity import DIGITS
from umls_tools.confusion.tiers import Tier

OVERLAP = 3  # circles that a concept may be in before they are claimed

Counted = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Circle:
    """Concepts of one tier that may all be golds, each among all the others.

    `founder` is the one from which the others were looked for; `asked` tells how many members are
    wanted elsewhere, ``excluded`` counts what was left out on the way, by reason.
    """

    tier: str
    founder: str
    members: tuple[str, ...]  # sorted; the founder among them
    asked: int = 0
    excluded: Counted = ()

    def golds(self, most: int, seed: int) -> tuple[str, ...]:
        """At most so many of the members, drawn: those that are asked for."""
        parts = ("gold of", self.tier, *self.members)
        drawn = sorted(self.members, key=lambda cui: (draw(seed, *parts, cui), cui))
        return tuple(sorted(drawn[:most]))


@dataclass(slots=True)
class Growing:
    """A circle in the making: its members, and how near to them all a candidate is."""

    tier: Tier
    members: list[Target]
    nearness: dict[int, float] = field(default_factory=dict)

    def admits(self, other: Target) -> bool:
        """Whether a candidate stands to every member as the tier asks."""
        return all(
            not one.exclusions.reason(other.gold) and self.tier.tie(one, other.gold)
            for one in self.members
        )

    def nearest(self) -> int:
        """The candidate that is nearest to the members together; the first among equals."""
        return max(self.nearness, key=lambda node: round(self.nearness[node], DIGITS))

    def add(self, member: Target) -> None:
        """Take a member in, and move all candidates by how near they are to it."""
        self.members.append(member)
        for node in self.nearness:
            self.nearness[node] += self.tier.nearness(member, node)


def grow(tier: Tier, founder: Target, candidates: Sequence[int], size: int) -> tuple[str, ...]:
    """The founder and as many as `size` of the candidates, sorted; fewer if no more fit.

    One by one the candidate joins that is nearest to all members so far, so that what comes out
    is a cluster and not the founder's halo.
    """
    growing = Growing(tier, [founder], {node: tier.nearness(founder, node) for node in candidates})
    while growing.nearness and len(growing.members) <= size:
        node = growing.nearest()
        del growing.nearness[node]
        other = _in_place_of(founder, node)
        if growing.admits(other):
            growing.add(other)
    return tuple(sorted(one.cui for one in growing.members))


def _in_place_of(founder: Target, node: int) -> Target:
    exclusions = exclusions_of(founder.index, node)
    return Target(founder.index, node, founder.seed, exclusions)


def shortlist(circles: Iterable[Circle], most: Mapping[str, int], seed: int) -> list[Circle]:
    """Of equal circles one, and of each tier at most `most`, that overlap little.

    A concept is in no more than `OVERLAP` circles: enough that whoever claims them can choose,
    since in the end no two may have a member in common. The tiers take turns, the one with the
    fewest so far first, then the one with the fewest to choose from; in a tier, circles come in
    a drawn order, those first of which others want fewer members.
    """
    waiting = _queues(circles, seed)
    kept: list[Circle] = []
    counts = {tier: (0, len(queue), tier) for tier, queue in waiting.items() if most[tier]}
    times: Counter[str] = Counter()
    while counts:
        tier = min(counts, key=lambda one: counts[one])
        one = waiting[tier].pop() if waiting[tier] else None
        if one is not None and max(times[cui] for cui in one.members) < OVERLAP:
            times.update(one.members)
            kept.append(one)
            counts[tier] = (counts[tier][0] + 1, *counts[tier][1:])
        if one is None or counts[tier][0] == most[tier]:
            del counts[tier]
    return sorted(kept, key=lambda one: (one.tier, one.members))


def _queues(circles: Iterable[Circle], seed: int) -> dict[str, list[Circle]]:
    """The circles of each tier, the first one last; of equal ones one."""
    by_members = {
        (one.tier, one.members): one
        for one in sorted(circles, key=lambda one: one.founder, reverse=True)
    }
    queues: dict[str, list[Circle]] = {}
    order = sorted(
        by_members.values(), key=lambda one: (one.asked, _lot(one, seed), one.founder), reverse=True
    )
    for one in order:
        queues.setdefault(one.tier, []).append(one)
    return queues


def _lot(one: Circle, seed: int) -> int:
    return draw(seed, "circle", one.tier, one.founder)
