"""Queries of ours that others have as well: other benchmarks, a model's training queries.

Lists of others may be long, so that ours are indexed and theirs go by. A text of `n` grams that
reaches Jaccard `t` with one of ours shares at least `t·n` grams with it: looking up all but
`t·n - 1` of them, those that we hold least often, meets every such text of ours.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from splits.near_duplicates import THRESHOLD, grams
from splits.sketches import ORDERS, estimate, sha256_of, sketch_of

EQUAL, NEAR = "equal", "near"
_ROUNDING = 1e-9
_BAND = 4  # bytes; of two sketches at 0.7 one of 32 bands agrees in all but two of 10,000 cases


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of a list of others: its text, or the hashes of one (splits.sketches)."""

    text: str = ""
    sha256: str = ""
    sketch: bytes = b""


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """How near a list comes to a query of ours: 1.0 for an equal text.

    The similarity is the Jaccard of the texts, or what their sketches say of it.
    """

    similarity: float
    kind: str  # equal, near

    def __str__(self) -> str:
        """As a reject words it."""
        return self.kind if self.kind == EQUAL else f"{self.kind} {self.similarity:.4f}"


class Ours:
    """Texts by the id of their query, indexed; a query may have several."""

    def __init__(self, texts: Mapping[str, Collection[str]], threshold: float = THRESHOLD) -> None:
        """Index the texts by their hashes and their grams."""
        if not 0 < threshold <= 1:
            raise ValueError(f"outside: threshold {threshold}; it must be above 0, at most 1")
        self.threshold = threshold
        self.texts = [(key, text) for key in sorted(texts) for text in sorted(set(texts[key]))]
        self.by_hash: defaultdict[str, list[int]] = defaultdict(list)
        self.grams = [grams(text) for _, text in self.texts]
        self.holders: defaultdict[str, list[int]] = defaultdict(list)
        self.sketches: list[bytes] = []
        self.bands: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)
        for place, (_, text) in enumerate(self.texts):
            self.by_hash[sha256_of(text)].append(place)
            for gram in self.grams[place]:
                self.holders[gram].append(place)

    def find(self, entries: Iterable[Entry]) -> dict[str, Match]:
        """For each query that a list has, too, the nearest that the list comes."""
        best: dict[str, Match] = {}
        for entry in entries:
            for place, match in self._matches(entry):
                key = self.texts[place][0]
                best[key] = max(match, best.get(key, match))
        return dict(sorted(best.items()))

    def _matches(self, entry: Entry) -> Iterator[tuple[int, Match]]:
        hashed = sha256_of(entry.text) if entry.text else entry.sha256
        equal = self.by_hash.get(hashed, ())
        yield from ((place, Match(1.0, EQUAL)) for place in equal)
        if entry.text:
            yield from self._near(entry.text)
        elif entry.sketch and not equal:
            yield from self._sketched(entry.sketch)

    def _near(self, text: str) -> Iterator[tuple[int, Match]]:
        theirs = grams(text)
        held = sorted((len(self.holders[gram]), gram) for gram in theirs if gram in self.holders)
        strangers = len(theirs) - len(held)
        looked_up = len(theirs) - math.ceil(self.threshold * len(theirs) - _ROUNDING) + 1
        met = {p for _, gram in held[: max(0, looked_up - strangers)] for p in self.holders[gram]}
        for place in sorted(met):
            shared = len(theirs & self.grams[place])
            similarity = shared / (len(theirs) + len(self.grams[place]) - shared)
            if self.threshold <= similarity < 1:
                yield place, Match(similarity, NEAR)

    def _sketched(self, theirs: bytes) -> Iterator[tuple[int, Match]]:
        self._sketch()
        met = {place for band in _bands(theirs) for place in self.bands.get(band, ())}
        for place in sorted(met):
            similarity = estimate(theirs, self.sketches[place])
            if similarity >= self.threshold:
                yield place, Match(min(similarity, 1 - _ROUNDING), NEAR)

    def _sketch(self) -> None:
        """Sketches are made for lists that have no texts, and only then."""
        if len(self.sketches) == len(self.texts):
            return
        for place, (_, text) in enumerate(self.texts):
            self.sketches.append(sketch_of(text))
            for band in _bands(self.sketches[place]):
                self.bands[band].append(place)


def _bands(sketch: bytes) -> Iterator[tuple[int, bytes]]:
    return ((start, sketch[start : start + _BAND]) for start in range(0, ORDERS, _BAND))
