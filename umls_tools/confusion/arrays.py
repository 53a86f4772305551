"""Inverted lists as flat arrays, and the one file in which they are shared between workers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.uint64]


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


def postings(owners: int, rows: list[tuple[int, int, int]], order: Longs | None = None) -> Postings:
    """Lists from (owner, label, member) rows, repeated ones once.

    An owner's members are sorted by label, then by number, or by `order` (a rank for each
    member) where it is given.
    """
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    table = np.unique(table, axis=0)
    if order is not None:
        table = table[np.lexsort((order[table[:, 2]], table[:, 1], table[:, 0]))]
    starts = np.searchsorted(table[:, 0], np.arange(owners + 1)).astype(np.int64)
    return Postings(starts, table[:, 2].astype(np.int32), table[:, 1].astype(np.int32))


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
