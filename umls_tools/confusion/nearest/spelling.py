"""Names as runs of letters: their character n-grams, words and pairs of words, many at a time.

Texts are normalised before they come here: words of letters and digits, one space between them.
All of a block lie in one array of code points with a space around each, so that the windows of
three letters around the letters that are no space are the 3-grams inside words, a blank on either
side. East Asian writing has no spaces and tells much in few letters; there a letter and a pair of
letters are the grams.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from umls_tools.confusion.arrays import Longs

SPACE = 0x20
# As `naming.scripts.EAST_ASIAN_LETTER` has them: 々, kana, ideographs, hangul.
EAST_ASIAN = ((0x3005, 0x3006), (0x3041, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7A4))
_POINT = np.uint64(21)  # bits of a code point: three of them and a bit to spare make a key
NOT_A_GRAM = np.uint64(1 << 63)  # keys of words and pairs have it, those of grams do not
_ODD = tuple(np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9))

Places = npt.NDArray[np.int64]


class Held(NamedTuple):
    """Keys and the rows that hold them, side by side; in order of rows, repeated as in the text."""

    rows: Places
    keys: Longs


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """The letters of a block of normalised texts, and the row that each belongs to."""

    points: Longs
    rows: Places

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Letters":
        """Put the texts in one run."""
        run = f" {' '.join(texts)} ".encode("utf-32-le", "surrogatepass")
        lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
        rows = np.repeat(np.arange(len(texts)), lengths)
        return cls(np.frombuffer(run, "<u4").astype(np.uint64), np.concatenate(([0], rows)))

    def grams(self) -> Held:
        """The grams of all letters, and of each two East Asian ones; rows in order."""
        single = self.grams_of_letters()
        east_asian = _is_east_asian(self.points)
        first = np.flatnonzero(east_asian[:-1] & east_asian[1:])
        if not len(first):
            return single
        double = self.points[first] << _POINT | self.points[first + 1]
        rows = np.concatenate((single.rows, self.rows[first]))
        order = np.argsort(rows, kind="stable")
        return Held(rows[order], np.concatenate((single.keys, double))[order])

    def grams_of_letters(self) -> Held:
        """For each letter the gram around it, for an East Asian one the letter alone.

        The key is the letters themselves, so that no two grams have the same.
        """
        middle = np.flatnonzero(self.points != SPACE)
        east_asian = _is_east_asian(self.points)
        around = (
            np.where(east_asian, np.uint64(SPACE), self.points) if east_asian.any() else self.points
        )
        three = (around[middle - 1] << _POINT | around[middle]) << _POINT | around[middle + 1]
        alone = east_asian[middle]
        return Held(self.rows[middle], np.where(alone, self.points[middle], three))

    def words(self) -> Held:
        """A key for each word, hashed from its letters and their places in it."""
        return self.words_and_lengths()[0]

    def words_and_lengths(self) -> tuple[Held, Places]:
        """The words, and how many letters each has."""
        letter = self.points != SPACE
        starts = np.flatnonzero(letter[1:] & ~letter[:-1]) + 1
        lengths = np.flatnonzero(letter[:-1] & ~letter[1:]) + 1 - starts
        if not len(starts):
            return Held(self.rows[:0], self.points[:0]), lengths
        first = np.cumsum(lengths) - lengths
        place = np.arange(lengths.sum()) - np.repeat(first, lengths)
        mixed = _mixed(self.points[letter] + (place.astype(np.uint64) << _POINT))
        sums = np.add.reduceat(mixed, first)
        return Held(self.rows[starts], _mixed(sums) | NOT_A_GRAM), lengths


def words_and_pairs(letters: Letters) -> Held:
    """All words and all pairs of words."""
    words = letters.words()
    both = (words, pairs(words))
    return Held(*(np.concatenate(column) for column in zip(*both, strict=True)))


def pairs(words: Held) -> Held:
    """A key for each word and the next of the same name."""
    same = words.rows[1:] == words.rows[:-1]
    left, right = words.keys[:-1][same], words.keys[1:][same]
    return Held(words.rows[1:][same], _mixed(left + _mixed(right)) | NOT_A_GRAM)


def _is_east_asian(points: Longs) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(points), bool)
    if points.max(initial=0) >= EAST_ASIAN[0][0]:
        for first, end in EAST_ASIAN:
            found |= (points >= first) & (points < end)
    return found


def _mixed(numbers: Longs) -> Longs:
    """Numbers whose bits all depend on all bits of what was given (SplitMix64)."""
    numbers = (numbers + _ODD[0]) * _ODD[1]
    numbers ^= numbers >> np.uint64(27)
    numbers *= np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
