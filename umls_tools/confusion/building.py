"""From concepts to the arrays of an index, each sorted, so that arrival order leaves no trace."""

import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.records import Concept
from umls_tools.confusion.arrays import ConfusionError, Longs, Postings, postings
from umls_tools.confusion.keys import blocking_keys, hashed, wording_key
from umls_tools.confusion.shown import shown_name, why_not_shown
from umls_tools.confusion.wordings import english_query
from umls_tools.naming.judging import with_repaired_names
from umls_tools.semantic_types import group_of

# Keys that more names hold tell little and cost much: with this cap the nearest names were found
# with a recall of .98 among 30,000 and .91 among 300,000, in time almost linear.
COMMONEST_GRAM = 1_500
CODE_REACH = 2  # how many codes away a neighbour may stand
NO_CODE = frozenset({"", "NOCODE"})
SYNONYM, FAMILY, BROADER = range(3)
EDGE_KINDS = {"synonym": SYNONYM, "family": FAMILY, "broader": BROADER, "narrower": BROADER}


def arrays_of(concepts: Iterable[Concept], general: Collection[str]) -> dict[str, Any]:
    """Everything that a ConceptIndex holds, by name."""
    known = sorted(concepts, key=lambda concept: concept.cui)
    for left, right in pairwise(known):
        if left.cui == right.cui:
            raise ConfusionError(f"{left.cui}: given twice; merge its names into one concept")
    cuis = _all_cuis(known)
    number = {cui: place for place, cui in enumerate(cuis)}
    labels = _labels(known)
    label = {text: place for place, text in enumerate(labels)}
    shown, barred, askable = _faces(known, number, frozenset(general))
    groups = _groups(known, number, label)
    order = np.fromiter((hashed(cui) for cui in cuis), np.uint64, len(cuis))
    gram_keys, grams = _grams(shown)
    lists = {
        **_hierarchies(known, number, label, order),
        "edges": postings(len(cuis), list(_edges(known, number))),
        "codes": postings(len(cuis), list(_code_neighbours(known, number, label))),
        "types": postings(len(cuis), list(_types(known, number, label))),
        "groups": _members(groups, shown, len(labels), order),
        "wordings": _wordings(known, number),
        "grams": grams,
    }
    return {
        "cuis": pa.array(cuis, pa.string()),
        "shown": pa.array(shown, pa.string()),
        "barred": pa.array(barred, pa.string()),
        "labels": pa.array(labels, pa.string()),
        "group_of": np.array(groups, np.int32),
        "askable": np.array(askable, np.int32),
        "gram_keys": gram_keys,
        **{
            f"{n}.{part}": getattr(p, part) for n, p in lists.items() for part in Postings.__slots__
        },
    }


def _all_cuis(concepts: Sequence[Concept]) -> list[str]:
    related = {relation.cui for concept in concepts for relation in concept.relations}
    return sorted(related | {concept.cui for concept in concepts})


def _labels(concepts: Sequence[Concept]) -> list[str]:
    found = {""}
    for concept in concepts:
        found.update(concept.semantic_types, {group_of(concept.semantic_types)})
        found.update(relation.source for relation in concept.relations)
        found.update(name.source for name in concept.names)
    return sorted(found)


def _faces(
    concepts: Sequence[Concept], number: Mapping[str, int], general: Collection[str]
) -> tuple[list[str], list[str], list[int]]:
    """For every number the name shown, why there is none, and whether it can be asked for."""
    shown, barred, askable = [""] * len(number), ["unknown"] * len(number), [0] * len(number)
    for concept in concepts:
        node = number[concept.cui]
        barred[node] = why_not_shown(concept, general)
        name = shown_name(concept)
        if name and not barred[node]:
            shown[node] = name.text
            askable[node] = int(english_query(concept, name.text) is not None)
    return shown, barred, askable


def _groups(
    concepts: Sequence[Concept], number: Mapping[str, int], label: Mapping[str, int]
) -> list[int]:
    groups = [label[""]] * len(number)
    for concept in concepts:
        groups[number[concept.cui]] = label[group_of(concept.semantic_types)]
    return groups


