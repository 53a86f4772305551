"""Character n-grams by tf-idf cosine: a system that needs neither words nor a model."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pipeline.scorer.ranked import Floats
from pipeline.scorer.release import Document
from pipeline.systems.base import Index, System, SystemsError
from pipeline.systems.scored import ScoredIndex
from pipeline.text import normalise

Weights = Mapping[str, float]
DIGITS = 9  # sums of floats are cut, so that equal texts tie


@dataclass(frozen=True, slots=True)
class Tfidf(System):
    """Character n-grams in common, weighed by how rare they are; no word needs to agree.

    N-grams of `shortest` to `longest` characters of the normalised text, across the blanks
    between words; log of the count times smoothed inverse document frequency; cosine. Confusion
    sets are mined with unweighted 3-grams within words: this is another measure, though a kin.
    """

    name: ClassVar[str] = "tfidf"

    shortest: int = 2
    longest: int = 5

    def __post_init__(self) -> None:
        """Refuse lengths of which there are none."""
        if not 1 <= self.shortest <= self.longest:
            raise ValueError(f"shortest: {self.shortest}; expected 1 to longest ({self.longest})")

    def grams(self, text: str) -> Counter[str]:
        """The n-grams of a text, a blank on either side of it."""
        padded = f" {normalise(text)} "
        return Counter(
            padded[start : start + size]
            for size in range(self.shortest, self.longest + 1)
            for start in range(len(padded) - size + 1)
        )

    def index(self, documents: Sequence[Document]) -> Index:
        """Weigh the n-grams of each document's title and text."""
        counted = [self.grams(f"{one.title} {one.text}") for one in documents]
        if not any(counted):
            raise SystemsError("the corpus holds no text; was the release fetched whole?")
        return _TfidfIndex(self, [one.document_id for one in documents], counted)


class _TfidfIndex(ScoredIndex):
    def __init__(
        self, system: Tfidf, document_ids: Sequence[str], counted: Sequence[Counter[str]]
    ) -> None:
        self._system = system
        super().__init__(document_ids)
        self._spread = Counter(gram for grams in counted for gram in grams)
        self._holders = _invert([self._weigh(grams) for grams in counted])

    def scores(self, text: str) -> Floats:
        scores = np.zeros(len(self._document_ids))
        for gram, weight in sorted(self._weigh(self._system.grams(text)).items()):
            if gram in self._holders:
                places, weights = self._holders[gram]
                scores[places] += weight * weights
        return np.round(scores, DIGITS)

    def _weigh(self, counts: Counter[str]) -> Weights:
        """The n-grams with their weights, of length 1 together."""
        documents = len(self._document_ids)
        weights = {
            gram: (1 + math.log(count))
            * (1 + math.log((1 + documents) / (1 + self._spread.get(gram, 0))))
            for gram, count in sorted(counts.items())
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {gram: weight / length for gram, weight in weights.items()}


def _invert(documents: Sequence[Weights]) -> dict[str, tuple[np.ndarray, Floats]]:
    """For each n-gram the places of the documents that hold it, and its weights there."""
    lists: dict[str, tuple[list[int], list[float]]] = {}
    for place, weights in enumerate(documents):
        for gram, weight in weights.items():
            places, found = lists.setdefault(gram, ([], []))
            places.append(place)
            found.append(weight)
    return {gram: (np.array(p, np.int64), np.array(w)) for gram, (p, w) in lists.items()}
