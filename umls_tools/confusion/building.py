"""From parts to the arrays of an index, each sorted, so that arrival order leaves no trace."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from umls_tools.confusion.arrays import (
    ConfusionError,
    Ints,
    Longs,
    Postings,
    joined_lists,
    postings,
)
from umls_tools.confusion.keys import hashed
from umls_tools.confusion.nearest.building import index_names
from umls_tools.confusion.nearest.names import GROWING, Reach
from umls_tools.confusion.parts import RELATION_KINDS, Part

CODE_REACH = 2  # how many codes away a neighbour may stand
SYNONYM, FAMILY, BROADER = range(3)
EDGE_KINDS = {"synonym": SYNONYM, "family": FAMILY, "broader": BROADER, "narrower": BROADER}

Places = npt.NDArray[np.int64]
Rows = tuple[Places, Places, Places]  # owners, labels, members


def arrays_of(
    parts: Sequence[Part], general: Collection[str] = (), reach: Reach = GROWING
) -> dict[str, Any]:
    """Everything that a ConceptIndex holds, by name; concepts in `general` are never shown."""
    return _Building(parts).arrays(general, reach)


class _Building:
    """All parts one after another, and the numbers of their concepts and labels."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        given = self.column("cuis", pa.string())
        _refuse_repeated(given)
        self.cuis = _sorted_texts(given, self.column("relations.cui", pa.string()))
        self.number = _places(given, self.cuis)  # of each concept given
        texts = ("types.type", "groups", "relations.source", "codes.source", "sources")
        columns = (self.column(name, pa.string()) for name in texts)
        self.labels = _sorted_texts(pa.array([""]), *columns)

    def column(self, name: str, kind: pa.DataType) -> pa.Array:
        """A column of all parts."""
        chunks = [part[name] for part in self.parts if len(part[name])]
        return pa.concat_arrays(chunks) if chunks else pa.array([], kind)

    def numbers(self, name: str) -> Places:
        """A column of all parts that holds numbers."""
        values: Places = self.column(name, pa.int64()).to_numpy().astype(np.int64)
        return values

    def owners(self, name: str) -> Places:
        """For each row of a table the number of its concept."""
        first = np.cumsum([0, *(len(part["cuis"]) for part in self.parts)])
        shift = np.repeat(first[:-1], [len(part[f"{name}.owner"]) for part in self.parts])
        number: Places = self.number[self.numbers(f"{name}.owner") + shift]
        return number

    def labelled(self, name: str) -> Places:
        """A column of texts by their labels."""
        return _places(self.column(name, pa.string()), self.labels)

    def arrays(self, general: Collection[str], reach: Reach) -> dict[str, Any]:
        shown, barred, askable = self._faces(general)
        order = np.fromiter(map(hashed, self.cuis.to_pylist()), np.uint64, len(self.cuis))
        groups = np.full(len(self.cuis), _places(pa.array([""]), self.labels)[0])
        groups[self.number] = self.labelled("groups")
        names = index_names(shown.to_pylist(), order, reach)
        lists = self._lists(order, groups, shown)
        flat = {
            f"{name}.{part}": getattr(one, part)
            for name, one in lists.items()
            for part in Postings.__slots__
        }
        return {
            "cuis": self.cuis,
            "shown": shown,
            "barred": barred,
            "labels": self.labels,
            "group_of": groups.astype(np.int32),
            "askable": askable,
            **names.arrays(),
            **flat,
        }

    def _faces(self, general: Collection[str]) -> tuple[pa.Array, pa.Array, Ints]:
        """For every number the name shown, why there is none, and whether it can be asked for."""
        never = np.zeros(len(self.cuis), bool)
        never[self.number] = pc.is_in(
            self.column("cuis", pa.string()), pa.array(sorted(general), pa.string())
        ).to_numpy(zero_copy_only=False)
        shown = self._spread("shown", "")
        barred = pc.if_else(pa.array(never), "general", self._spread("barred", "unknown"))
        askable = np.zeros(len(self.cuis), np.int32)
        askable[self.number] = self.numbers("askable")
        askable[never] = 0
        return pc.if_else(pa.array(never), "", shown), barred, askable

    def _spread(self, name: str, missing: str) -> pa.Array:
        """A text of every concept at its number; the CUIs that were not given have another."""
        place = np.full(len(self.cuis), -1)
        place[self.number] = np.arange(len(self.number))
        texts = self.column(name, pa.string())
        return texts.take(pa.array(place, mask=place < 0)).fill_null(missing)

    def _lists(self, order: Longs, groups: Places, shown: pa.Array) -> dict[str, Postings]:
        count = len(self.cuis)
        parents = self._parents()
        nodes = np.flatnonzero(pc.not_equal(shown, "").to_numpy(zero_copy_only=False))
        members = (groups[nodes], np.zeros(len(nodes), np.int64), nodes)
        types = self.owners("types"), self.labelled("types.type")
        return {
            "parents": postings(count, parents),
            "children": postings(count, parents[::-1], order),
            "edges": postings(count, self._edges()),
            "codes": postings(count, self._code_neighbours()),
            "types": postings(count, (types[0], np.zeros_like(types[1]), types[1])),
            "groups": postings(len(self.labels), members, order),
            "wordings": self._wordings(),
        }

    def _relations(self, kind: str) -> Rows:
        """Concepts, sources and the other concepts of one kind of relation, none to itself."""
        chosen = self.numbers("relations.kind") == RELATION_KINDS.index(kind)
        others = _places(
            self.column("relations.cui", pa.string()).filter(pa.array(chosen)), self.cuis
        )
        owners, sources = (
            self.owners("relations")[chosen],
            self.labelled("relations.source")[chosen],
        )
        apart = owners != others
        return owners[apart], sources[apart], others[apart]

    def _parents(self) -> Rows:
        """Child, source and parent, from both directions of the edge, whichever is given."""
        return _stacked([self._relations("parent"), self._relations("child")[::-1]])

    def _edges(self) -> Rows:
        return _stacked(list(self._edges_both_ways()))

    def _edges_both_ways(self) -> Iterator[Rows]:
        for kind, label in EDGE_KINDS.items():
            left, _, right = self._relations(kind)
            yield left, np.full(len(left), label), right
            yield right, np.full(len(left), label), left

    def _code_neighbours(self) -> Rows:
        """Concepts whose codes in one source stand next to each other in natural order."""
        nodes, sources = self.owners("codes"), self.labelled("codes.source")
        table = pa.table([sources, self.column("codes.key", pa.string()), nodes], list("skn"))
        order = pc.sort_indices(table, [(name, "ascending") for name in "skn"]).to_numpy()
        return _stacked(list(_beside(nodes[order], sources[order])))

    def _wordings(self) -> Postings:
        sizes = self.numbers("wordings.sizes")
        members = self.column("wordings.members", pa.uint64()).to_numpy()
        return joined_lists(len(self.cuis), self.number, sizes, members)


def _beside(nodes: Places, sources: Places) -> Iterator[Rows]:
    for step in range(1, CODE_REACH + 1):
        left, right = nodes[:-step], nodes[step:]
        near = np.flatnonzero((sources[:-step] == sources[step:]) & (left != right))
        yield left[near], sources[near], right[near]
        yield right[near], sources[near], left[near]


def _stacked(rows: Sequence[Rows]) -> Rows:
    owners, labels, members = (np.concatenate(column) for column in zip(*rows, strict=True))
    return owners, labels, members


def _sorted_texts(*columns: pa.Array) -> pa.Array:
    """All texts of the columns, each once, in the order of their characters."""
    return pa.concat_arrays([column.unique() for column in columns]).unique().sort()


def _places(texts: pa.Array, table: pa.Array) -> Places:
    """Where each text stands in a table that has them all."""
    places: Places = pc.index_in(texts, value_set=table).to_numpy().astype(np.int64)
    return places


def _refuse_repeated(cuis: pa.Array) -> None:
    ordered = cuis.sort()
    repeated = ordered[1:].filter(pc.equal(ordered[1:], ordered[:-1]))
    if len(repeated):
        raise ConfusionError(f"{repeated[0]}: given twice; merge its names into one concept")
