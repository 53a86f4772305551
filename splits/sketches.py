"""Hashes by which others can tell that they hold a text of ours, without our text.

The SHA-256 tells equal texts, the sketch near ones. A sketch is 128 bytes of b-bit minwise hashing
(Li and König 2010): the lowest byte of the least hash of the text's 5-grams, under 128 orders of
all grams. A byte fits every 256th gram, so that no gram can be read off it. Two sketches agree in
about the texts' Jaccard of all bytes; at 0.7 the standard error is 0.04.
"""

from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from pipeline.text import normalise
from splits.near_duplicates import grams

ORDERS = 128
_BYTE = np.uint64(0xFF)
_BY_CHANCE = 1 / 256  # bytes that agree although their grams do not

Words = NDArray[np.uint64]


def sha256_of(text: str) -> str:
    """The SHA-256 of the normalised text in UTF-8, in hexadecimal digits."""
    return sha256(normalise(text).encode()).hexdigest()


def sketch_of(text: str) -> bytes:
    """One byte for each of the orders."""
    digests = b"".join(sha256(gram.encode()).digest()[:8] for gram in sorted(grams(text)))
    hashes = np.frombuffer(digests, ">u8").astype(np.uint64)
    least = _mix(hashes[:, np.newaxis] ^ _ORDERS).min(axis=0)
    return bytes((least & _BYTE).astype(np.uint8))


def estimate(one: bytes, other: bytes) -> float:
    """About the Jaccard of the texts of two sketches."""
    agreeing = np.count_nonzero(np.frombuffer(one, np.uint8) == np.frombuffer(other, np.uint8))
    return max(0.0, (agreeing / ORDERS - _BY_CHANCE) / (1 - _BY_CHANCE))


def _mix(words: Words) -> Words:
    """Scatter 64 bits (the finaliser of splitmix64, Steele et al. 2014)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


_ORDERS = _mix(np.arange(1, ORDERS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
