"""Takes names apart that are asked for: their weighted grams, and their keys in order of use."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from umls_tools.confusion.arrays import Ints
from umls_tools.confusion.keys import normalised
from umls_tools.confusion.nearest.names import Floats, NameIndex, distinct, norms_of, places_in
from umls_tools.confusion.nearest.spelling import Letters, Places, words_and_pairs

MOST_KEYS = 100  # of a name, those first that say most for the names that hold them


class Asked(NamedTuple):
    """Some names; what belongs to one of them lies between its start and the next."""

    norms: Floats
    gram_starts: Places
    grams: Places
    weights: Ints  # of the grams, as often as each is in the name
    key_starts: Places
    keys: Places  # at most `MOST_KEYS` of each name

    def __len__(self) -> int:
        """How many names there are."""
        return len(self.norms)


def asked_of(index: NameIndex, worth: Floats, texts: Sequence[str]) -> Asked:
    """Names by what the index knows of them; keys come in the order of `worth`, the least first."""
    grams = index.grams
    letters = Letters.of([normalised(text) for text in texts])
    spelt = distinct(places_in(index.keys[:grams], letters.grams()))
    worded = distinct(places_in(index.keys[grams:], words_and_pairs(letters)))
    norms = norms_of(spelt, len(texts), index.key_weights)
    weights = index.key_weights[spelt[1]] * spelt[2].astype(np.int32)
    owner = np.concatenate((spelt[0], worded[0]))
    place = np.concatenate((spelt[1], worded[1] + grams))
    order = np.lexsort((place, worth[place], owner))
    owner, place = owner[order], place[order]
    used = within(owner, len(texts)) < MOST_KEYS
    return Asked(
        norms,
        *(starts_of(spelt[0], len(texts)), spelt[1], weights),
        *(starts_of(owner[used], len(texts)), place[used]),
    )


def starts_of(owners: Places, count: int) -> Places:
    """Where what belongs to each of `count` owners begins, and the end; owners are sorted."""
    return np.searchsorted(owners, np.arange(count + 1))


def within(owners: Places, count: int) -> Places:
    """The number of each row among those of its owner; owners are sorted."""
    numbers: Places = np.arange(len(owners)) - starts_of(owners, count)[owners]
    return numbers
