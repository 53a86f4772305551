"""Inverted lists as flat arrays, and the one file in which they are shared between workers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


class ConfusionError(ValueError):
    """Concepts, or a file of them, from which no confusion set can be mined."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """For every owner 0…n-1 a run of members; ``labels`` stand beside them where there are any."""

    starts: npt.NDArray[np.int64]
    members: npt.NDArray[Any]
    labels: Ints

    def of(self, owner: int) -> npt.NDArray[Any]:
        """The members of one owner."""
        return self.members[self.starts[owner] : self.starts[owner + 1]]

    def labels_of(self, owner: int) -> Ints:
        """The labels of one owner's members."""
        return self.labels[self.starts[owner] : self.starts[owner + 1]]

    def labelled(self, owner: int, label: int) -> npt.NDArray[Any]:
        """The members of one owner under one label; its members lie sorted by label."""
        low, high = np.searchsorted(self.labels_of(owner), (label, label + 1))
        return self.of(owner)[low:high]

    def size(self, owner: int) -> int:
        """How many members an owner has."""
        return int(self.starts[owner + 1] - self.starts[owner])


def postings(owners: int, rows: Sequence[Numbers], order: Longs | None = None) -> Postings:
    """Lists from owners, labels and members side by side, repeated rows once.

    An owner's members are sorted by label, then by number, or by `order` (a rank for each
    member) where it is given. A row is sorted as one number, which has room for some ten million
    concepts and a hundred thousand labels.
    """
    owner, label, member = (np.asarray(column, np.int64) for column in rows)
    labels, members = (int(column.max(initial=0)) + 1 for column in (label, member))
    by_rank = np.arange(members)
    if order is not None:
        members = len(order)
        by_rank = np.lexsort((np.arange(members), order))
    rank = np.empty(members, np.int64)
    rank[by_rank] = np.arange(members)
    both = np.unique((owner * labels + label) * members + rank[member])
    pair, place = np.divmod(both, members)
    starts = np.searchsorted(pair, np.arange(owners + 1) * labels).astype(np.int64)
    return Postings(starts, by_rank[place].astype(np.int32), (pair % labels).astype(np.int32))


def joined_lists(owners: int, numbers: Numbers, sizes: Numbers, members: Longs) -> Postings:
    """Lists that lie one behind another, at the places of their owners' numbers."""
    room = np.zeros(owners, np.int64)
    room[numbers] = sizes
    starts = np.concatenate(([0], np.cumsum(room)))
    shift = starts[numbers] - (np.cumsum(sizes) - sizes)
    found = np.empty(len(members), np.uint64)
    found[np.arange(len(members)) + np.repeat(shift, sizes)] = members
    return Postings(starts, found, np.zeros(len(members), np.int32))


def arc(members: Ints, start: int, cap: int) -> Ints:
    """At most `cap` members, going round from `start`.

    Where the members lie in an order that says nothing (a hash), this is a sample that costs no
    more than its own size, however long the list.
    """
    if len(members) <= cap:
        return members
    return members.take(range(start % len(members), start % len(members) + cap), mode="wrap")


def write_arrays(path: str, arrays: Mapping[str, Any], kind: str) -> None:
    """Write named arrays as one Arrow IPC file of one row, byte for byte repeatable."""
    columns = {}
    for name, values in sorted(arrays.items()):
        flat = values if isinstance(values, pa.Array) else pa.array(values)
        columns[name] = pa.LargeListArray.from_arrays(pa.array([0, len(flat)], pa.int64()), flat)
    table = pa.table(columns).replace_schema_metadata({"kind": kind})
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def read_arrays(path: str, kind: str) -> dict[str, pa.Array]:
    """Map the arrays of a file into memory, where all workers of a machine share them."""
    try:
        table = pa.ipc.open_file(pa.memory_map(path)).read_all()
    except pa.ArrowInvalid as error:
        raise ConfusionError(
            f"{path}: not an Arrow file ({error}); build the index again"
        ) from error
    found = (table.schema.metadata or {}).get(b"kind", b"").decode()
    if found != kind:
        raise ConfusionError(f"{path}: holds {found!r}, expected {kind!r}; build the index again")
    return {name: table.column(name).chunk(0).values for name in table.column_names}
