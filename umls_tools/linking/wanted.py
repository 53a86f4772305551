"""Which keys some text asks for, in a table of bits that is as small for millions of texts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from umls_tools.linking.words import EDGE_WORDS, singular, words_of

LONGEST_NAME = 16  # words
_BITS = 1 << 26  # 8 MB; a million keys fill a sixty-fourth of it
_LAST_BIT = _BITS - 1
_NAME = crc32(b"name:")


def fingerprint(key: str) -> int:
    """What a table knows a key by; that of a given CUI may hold anything."""
    return crc32(key.encode("utf-8", "surrogatepass"))


class Everything:
    """What is wanted where all is."""

    def __contains__(self, key: object) -> bool:
        """Whatever it is, it is wanted."""
        return True


@dataclass(frozen=True, slots=True)
class KeyTable:
    """A set of keys that may take a few others for its own: a key is one bit of its CRC-32.

    A Bloom filter of one hash function (Bloom 1970): what it does not hold is not wanted, what
    it wrongly holds is met by no text later. The share of those is the share of bits set.
    """

    bits: bytearray

    @classmethod
    def empty(cls) -> "KeyTable":
        """A table that holds no key."""
        return cls(bytearray(_BITS // 8))

    @classmethod
    def united(cls, tables: Iterable["KeyTable"]) -> "KeyTable":
        """What any of the tables holds, written into the first of them."""
        first, *others = tables
        united = np.frombuffer(first.bits, np.uint8)
        for table in others:
            united |= np.frombuffer(table.bits, np.uint8)
        return first

    def add(self, fingerprints: Iterable[int]) -> None:
        """Hold the keys that have these fingerprints."""
        bits = self.bits
        for number in fingerprints:
            place = number & _LAST_BIT
            bits[place >> 3] |= 1 << (place & 7)

    def __contains__(self, key: object) -> bool:
        """Whether a key of a name or concept may be wanted; False is certain."""
        place = crc32(str(key).encode()) & _LAST_BIT
        return bool(self.bits[place >> 3] >> (place & 7) & 1)


def text_fingerprints(text: str, longest: int = LONGEST_NAME) -> Iterator[int]:
    """Yield the fingerprint of every stretch of up to ``longest`` words that could be a name.

    The CRC of a longer stretch goes on from that of the shorter one, so that no key is written
    out. Left out are stretches that start or end with a function word.
    """
    words, acronyms = words_of(text)
    yield from (fingerprint(key) for _, key in acronyms)
    pieces = [word.encode() for word in words]
    singulars = [singular(word).encode() for word in words]
    is_edge = [word in EDGE_WORDS for word in words]
    for start in range(len(words)):
        if is_edge[start]:
            continue
        so_far, space = _NAME, b""
        for at in range(start, min(start + longest, len(words))):
            whole = crc32(space + pieces[at], so_far)
            if not is_edge[at]:
                yield whole
                if singulars[at] != pieces[at]:
                    yield crc32(space + singulars[at], so_far)
            so_far, space = whole, b" "
