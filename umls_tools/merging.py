"""Reads several tables side by side that are all in order of CUI.

The leading table sets the pace: whatever lies before the concept at which its last block begins
is complete, and of the other tables as much is read as belongs to the same concepts. So no more
is in memory than a few blocks, however long the files are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from umls_tools.concepts import nothing
from umls_tools.errors import RrfError
from umls_tools.rows import Words
from umls_tools.selection import Selected, distinct

Group = dict[str, Selected]
FIRST = np.uint64(0)


def merge(leading: str, streams: Mapping[str, Iterator[Selected]]) -> Iterator[Group]:
    """Yield what the tables have on one stretch of concepts after another.

    Every stream must be in order of its keys; one that is not raises RrfError.
    """
    waiting = {table: _Waiting(table, stream) for table, stream in streams.items()}
    leader = waiting[leading]
    while leader.read():
        for table in waiting.values():
            table.read_to(leader.began)
        yield {name: table.take_before(leader.began) for name, table in waiting.items()}
    for table in waiting.values():
        table.read_to(None)
    yield {name: table.take_before(None) for name, table in waiting.items()}


def joined(parts: list[Selected]) -> Selected:
    """Several selections of one table as one; there must be at least one."""
    if len(parts) == 1:
        return parts[0]
    kept = pa.concat_batches([part.kept for part in parts])
    seen = distinct(np.concatenate([part.seen for part in parts]))
    return Selected(np.concatenate([part.keys for part in parts]), kept, seen)


@dataclass(slots=True)
class _Waiting:
    """A stream, with what was read of it and not yet taken."""

    table: str
    stream: Iterator[Selected]
    parts: list[Selected] = field(default_factory=list)
    began: np.uint64 = FIRST  # the keys at which the last block read begins and ends
    reached: np.uint64 = FIRST
    ended: bool = False

    def read(self) -> bool:
        """Read one block more; False at the end."""
        part = None if self.ended else next(self.stream, None)
        if part is None:
            self.ended = True
            return False
        if len(part.seen):
            if part.seen[0] < self.reached:
                raise RrfError(f"{self.table}: not in order of CUI, although it was; read it again")
            self.began, self.reached = part.seen[0], part.seen[-1]
        self.parts.append(part)
        return True

    def read_to(self, key: np.uint64 | None) -> None:
        """Read until nothing before the key can follow; None is the end."""
        while (key is None or self.reached < key) and self.read():
            pass

    def take_before(self, key: np.uint64 | None) -> Selected:
        """Take what lies before a key, or everything, and keep the rest."""
        parts = [_parted(part, key) for part in self.parts]
        self.parts = [rest for _, rest in parts if len(rest.seen)]
        # Most often that is one whole block, of which nothing need be moved.
        return joined([taken for taken, _ in parts if len(taken.seen)] or [nothing(self.table)])


def _parted(part: Selected, key: np.uint64 | None) -> tuple[Selected, Selected]:
    """What lies before a key, and from it on."""
    cut, seen = _cut(part.keys, key), _cut(part.seen, key)
    return (
        Selected(part.keys[:cut], part.kept.slice(0, cut), part.seen[:seen], part.settled),
        Selected(part.keys[cut:], part.kept.slice(cut), part.seen[seen:], part.settled),
    )


def _cut(keys: Words, key: np.uint64 | None) -> int:
    return len(keys) if key is None else int(np.searchsorted(keys, key))
