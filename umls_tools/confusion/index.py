"""What mining asks about concepts, in inverted lists that all workers share read-only."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pipeline.records import Concept
from umls_tools.confusion.arrays import (
    ConfusionError,
    Ints,
    Postings,
    read_arrays,
    write_arrays,
)
from umls_tools.confusion.building import arrays_of
from umls_tools.confusion.hierarchy import Hierarchy
from umls_tools.confusion.nearest.names import NameIndex
from umls_tools.confusion.parts import Part, part_of

FILE_KIND = "mmed confusion index 2"
LISTS = ("parents", "children", "edges", "codes", "types", "groups", "wordings")
COLUMNS = ("cuis", "shown", "barred", "labels", "group_of", "askable")


@dataclass(frozen=True, slots=True, eq=False)
class ConceptIndex:
    """Concepts as numbers, in order of CUI, with the lists that mining needs.

    A CUI that stands in a relation but not among the concepts has a number too, so that two
    concepts under an unseen parent are still siblings; it is never shown itself.
    """

    cuis: pa.StringArray
    shown: pa.StringArray  # the name shown, "" where the concept is barred
    barred: pa.StringArray  # why a concept is neither gold nor distractor, or ""
    labels: pa.StringArray  # sources, semantic types and groups, sorted
    group_of: Ints  # label of the semantic group
    askable: Ints  # 1 where there is a text to ask for the concept with
    edges: Postings  # labelled by SYNONYM, FAMILY or BROADER, both ways
    codes: Postings  # neighbours in the order of a source's codes, labelled by source
    types: Postings  # label of each semantic type
    groups: Postings  # label of a group → its concepts, in an order that says nothing
    wordings: Postings  # hashed wording keys of all names in all languages
    names: NameIndex  # of the names shown, each at the place of its concept
    hierarchy: Hierarchy

    @classmethod
    def build(cls, concepts: Iterable[Concept], general: Collection[str] = ()) -> "ConceptIndex":
        """Index concepts that come in any order; those in `general` are never shown."""
        return cls.from_parts([part_of(concepts)], general)

    @classmethod
    def from_parts(cls, parts: Sequence[Part], general: Collection[str] = ()) -> "ConceptIndex":
        """Put parts together, in whatever order they come; no concept may be in two."""
        return cls.from_arrays(arrays_of(parts, general))

    @classmethod
    def from_arrays(cls, arrays: dict[str, Any]) -> "ConceptIndex":
        """Put an index together from the arrays that `building` makes and a file holds."""
        lists: dict[str, Any] = {
            name: Postings(
                arrays[f"{name}.starts"], arrays[f"{name}.members"], arrays[f"{name}.labels"]
            )
            for name in LISTS
        }
        hierarchy = Hierarchy(lists.pop("parents"), lists.pop("children"))
        names = NameIndex.from_arrays(arrays)
        columns = {name: arrays[name] for name in COLUMNS}
        return cls(**columns, **lists, names=names, hierarchy=hierarchy)

    def save(self, path: str) -> None:
        """Write the index to one Arrow file; equal concepts give equal bytes."""
        arrays = {name: getattr(self, name) for name in COLUMNS} | self.names.arrays()
        for name in LISTS:
            owner = self.hierarchy if name in ("parents", "children") else self
            lists = getattr(owner, name)
            arrays[f"{name}.starts"] = lists.starts
            arrays[f"{name}.members"] = lists.members
            arrays[f"{name}.labels"] = lists.labels
        write_arrays(path, arrays, FILE_KIND)

    @classmethod
    def load(cls, path: str) -> "ConceptIndex":
        """Map a saved index into memory; nothing is copied."""
        arrays = read_arrays(path, FILE_KIND)
        return cls.from_arrays(
            {
                name: values if pa.types.is_string(values.type) else values.to_numpy()
                for name, values in arrays.items()
            }
        )

    def __len__(self) -> int:
        """How many CUIs have a number."""
        return len(self.cuis)

    def node(self, cui: str) -> int:
        """The number of a CUI, by bisection."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.cui(middle) < cui:
                low = middle + 1
            else:
                high = middle
        if low == len(self) or self.cui(low) != cui:
            raise ConfusionError(f"{cui}: not in the index; build it again from these concepts")
        return low

    def cui(self, node: int) -> str:
        """The CUI of a number."""
        return str(self.cuis[node].as_py())

    def name(self, node: int) -> str:
        """The name that a concept is shown under, or ""."""
        return str(self.shown[node].as_py())

    def bar(self, node: int) -> str:
        """Why a concept is neither gold nor distractor, or ""."""
        return str(self.barred[node].as_py())

    def label(self, number: int) -> str:
        """A source, semantic type or group by its number."""
        return str(self.labels[number].as_py())

    def group(self, node: int) -> str:
        """The semantic group of a concept."""
        return self.label(int(self.group_of[node]))

    def linked(self, node: int, kind: int) -> list[int]:
        """The concepts that an edge of one kind (SYNONYM, FAMILY, BROADER) ties to a concept."""
        return [int(other) for other in self.edges.labelled(node, kind)]

    def share_type(self, left: int, right: int) -> bool:
        """Whether two concepts have a semantic type in common."""
        return bool(set(self.types.of(left).tolist()) & set(self.types.of(right).tolist()))
