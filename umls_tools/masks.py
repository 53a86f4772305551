"""Vectorised conditions on rows of Metathesaurus tables, and the count of what fails them."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from umls_tools.licence import Gate

Condition = Callable[[pa.RecordBatch | pa.Table], pa.Array | pa.ChunkedArray]

# SUPPRESS: N, or blank as in tables that were made without the flag; the rest (O obsolete, Y by
# term type, E by an editor) is not for showing.
CURRENT_FLAGS = ("N", "")


@dataclass(slots=True)
class Sieve:
    """Rows under successive conditions; each row left out is counted once, by its first reason."""

    rows: pa.RecordBatch | pa.Table
    left_out: Counter[str] = field(default_factory=Counter)

    def keep(self, reason: str, condition: Condition) -> None:
        """Keep the rows that meet a condition and count the others under the reason."""
        before = self.rows.num_rows
        self.rows = self.rows.filter(condition(self.rows))
        if lost := before - self.rows.num_rows:
            self.left_out[reason] += lost


def is_current(rows: pa.RecordBatch | pa.Table) -> pa.Array | pa.ChunkedArray:
    """Whether rows are not suppressed."""
    return is_one_of(rows.column("SUPPRESS"), CURRENT_FLAGS)


def is_from_allowed_source(
    rows: pa.RecordBatch | pa.Table, gate: Gate, column: str = "SAB"
) -> pa.Array | pa.ChunkedArray:
    """Whether rows that state no level of their own pass the licence gate."""
    stated = rows.column(column)
    sources = pc.unique(stated).to_pylist()
    return is_one_of(stated, [sab for sab in sources if gate.allows_source(sab)])


def is_one_of(
    column: pa.Array | pa.ChunkedArray, values: Iterable[str]
) -> pa.Array | pa.ChunkedArray:
    """Whether the strings of a column are among the values."""
    return pc.is_in(column, value_set=pa.array(list(values), pa.string()))
