"""Any model of the sentence-transformers library, as its files configure it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pipeline.systems.base import Asked, SystemsError
from pipeline.systems.checkpoints import Weights, placed, without_progress
from pipeline.systems.dense import Dense
from pipeline.systems.encoding import Array, Reading, Text, told

SIMILARITIES = {"cosine": "cosine", "dot": "product"}


@dataclass(frozen=True)
class SentenceTransformers(Dense):
    """A model of sentence-transformers: pooling, prompts, lengths and similarity are its own.

    Queries and documents are read by its ``encode_query`` and ``encode_document``. A length that
    is set cuts earlier than the model does.
    """

    name: ClassVar[str] = "sentence-transformers"

    model: str = "sentence-transformers/all-MiniLM-L6-v2"
    revision: str = "8b3219a92973c328a8e22fadcfa821b5dc75636a"
    query_length: int = 0  # 0: the model's own
    document_length: int = 0  # 0: the model's own

    def vectors(self, weights: Weights, texts: Sequence[Text], reading: Reading) -> Array:
        """Encode documents; queries come by their own way."""
        return self._encoded("encode_document", texts, reading)

    def query_vectors(self, queries: Sequence[Asked]) -> Array:
        """Encode queries."""
        texts = [(query.text,) for query in queries]
        return self._encoded("encode_query", texts, self.query_reading)

    def _encoded(self, method: str, texts: Sequence[Text], reading: Reading) -> Array:
        weights = self.query_weights()
        with weights.explained():
            model = _load(weights, weights.state)
        kind = SIMILARITIES.get(str(model.similarity_fn_name))
        if kind is None:
            raise SystemsError(
                f"{self.model} compares by {model.similarity_fn_name}, not by cosine or dot; "
                "write a system of your own"
            )
        own = model.max_seq_length
        model.max_seq_length = min(reading.length or own, own) if own else reading.length or None
        # Sorted, so that batches are the same in whatever order the texts come.
        distinct = sorted({text for (text,) in texts}, key=lambda text: (len(text), text))
        found: dict[str, Array] = {}
        try:
            for batch in told(distinct, reading.batch_size):
                encoded = getattr(model, method)(
                    list(batch), batch_size=len(batch), show_progress_bar=False
                )
                found.update(zip(batch, encoded, strict=True))
        finally:
            model.max_seq_length = own
        vectors = np.stack([found[text] for (text,) in texts]).astype(np.float32)
        return self.finished(vectors) if kind == "cosine" else vectors


@lru_cache(maxsize=1)
def _load(weights: Weights, _: str) -> Any:  # noqa: ANN401
    import torch  # noqa: PLC0415
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415

    with without_progress():
        return SentenceTransformer(
            weights.model,
            revision=None if weights.is_folder else weights.revision,
            device=placed(weights.device),
            trust_remote_code=False,
            model_kwargs={"dtype": getattr(torch, weights.dtype)},
        )
