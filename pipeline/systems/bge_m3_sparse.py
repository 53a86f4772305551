"""Learned weights of words in many languages: the sparse side of BGE-M3."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pipeline.systems.base import Asked
from pipeline.systems.bge_m3_heads import head_of
from pipeline.systems.cache import Arrays
from pipeline.systems.checkpoints import Weights, load
from pipeline.systems.encoders import Encoders
from pipeline.systems.encoding import Array, Reading, States, Text, encode
from pipeline.systems.matching import MatchingIndex, Rows, spread
from pipeline.systems.multilingual import BGE_M3, BGE_M3_LENGTH, BGE_M3_REVISION, BGE_M3_SIZE

TokenWeights = Mapping[int, float]


@dataclass(frozen=True)
class BgeM3Sparse(Encoders):
    """BGE-M3's weights of tokens (Chen 2024): a linear layer and ReLU, the highest a token.

    The score is the sum over the tokens in common of both weights' product; special tokens have
    none. A document that shares no token with the query is not found.
    """

    name: ClassVar[str] = "bge-m3-sparse"
    size: ClassVar[str] = BGE_M3_SIZE

    model: str = BGE_M3
    revision: str = BGE_M3_REVISION
    query_length: int = BGE_M3_LENGTH
    document_length: int = BGE_M3_LENGTH

    def encoded(self, texts: Sequence[Text]) -> Arrays:
        """Token ids and weights of one text after another, and how many each has."""
        found = self.weights(self.document_weights(), texts, self.document_reading)
        return {
            "tokens": np.array([token for one in found for token in one], np.int64),
            "weights": np.array([weight for one in found for weight in one.values()], np.float32),
            "lengths": np.array([len(one) for one in found], np.int64),
        }

    def matching(self, ids: Sequence[str], rows: Sequence[int], arrays: Arrays) -> MatchingIndex:
        """An index over weights of tokens."""
        return _SparseIndex(self, ids, rows, arrays)

    def weights(
        self, weights: Weights, texts: Sequence[Text], reading: Reading
    ) -> list[TokenWeights]:
        """The weights of the tokens of each text, by token id."""
        checkpoint = load(weights)
        head = head_of(weights, "sparse_linear.pt")
        tokenizer = checkpoint.tokenizer
        silent = {
            *(tokenizer.cls_token_id, tokenizer.eos_token_id),
            *(tokenizer.pad_token_id, tokenizer.unk_token_id),
        }

        def use(states: States) -> list[TokenWeights]:
            heavy = head(states.hidden).relu().squeeze(-1).float().cpu().numpy()
            return [
                _highest(ids, row, silent) for ids, row in zip(states.tokens, heavy, strict=True)
            ]

        return encode(checkpoint, texts, reading, use)


def _highest(ids: Sequence[int], weights: Array, silent: set[Any]) -> TokenWeights:
    found: dict[int, float] = {}
    for token, weight in zip(ids, weights.tolist(), strict=False):  # padding has no id
        if token not in silent and weight > 0:
            found[token] = max(weight, found.get(token, 0.0))
    return dict(sorted(found.items()))


class _SparseIndex(MatchingIndex):
    least = 0.0

    def __init__(
        self, system: BgeM3Sparse, ids: Sequence[str], rows: Sequence[int], arrays: Arrays
    ) -> None:
        super().__init__(ids, rows)
        self._system = system
        self._tokens, self._weights = arrays["tokens"], arrays["weights"]
        self._lengths = arrays["lengths"]
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._vocabulary = int(self._tokens.max(initial=-1)) + 1

    def read(self, queries: Sequence[Asked]) -> list[TokenWeights]:
        system = self._system
        texts = [(query.text,) for query in queries]
        return system.weights(system.query_weights(), texts, system.query_reading)

    def match(self, encoded: Sequence[TokenWeights], rows: Rows) -> Array:
        lengths = self._lengths[rows]
        places = spread(self._starts[rows], lengths)
        tokens, weights = self._tokens[places], self._weights[places]
        owners = np.repeat(np.arange(rows.size), lengths)
        scores = np.zeros((len(encoded), rows.size), np.float32)
        for query, one in enumerate(encoded):
            asked = np.zeros(self._vocabulary)
            known = [token for token in one if token < self._vocabulary]
            asked[known] = [one[token] for token in known]
            scores[query] = np.bincount(owners, asked[tokens] * weights, rows.size)
        return scores
