"""NLLB-200 through transformers and torch: on a processor or a GPU."""

from dataclasses import dataclass
from typing import ClassVar

from translation.base import TranslationError
from translation.nllb_base import NllbEngine
from translation.nllb_model import Weights, load_model
from translation.nllb_text import SentenceModel
from translation.nllb_weights import weights_revision

DTYPES = ("float32", "bfloat16", "float16")


@dataclass(frozen=True)
class Nllb(NllbEngine):
    """NLLB-200 (CC-BY-NC-4.0), a model of the Hugging Face hub or of a local folder.

    Texts are cut into sentences, since NLLB drops sentences of longer input, and the translations
    joined as the target language does. Output may have ``length_factor`` × the input's tokens
    (rounded up to 16) + ``length_extra``. In float32 a sentence's neighbours in a batch change
    its translation by no more than rounding; with ``batch_size = 1`` by nothing. The other
    number types are faster on a GPU, but depend on the batch.
    """

    name: ClassVar[str] = "nllb"

    dtype: str = "float32"  # or bfloat16, float16

    def __post_init__(self) -> None:
        """Refuse settings with which nothing could be translated."""
        super().__post_init__()
        if self.dtype not in DTYPES:
            raise TranslationError(f"nllb: unknown dtype {self.dtype!r}; known are {DTYPES}")

    def own_settings(self) -> tuple[str, ...]:
        """What changes translations here."""
        return ("dtype",)

    def loaded(self) -> SentenceModel:
        """Load the model, once in a process for all engines that share its weights."""
        revision = weights_revision(self.model, self.revision)
        return load_model(Weights(self.model, revision, self.dtype, self.device), self.threads)
