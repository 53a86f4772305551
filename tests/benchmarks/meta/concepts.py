"""Which concepts there are, how many atoms each has, and of what types it is."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tests.benchmarks.meta.draws import Numbers, draw, slot, spread
from tests.benchmarks.meta.lines import identifiers, scattered
from tests.benchmarks.meta.shares import ATOMS, TWO_TYPES, TYPES

BLOCK = 40_000  # concepts that are written at once; their places must fit 16 bits
_DRAWN = 1 << 20
_MOST = 5_900_000  # so that with gaps a CUI has 7 digits
_ATOM_FACTOR = 61_803_399


@dataclass(frozen=True, slots=True)
class Concepts:
    """All concepts: the number of the first atom of each, and at the end that of all atoms."""

    starts: Numbers
    seed: int

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    @property
    def atoms(self) -> int:
        return int(self.starts[-1])

    def blocks(self) -> Iterator[Numbers]:
        """The numbers of all concepts, some at a time, in order."""
        for start in range(0, self.count, BLOCK):
            yield np.arange(start, min(start + BLOCK, self.count))


def made_concepts(rows: int, seed: int) -> Concepts:
    """As many concepts as have that many atoms; the last may have fewer than its share."""
    counts: list[Numbers] = []
    total = 0
    while total < rows:
        numbers = np.arange(len(counts) * _DRAWN, (len(counts) + 1) * _DRAWN)[:rows]
        places = spread(ATOMS.values())[slot(draw(numbers, "atoms", seed), 0)]
        counts.append(np.array(list(ATOMS))[places])
        total += int(counts[-1].sum())
    ends = np.cumsum(np.concatenate(counts))
    starts = np.concatenate([[0], ends[ends < rows], [rows]])
    if len(starts) > _MOST:
        raise ValueError(f"{rows} rows have more than {_MOST} concepts, too many for their CUIs")
    return Concepts(starts, seed)


def cuis(concepts: Numbers) -> pa.Array:
    """CUIs of concepts, in order of their numbers, with gaps."""
    return identifiers("C", concepts * 5 // 3 + 1, 7)


def gap_cuis(concepts: Numbers) -> pa.Array:
    """CUIs that no concept has; the same for three concepts that follow one another."""
    return identifiers("C", concepts // 3 * 5 + 5, 7)


def auis(atoms: Numbers) -> pa.Array:
    """AUIs of atoms by their numbers; not in their order."""
    return identifiers("A", scattered(atoms, _ATOM_FACTOR))


def types_of(concepts: Numbers, seed: int) -> Numbers:
    """The place in TYPES of the type, or the first of two types, of each concept."""
    return spread(TYPES.values())[slot(draw(concepts, "types", seed), 0)]


def second_types_of(concepts: Numbers, seed: int) -> Numbers:
    """The place of the second type; that of the first where there is no second."""
    bits = draw(concepts, "types", seed)
    others = spread(TYPES.values())[slot(bits, 1)]
    has_two = slot(bits, 2) < TWO_TYPES * (1 << 16)
    return np.where(has_two, others, types_of(concepts, seed))
