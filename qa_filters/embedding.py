"""Rejects a translation that lies far from its source in the space of a multilingual encoder."""

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter, FilterError
from qa_filters.words import CACHED, words_of

if TYPE_CHECKING:
    import numpy as np

PACKAGES = ("torch", "transformers")


@dataclass(frozen=True)
class EmbeddingSimilarity(Filter):
    """The cosine of source and text, each the mean of an encoder's last states.

    It needs no back-translation, and so sees what a model gets wrong both ways. It does not see
    digits, sides and negations. An option: it needs torch, transformers and a model on this
    machine, by its folder or its name in the local cache; nothing is downloaded. The default model
    is one whose authors take the mean (Reimers and Gurevych, EMNLP 2020); the threshold has been
    measured on none, so fit it to yours.
    """

    model: str = "sentence-transformers/paraphrase-multilingual-mpnet-base-v2"
    min_similarity: float = 0.5
    min_words: int = 2

    name: ClassVar[str] = "embedding_similarity"
    group: ClassVar[str] = "meaning"
    scale: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_similarity",)

    def __post_init__(self) -> None:
        """Know before anything runs that there is no encoder."""
        missing = [package for package in PACKAGES if find_spec(package) is None]
        if missing:
            raise FilterError(
                f"{self.name} needs {' and '.join(missing)}: install mmed-bench-ir[nllb], or leave "
                "the filter out of the plan"
            )

    def score(self, candidate: Candidate) -> float:
        """Between -1 and 1; NaN for a native wording and for fewer than ``min_words`` words."""
        few = len(words_of(candidate.source_text)) < self.min_words
        if not candidate.is_machine_made or few:
            return NOT_APPLICABLE
        texts = (candidate.source_text, candidate.text)
        source, made = (_embed(self.model, text) for text in texts)
        return float(source @ made)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_similarity``."""
        return score >= self.min_similarity


@lru_cache(maxsize=CACHED)
def _embed(model: str, text: str) -> "np.ndarray[Any, Any]":
    """A vector of length one; one text at a time, so that no neighbour in a batch changes it."""
    import numpy as np  # noqa: PLC0415
    import torch  # noqa: PLC0415

    tokenizer, encoder = _load(model)
    with torch.inference_mode():
        states = encoder(**tokenizer(text, return_tensors="pt", truncation=True)).last_hidden_state
    mean = states[0].mean(dim=0).double().numpy()
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12))


@cache
def _load(model: str) -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer  # noqa: PLC0415

    try:
        tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=True)
        return tokenizer, AutoModel.from_pretrained(model, local_files_only=True).eval()
    except (OSError, ValueError) as error:
        raise FilterError(
            f"{model}: no encoder on this machine ({str(error).splitlines()[0]}); download it, or "
            "name its folder in filters.embedding_similarity.model"
        ) from error
