"""Whether a set holds two right answers, from concepts alone: shares no code with mining.

Walks the relations of the records with plain dictionaries; knows nothing of the index.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pipeline.records import Concept
from pipeline.text import normalise

CLOSE = {"synonym": "synonym", "broader": "broader", "narrower": "broader"}
LARGEST_FAMILY = 64


class SecondOpinion:
    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.names: dict[str, set[str]] = {}
        self.close: dict[str, dict[str, str]] = defaultdict(dict)
        self.family: dict[str, set[str]] = defaultdict(set)
        self.up: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.sources: set[str] = set()
        for one in concepts:
            self.names[one.cui] = {normalise(name.text) for name in one.names}
            for edge in one.relations:
                self._note(one.cui, edge.kind, edge.cui, edge.source)

    def _note(self, cui: str, kind: str, other: str, source: str) -> None:
        if kind in CLOSE:
            self.close[cui][other] = self.close[other][cui] = CLOSE[kind]
        elif kind == "family":
            self.family[cui].add(other)
            self.family[other].add(cui)
        else:
            self.sources.add(source)
            low, high = (cui, other) if kind == "parent" else (other, cui)
            self.up[low, source].add(high)

    def above(self, cui: str, source: str) -> set[str]:
        """All ancestors in one source."""
        found: set[str] = set()
        waiting = [cui]
        while waiting:
            fresh = self.up.get((waiting.pop(), source), set()) - found
            found |= fresh
            waiting += fresh
        return found

    def both_right(self, left: str, right: str) -> str:
        """Why one of the two would be right where the other is asked for, or ""."""
        if left == right:
            return "same"
        if right in self.close[left]:
            return self.close[left][right]
        near = self.family[left]
        if right in near or any(
            right in self.family[middle] and len(self.family[middle]) <= LARGEST_FAMILY
            for middle in near
        ):
            return "family"
        if self.names[left] & self.names[right]:
            return "name"
        for source in self.sources:
            if right in self.above(left, source) or left in self.above(right, source):
                return "ancestor"
        return ""

    def faults(self, sets: Iterable[Sequence[str]]) -> Iterator[tuple[str, str, str]]:
        """Pairs of one set of which both are right; sets that show the same are looked at once."""
        for shown in sorted({tuple(sorted(one)) for one in sets}):
            for place, left in enumerate(shown):
                for right in shown[place + 1 :]:
                    if why := self.both_right(left, right):
                        yield left, right, why
