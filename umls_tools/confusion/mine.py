"""Circles that a concept can found, the sets that they give, and the founders worth a try."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from pipeline.records import ConfusionSet, Distractor
from pipeline.text import draw
from umls_tools.confusion.arrays import ConfusionError
from umls_tools.confusion.candidates import Target
from umls_tools.confusion.circles import Circle, grow
from umls_tools.confusion.exclusions import exclusions_of
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.tiers import COSINE, Hard, Tier

SIZE = 9  # distractors of a set


@dataclass(frozen=True, slots=True)
class Mined:
    """The circles that one concept could found and what was left out on the way, by reason."""

    circles: tuple[Circle, ...]
    excluded: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """What is asked of circles: how many distractors a gold has, and from which groups."""

    size: int = SIZE
    seed: int = 0
    groups: tuple[str, ...] = ()  # all, if none is named


def mine(
    index: ConceptIndex,
    founder: str,
    tiers: Mapping[str, Tier],
    rules: Rules,
    asked: Collection[str] = frozenset(),
) -> Mined:
    """Every tier in which the founder finds others enough, in the order of `tiers`.

    Concepts in `asked` are wanted elsewhere and are members only where there are not enough
    others. ``excluded`` counts candidates by the reasons of `excluded`, and ``beyond_cap`` (not
    looked at), ``not_askable`` (could be no gold) and ``too_few:<tier>`` for each tier left
    unfilled.
    """
    target = target_of(index, founder, rules.seed)
    total: Counter[str] = Counter()
    circles = []
    for name, tier in tiers.items():
        counts: Counter[str] = Counter()
        members = _gather(target, tier, rules, (counts, asked))
        if len(members) > rules.size:
            wanted = sum(cui in asked for cui in members)
            noted = tuple(sorted(counts.items()))
            circles.append(Circle(name, founder, members, wanted, noted))
        else:
            total[f"too_few:{name}"] += 1
        total += counts
    return Mined(tuple(circles), tuple(sorted(total.items())))


def target_of(index: ConceptIndex, gold: str, seed: int) -> Target:
    """The gold with all that it excludes; an error if it cannot be shown."""
    node = index.node(gold)
    if index.bar(node):
        raise ConfusionError(f"{gold}: {index.bar(node)}; take golds from golds()")
    return Target(index, node, seed, exclusions_of(index, node))


def _gather(
    target: Target, tier: Tier, rules: Rules, notes: tuple[Counter[str], Collection[str]]
) -> tuple[str, ...]:
    counts, asked = notes
    pool = tier.find(target)
    reasons = {node: _reason(target, node, rules.groups) for node in pool.why}
    counts.update(reason for reason in reasons.values() if reason)
    counts.update({"beyond_cap": pool.cut} if pool.cut else {})
    allowed = [node for node, reason in sorted(reasons.items()) if not reason]
    free = [node for node in allowed if target.index.cui(node) not in asked]
    members = grow(tier, target, tier.shortlist(target, free), rules.size)
    if len(members) > rules.size or len(free) == len(allowed):
        return members
    return grow(tier, target, tier.shortlist(target, allowed), rules.size)


def _reason(target: Target, node: int, groups: Collection[str]) -> str:
    """Why a candidate may not join: it would be a second right answer, or could be no gold."""
    index = target.index
    may_be_gold = index.askable[node] and (not groups or index.group(node) in groups)
    return target.exclusions.reason(node) or ("" if may_be_gold else "not_askable")


def sets_of(
    index: ConceptIndex, circle: Circle, tier: Tier, most: int, seed: int
) -> Iterator[ConfusionSet]:
    """The sets of a circle: at most `most` of its members are golds, drawn, of the rest each.

    A member is shown in every set of its circle, so `most` is also how often a concept is shown.
    """
    for gold in circle.golds(most, seed):
        target = target_of(index, gold, seed)
        others = (index.node(cui) for cui in circle.members if cui != gold)
        distractors = sorted(
            (_distractor(target, tier, node) for node in others),
            key=lambda one: (-one.similarity, one.cui),
        )
        yield ConfusionSet(gold, circle.tier, tuple(distractors), circle.excluded)


def _distractor(target: Target, tier: Tier, node: int) -> Distractor:
    measure = tier.measure(target)
    similarity = target.similarity(node) if measure == COSINE else tier.nearness(target, node)
    return Distractor(target.index.cui(node), similarity, tier.tie(target, node), measure)


def golds(
    index: ConceptIndex, limit: int, seed: int, groups: Collection[str], size: int = SIZE
) -> list[str]:
    """At most `limit` concepts to be founders, in keyed order, those that can be hard first.

    A founder may be a gold: it can be shown, belongs to one of the groups, and has a further
    English name, or a definition, to be asked for with. It can be hard when it has `size`
    siblings under one parent, or else founds a hard circle; the second, slower test runs only
    until there are enough.
    """
    nodes = np.flatnonzero(index.askable).tolist()
    wanted = [node for node in nodes if index.group(node) in groups]
    wanted.sort(key=lambda node: (draw(seed, "gold", index.cui(node)), node))
    related: list[int] = []
    alone: list[int] = []
    for node in wanted:
        (related if _has_siblings(index, node, size) else alone).append(node)
    alike = (node for node in alone if _can_be_hard(index, node, size, seed))
    chosen = list(islice(chain(related, alike), limit))
    taken = set(chosen)
    rest = (node for node in alone if node not in taken)
    return [index.cui(node) for node in islice(chain(chosen, rest), limit)]


def _has_siblings(index: ConceptIndex, node: int, size: int) -> bool:
    parents = index.hierarchy.parents
    edges = zip(parents.of(node), parents.labels_of(node), strict=True)
    children = index.hierarchy.children
    return any(len(children.labelled(int(p), int(s))) > size for p, s in edges)


def _can_be_hard(index: ConceptIndex, node: int, size: int, seed: int) -> bool:
    target = target_of(index, index.cui(node), seed)
    return len(_gather(target, Hard(), Rules(size, seed), (Counter(), ()))) > size
