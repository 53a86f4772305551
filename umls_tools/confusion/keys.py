"""The keys under which two names of different concepts count as the same wording."""

from functools import lru_cache
from hashlib import blake2b

from pipeline.text import normalise

# Words that sources add or leave out at will; losing a pair to them costs nothing, while an
# unmerged synonym among the distractors would be a second right answer.
EMPTY_WORDS = frozenset({"of", "the", "type", "s"})
ROMAN_NUMERALS = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7"} | {
    "viii": "8", "ix": "9", "x": "10", "xi": "11", "xii": "12", "xiii": "13", "xiv": "14"
}  # fmt: skip
BRITISH_SPELLINGS = (("ae", "e"), ("oe", "e"), ("tumour", "tumor"))
SHORTEST_PLURAL = 4


# A build asks for the key of one name many times in a row.
normalised = lru_cache(maxsize=1 << 16)(normalise)


def wording_key(text: str) -> str:
    """The words of a name in sorted order, without plural, spelling and numeral variants.

    Wider than equality after normalisation on purpose: "Carcinoma, Renal Cell", "renal cell
    carcinomas" and "carcinoma of the renal cell" have one key, "type II" and "2" too.
    """
    words = normalised(text).split()
    telling = [word for word in words if word not in EMPTY_WORDS] or words
    return " ".join(sorted(_fold(word) for word in telling))


def _fold(word: str) -> str:
    if word in ROMAN_NUMERALS:
        return ROMAN_NUMERALS[word]
    for british, american in BRITISH_SPELLINGS:
        word = word.replace(british, american)
    plural = len(word) >= SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


def hashed(key: str) -> int:
    """A key as a 64-bit number, the form in which the index holds and sorts it."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big")
