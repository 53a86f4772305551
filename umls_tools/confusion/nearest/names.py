"""The inverted lists in which the names nearest to a name are looked for."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from umls_tools.confusion.arrays import Ints, Longs
from umls_tools.confusion.nearest.spelling import NOT_A_GRAM, Held, Places

PAGE = 16  # grams that lie together; a name fills as many pages as it needs
USUAL = 100_000  # names
SCALE = 256  # weights are whole numbers of this part of 1: sums of them have no order

Floats = npt.NDArray[np.float64]
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a search goes for one name, in an index of up to `USUAL` names; beyond it grows.

    Of the name's keys so many `holders` are gone through, and so many names `compared` exactly;
    both grow by the power `growth` of the number of names. With 0 the work for one name is the
    same however many there are.
    """

    holders: int
    compared: int
    growth: float

    def among(self, names: int) -> "Reach":
        """The reach in an index of so many names."""
        factor = max(1.0, names / USUAL) ** self.growth
        return Reach(round(self.holders * factor), round(self.compared * factor), 0.0)


# What each finds, and for how much, is told in docs/explanation/confusion-sets.md.
GROWING = Reach(3_600, 230, 0.55)
CONSTANT = Reach(5_000, 400, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class NameIndex:
    """Names as numbers of grams in pages, and for each key the names that hold it.

    Keys are all grams, and the words and pairs of words that more than one name holds. Of a key
    that more names hold than are ever looked at for one, only a sample is kept, the first in an
    order that says nothing.
    """

    keys: Longs  # sorted: grams, then words and pairs
    key_counts: Places  # names that hold the key
    key_weights: Ints  # what it says for two names that both have the key
    holder_starts: Places
    holders: Ints
    norms: Floats  # of each name's tf-idf vector, in the root of the unit of weights
    page_starts: Places  # of each name, and the end
    pages: Ints  # grams by their places in keys, as often as in the name; the rest is padding
    reach: Ints  # holders and compared of its Reach

    @classmethod
    def from_arrays(cls, arrays: dict[str, Any]) -> "NameIndex":
        """Put an index together from what `arrays` gave."""
        return cls(**{field.name: arrays[f"names.{field.name}"] for field in fields(cls)})

    def arrays(self) -> dict[str, Any]:
        """What a file holds of the index, by name."""
        return {f"names.{field.name}": getattr(self, field.name) for field in fields(self)}

    def __len__(self) -> int:
        """How many names there are."""
        return len(self.norms)

    @property
    def grams(self) -> int:
        """How many of the keys are grams."""
        return int(np.searchsorted(self.keys, NOT_A_GRAM))

    @property
    def sampled(self) -> int:
        """How many keys had too many holders to keep them all."""
        return int((self.key_counts > int(self.reach[0])).sum())


def weights_of(counts: Places, names: int) -> Ints:
    """Squares of smoothed inverse document frequencies, ln((1 + names) / (1 + count)) + 1."""
    inverse = np.log((1 + names) / (1 + counts)) + 1
    weights: Ints = np.rint(SCALE * inverse * inverse).astype(np.int32)
    return weights


def places_in(table: Longs, held: Held) -> Held:
    """Places in the sorted table, and the rows that hold them; what is not in it is left out."""
    if not len(table):
        return Held(held.rows[:0], held.keys[:0])
    place = np.minimum(np.searchsorted(table, held.keys), len(table) - 1)
    known = table[place] == held.keys
    if known.all():
        return Held(held.rows, place.astype(np.uint64))
    return Held(held.rows[known], place[known].astype(np.uint64))


def distinct(held: Held) -> tuple[Places, Places, Places]:
    """Rows, places in each row, sorted and once, and how often each was there."""
    both = held.rows.astype(np.uint64) << _HALF | held.keys
    both.sort()
    first = np.flatnonzero(np.concatenate(([True], both[1:] != both[:-1]))[: len(both)])
    counts = np.diff(np.append(first, len(both)))
    one = both[first]
    return (one >> _HALF).astype(np.int64), (one & _LOW).astype(np.int64), counts


def norms_of(found: tuple[Places, Places, Places], rows: int, weights: Ints) -> Floats:
    """Lengths of tf-idf vectors: the root of the sum of weight times squared count."""
    owners, places, counts = found
    squares = (weights[places] * counts**2).astype(np.float64)
    sums = np.asarray(np.bincount(owners, weights=squares, minlength=rows), np.float64)
    return np.sqrt(np.maximum(sums, 1.0))