def _members(groups: list[int], shown: list[str], labels: int, order: Longs) -> Postings:
    rows = [(group, 0, node) for node, group in enumerate(groups) if shown[node]]
    return postings(labels, rows, order)


def _hierarchies(
    concepts: Sequence[Concept],
    number: Mapping[str, int],
    label: Mapping[str, int],
    order: Longs,
) -> dict[str, Postings]:
    """Parents and children from both directions of the edge, whichever the source gives."""
    pairs = [
        (number[child], label[relation.source], number[parent])
        for concept in concepts
        for relation in concept.relations
        for child, parent in _child_and_parent(concept.cui, relation.kind, relation.cui)
        if child != parent
    ]
    turned = [(parent, source, child) for child, source, parent in pairs]
    return {
        "parents": postings(len(number), pairs),
        "children": postings(len(number), turned, order),
    }


def _child_and_parent(cui: str, kind: str, other: str) -> Iterator[tuple[str, str]]:
    if kind == "parent":
        yield cui, other
    elif kind == "child":
        yield other, cui


def _edges(
    concepts: Sequence[Concept], number: Mapping[str, int]
) -> Iterator[tuple[int, int, int]]:
    for concept in concepts:
        node = number[concept.cui]
        for relation in concept.relations:
            kind, other = EDGE_KINDS.get(relation.kind), number[relation.cui]
            if kind is not None and node != other:
                yield node, kind, other
                yield other, kind, node


def _types(
    concepts: Sequence[Concept], number: Mapping[str, int], label: Mapping[str, int]
) -> Iterator[tuple[int, int, int]]:
    for concept in concepts:
        for tui in concept.semantic_types:
            yield number[concept.cui], 0, label[tui]


def _code_neighbours(
    concepts: Sequence[Concept], number: Mapping[str, int], label: Mapping[str, int]
) -> Iterator[tuple[int, int, int]]:
    """Concepts whose codes in one source stand next to each other in natural order."""
    codes: dict[str, set[tuple[tuple[tuple[int, str], ...], int]]] = {}
    for concept in concepts:
        for name in concept.names:
            if name.code not in NO_CODE:
                place = (natural(name.code), number[concept.cui])
                codes.setdefault(name.source, set()).add(place)
    for source in sorted(codes):
        nodes = [node for _, node in sorted(codes[source])]
        for step in range(1, CODE_REACH + 1):
            for left, right in zip(nodes, nodes[step:], strict=False):
                if left != right:
                    yield left, label[source], right
                    yield right, label[source], left


def natural(code: str) -> tuple[tuple[int, str], ...]:
    """A code in parts that sort as its makers count: A9 before A10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", code)
    return tuple((int(part), "") if part[0] in "0123456789" else (-1, part) for part in parts)


def _wordings(concepts: Sequence[Concept], number: Mapping[str, int]) -> Postings:
    named = {number[one.cui]: with_repaired_names(one).names for one in concepts}
    return _ragged(
        {hashed(wording_key(name.text)) for name in named.get(node, ())}
        for node in range(len(number))
    )


def _grams(shown: list[str]) -> tuple[Longs, Postings]:
    """The telling keys of the names shown, and the names that hold each."""
    held = _ragged(set(blocking_keys(text)) for text in shown)
    nodes = np.repeat(np.arange(len(shown), dtype=np.int32), np.diff(held.starts))
    order = np.argsort(held.members, kind="stable")
    distinct, count = np.unique(held.members, return_counts=True)
    telling = (count > 1) & (count <= COMMONEST_GRAM)
    holders = nodes[order][np.repeat(telling, count)]
    starts = np.concatenate(([0], np.cumsum(count[telling]))).astype(np.int64)
    return distinct[telling], Postings(starts, holders, np.zeros(len(holders), np.int32))


def _ragged(rows: Iterable[Collection[int]]) -> Postings:
    """Lists of 64-bit numbers, each sorted, kept as flat arrays from the first."""
    members, starts = array("Q"), array("q", [0])
    for row in rows:
        members.extend(sorted(row))
        starts.append(len(members))
    labels = np.zeros(len(members), np.int32)
    return Postings(np.array(starts, np.int64), np.array(members, np.uint64), labels)
