"""A multilingual encoder with a module of its own for each language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pipeline.scorer.release import ENGLISH
from pipeline.systems.base import Asked, SystemsError
from pipeline.systems.cache import Arrays
from pipeline.systems.checkpoints import load
from pipeline.systems.dense import DENSE, Dense
from pipeline.systems.encoding import Array, Text

ADAPTERS: Mapping[str, str] = {
    "de": "de_DE",
    "en": "en_XX",
    "es": "es_XX",
    "fr": "fr_XX",
    "it": "it_IT",
    "ja": "ja_XX",
    "ko": "ko_KR",
    "nl": "nl_XX",
    "pt": "pt_XX",
    "ru": "ru_RU",
    "zh": "zh_CN",
}


@dataclass(frozen=True)
class Xmod(Dense):
    """X-MOD base (Pfeiffer 2022) as it was pretrained: mean of the tokens, cosine.

    Queries are read by the adapter of their language, documents by the English one.
    """

    name: ClassVar[str] = "x-mod"
    size: ClassVar[str] = "3.4 GB"
    pooling: ClassVar[str] = "mean"

    model: str = "facebook/xmod-base"
    revision: str = "1ff23836a9ee8b9656553630c33506a9a8a59c4f"

    def encoded(self, texts: Sequence[Text]) -> Arrays:
        """A vector for each text, by the English adapter."""
        self._speak(ENGLISH)
        return {DENSE: self.vectors(self.document_weights(), texts, self.document_reading)}

    def query_vectors(self, queries: Sequence[Asked]) -> Array:
        """A vector for each query, by the adapter of its language."""
        found: dict[int, Array] = {}
        for language in sorted({query.language for query in queries}):
            places = [place for place, one in enumerate(queries) if one.language == language]
            self._speak(language)
            vectors = super().query_vectors([queries[place] for place in places])
            found.update(zip(places, vectors, strict=True))
        return np.stack([found[place] for place in range(len(queries))])

    def _speak(self, language: str) -> None:
        network = load(self.query_weights(), self.network).network
        adapter = ADAPTERS.get(language, language)
        if adapter not in network.config.languages:
            there = ", ".join(sorted(network.config.languages))
            raise SystemsError(f"{self.name}: no adapter for {language!r}; the model has {there}")
        network.set_default_language(adapter)
