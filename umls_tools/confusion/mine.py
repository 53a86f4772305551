"""Confusion sets of one gold, and the golds that are worth a set."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from pipeline.records import ConfusionSet, Distractor
from pipeline.text import draw
from umls_tools.confusion.arrays import ConfusionError, Longs
from umls_tools.confusion.candidates import Target
from umls_tools.confusion.exclusions import exclusions_of, share_wording
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.tiers import Hard, Tier

SIZE = 9  # distractors of a set


@dataclass(frozen=True, slots=True)
class Mined:
    """The sets that a gold could fill and what was left out on the way, by reason."""

    sets: tuple[ConfusionSet, ...]
    excluded: tuple[tuple[str, int], ...]


def mine(index: ConceptIndex, gold: str, tiers: Mapping[str, Tier], size: int, seed: int) -> Mined:
    """Every tier that the gold can fill with `size` distractors, in the order of `tiers`.

    ``excluded`` counts candidates by the reasons of `excluded`, and ``beyond_cap`` (not looked
    at), ``same_name_in_set``, and ``too_few:<tier>`` for each tier left unfilled.
    """
    target = target_of(index, gold, seed)
    counts: Counter[str] = Counter()
    sets = []
    for name, tier in tiers.items():
        distractors = _fill(target, tier, size, counts)
        if len(distractors) == size:
            sets.append(ConfusionSet(gold, name, distractors))
        else:
            counts[f"too_few:{name}"] += 1
    return Mined(tuple(sets), tuple(sorted(counts.items())))


def target_of(index: ConceptIndex, gold: str, seed: int) -> Target:
    """The gold with all that it excludes; an error if it cannot be shown."""
    node = index.node(gold)
    if index.bar(node):
        raise ConfusionError(f"{gold}: {index.bar(node)}; take golds from golds()")
    return Target(index, node, seed, exclusions_of(index, node))


def _fill(target: Target, tier: Tier, size: int, counts: Counter[str]) -> tuple[Distractor, ...]:
    """The first `size` candidates of the tier that no reason bars, hardest first."""
    pool = tier.find(target)
    reasons = {node: target.exclusions.reason(node) for node in pool.why}
    counts.update(reason for reason in reasons.values() if reason)
    counts.update({"beyond_cap": pool.cut} if pool.cut else {})
    allowed = [node for node, reason in sorted(reasons.items()) if not reason]
    ordered = tier.order(target, allowed, size)
    chosen = islice(_told_apart(target.index, ordered, counts), size)
    distractors = (
        Distractor(target.index.cui(node), target.similarity(node), pool.why[node])
        for node in chosen
    )
    return tuple(sorted(distractors, key=lambda one: (-one.similarity, one.cui)))


def _told_apart(index: ConceptIndex, nodes: Iterable[int], counts: Counter[str]) -> Iterator[int]:
    """Concepts of which no two have a wording in common."""
    taken: Longs = np.zeros(0, np.uint64)
    for node in nodes:
        wordings = index.wordings.of(node)
        if share_wording(taken, wordings):
            counts["same_name_in_set"] += 1
        else:
            taken = np.union1d(taken, wordings)
            yield node


def golds(
    index: ConceptIndex, limit: int, seed: int, groups: Collection[str], size: int = SIZE
) -> list[str]:
    """At most `limit` concepts to be golds, in keyed order, those that can be hard first.

    A gold can be shown, belongs to one of the groups, and has a further name, in English or
    another language, or a definition to be asked for with. It can be hard when it has `size`
    siblings under one parent, or else as many hard candidates as mining would find; the second,
    slower test runs only until there are enough.
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
    distractors = _fill(target_of(index, index.cui(node), seed), Hard(), size, Counter())
    return len(distractors) == size
