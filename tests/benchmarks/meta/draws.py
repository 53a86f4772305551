"""Draws for whole arrays of numbers: which of several, by a hash of the number."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Bits: TypeAlias = NDArray[np.uint64]

SLOTS = 1 << 16
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def draw(numbers: NDArray[Any], purpose: str, seed: int) -> Bits:
    """64 bits for each number, others for another purpose or seed.

    Source: the finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
    generators, 2014).
    """
    key = seed.to_bytes(8, "big", signed=True)
    digest = blake2b(purpose.encode(), digest_size=8, key=key).digest()
    bits: Bits = numbers.astype(np.uint64) * _GOLDEN + np.uint64(int.from_bytes(digest, "big"))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        bits ^= bits >> np.uint64(shift)
        bits *= np.uint64(factor)
    bits ^= bits >> np.uint64(31)
    return bits


def slot(bits: Bits, part: int) -> Numbers:
    """A number below SLOTS; the bits have four such parts, 0 to 3, independent of each other."""
    return ((bits >> np.uint64(16 * part)) & np.uint64(SLOTS - 1)).astype(np.int64)


def spread(shares: Iterable[float]) -> Numbers:
    """For each slot the place of the choice that has it; choices have slots by their shares."""
    bounds = np.cumsum(np.fromiter(shares, np.float64))
    ends = np.floor(bounds * SLOTS / bounds[-1])
    return np.searchsorted(ends, np.arange(SLOTS), side="right").astype(np.int64)
