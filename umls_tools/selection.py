"""Rows of a table chosen by successive conditions, and the count of what fails each."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from umls_tools.licence import Gate
from umls_tools.rows import PIPE, Mask, Places, Rows, Words, codes

# SUPPRESS: N, or blank as in tables that were made without the flag; the rest (O obsolete, Y by
# term type, E by an editor) is not for showing.
CURRENT_FLAGS = ("N", "")
# By its first byte, a text may be nothing but white space: none, where a pipe stands, or one of
# Unicode's, which begin in UTF-8 with C2 (no-break space), E1 (ogham), E2 (em space) or E3
# (ideographic space).
_MAY_BE_SPACE = np.zeros(256, np.bool_)
_MAY_BE_SPACE[[PIPE, *range(ord(" ") + 1), 0xC2, 0xE1, 0xE2, 0xE3]] = True

# Texts of which few are distinct.
TEXTS = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True, slots=True)
class Selected:
    """What is kept of some rows, row by row with the concept's key (`Rows.words` of its CUI).

    ``seen`` holds the keys of all the rows there were, distinct and sorted. ``settled`` are rows
    that are in order already, of their concepts and within each, and all different.
    """

    keys: Words
    kept: pa.RecordBatch
    seen: Words
    settled: bool = False


@dataclass(slots=True)
class Sieve:
    """Rows under successive conditions; each row left out is counted once, by its first reason."""

    rows: Rows
    places: Places = field(init=False)
    left_out: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Begin with every row."""
        self.places = np.arange(len(self.rows), dtype=np.int64)

    def keep(self, reason: str, condition: Callable[[Rows, Places], Mask]) -> None:
        """Keep the rows that meet a condition and count the others under the reason."""
        fine = condition(self.rows, self.places)
        if lost := len(fine) - int(np.count_nonzero(fine)):
            self.left_out[reason] += lost
            self.places = self.places[fine]

    def selected(self, column: str, kept: dict[str, pa.Array]) -> Selected:
        """The rows left, by the CUI in a column."""
        words = self.rows.words(column)
        batch = pa.RecordBatch.from_arrays(list(kept.values()), names=list(kept))
        return Selected(words[self.places], batch, distinct(words))


def is_current(rows: Rows, places: Places) -> Mask:
    """Whether rows are not suppressed."""
    return rows.is_one_of("SUPPRESS", CURRENT_FLAGS, places)


def is_from_allowed_source(gate: Gate) -> Callable[[Rows, Places], Mask]:
    """The condition that rows which state no level of their own pass the licence gate."""

    def allows(rows: Rows, places: Places) -> Mask:
        of_row, sources = codes(rows.encoded("SAB", places))
        allowed = np.array([gate.allows_source(source) for source in sources], np.bool_)
        return allowed[of_row]

    return allows


def has_text(column: str) -> Callable[[Rows, Places], Mask]:
    """The condition that a field is not blank."""

    def holds(rows: Rows, places: Places) -> Mask:
        first = np.frombuffer(rows.data, np.uint8)[rows.starts(column, places)]
        doubtful = np.flatnonzero(_MAY_BE_SPACE[first])
        found = np.ones(len(places), np.bool_)
        trimmed = pc.utf8_trim_whitespace(rows.strings(column, places[doubtful]))
        found[doubtful] = pc.not_equal(trimmed, "").to_numpy(zero_copy_only=False)
        return found

    return holds


def distinct(words: Words) -> Words:
    """The different words, sorted; quick where equal ones stand together."""
    if not len(words):
        return words
    found: Words = words[np.append(True, words[1:] != words[:-1])]
    return found if (found[1:] > found[:-1]).all() else np.unique(found)


def ordinals_of(sorted_keys: Words) -> Places:
    """The place of each key among the different ones."""
    if not len(sorted_keys):
        return np.empty(0, np.int64)
    return np.append(0, np.cumsum(sorted_keys[1:] != sorted_keys[:-1], dtype=np.int64))
