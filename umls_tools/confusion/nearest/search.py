"""Looks up the names nearest to a name: shared keys first, the cosine of those that share most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from umls_tools.confusion.nearest.asking import Asked, asked_of
from umls_tools.confusion.nearest.comparing import TOGETHER, Comparing
from umls_tools.confusion.nearest.names import Floats, NameIndex
from umls_tools.confusion.nearest.sharing import Fit, Sharing
from umls_tools.confusion.nearest.spelling import Places

BLOCK = 256  # names that are looked up at once
MILLIONTHS = 1_000_000  # cosines are compared as whole numbers of them
_LOW = (1 << 32) - 1


class Near(NamedTuple):
    """Places of names, the nearest first, with their cosines; ties go to the earlier place."""

    places: Places
    cosines: Floats
    cut: int  # holders of the name's keys that were not looked at


@dataclass(slots=True)
class Search:
    """Searches in an index, with room to work in that is as long as the index."""

    index: NameIndex
    _worth: Floats = field(init=False)
    _sharing: Sharing = field(init=False)
    _comparing: Comparing = field(init=False)

    def __post_init__(self) -> None:
        """Make room."""
        self._worth = self.index.key_counts / self.index.key_weights
        self._sharing = Sharing(self.index)
        self._comparing = Comparing(self.index)

    def nearest(self, texts: Sequence[str], size: int, fit: Fit | None = None) -> Iterator[Near]:
        """For each text at most `size` names of the index, of those that are `fit`.

        A text that is a name of the index finds itself, too.
        """
        for first in range(0, len(texts), BLOCK):
            asked = asked_of(self.index, self._worth, texts[first : first + BLOCK])
            likely, cut = self._sharing.likely(asked, fit)
            for start in range(0, len(asked), TOGETHER):
                places = likely[start : start + TOGETHER]
                found = self._ranked(asked, start, places, size)
                for (near, cosines), missed in zip(found, cut[start:].tolist(), strict=False):
                    yield Near(near, cosines, missed)

    def _ranked(
        self, asked: Asked, start: int, places: Sequence[Places], size: int
    ) -> Iterator[tuple[Places, Floats]]:
        """The nearest of each name's places, with their cosines."""
        cosines = self._comparing.cosines(asked, start, places)
        whole = np.rint(cosines * MILLIONTHS).astype(np.int64)
        ranks = (whole << 32) - np.concatenate(places)
        ends = np.cumsum([len(one) for one in places]).tolist()
        for end, one in zip(ends, places, strict=True):
            own = ranks[end - len(one) : end]
            own.sort()
            best = -own[: -size - 1 : -1]
            yield best & _LOW, -(best >> 32) / MILLIONTHS
