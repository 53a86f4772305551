"""NLLB-200 through CTranslate2: in whole numbers on a processor, without torch."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

from translation.base import TranslationError
from translation.ct2_model import Loading, load_model
from translation.ct2_weights import Checkpoint, converted_folder, default_cache
from translation.nllb_base import NllbEngine
from translation.nllb_text import Decoding, SentenceModel

DTYPES = ("int8", "float32", "float16", "bfloat16")


@dataclass(frozen=True)
class NllbCt2(NllbEngine):
    """NLLB-200 (CC-BY-NC-4.0) in CTranslate2's form, several times faster on a processor.

    The same checkpoint as for ``nllb``, a model of the hub or of a local folder, is converted once,
    for which torch must be there, into a folder of ``converted``; a folder that is already
    converted may itself be named as the model. Sentences, limits and flags are those of ``nllb``.
    CTranslate2 stops as soon as so many hypotheses have ended, also where a better one has not:
    with ``patience = 1`` short, wrong ones win now and then. In ``int8`` translations differ from
    those of float32 now and then, and may between kinds of processors.
    """

    name: ClassVar[str] = "nllb-ct2"

    dtype: str = "int8"  # or float32, float16, bfloat16, as far as the device has them
    patience: float = 2.0  # × beams hypotheses end before the best is taken; 1 takes some too early
    converted: str = ""  # where converted models are kept; "" is ~/.cache/mmed-bench/ctranslate2

    def __post_init__(self) -> None:
        """Refuse settings with which nothing could be translated."""
        super().__post_init__()
        if self.dtype not in DTYPES:
            raise TranslationError(f"nllb-ct2: unknown dtype {self.dtype!r}; known are {DTYPES}")
        if self.patience < 1:
            raise TranslationError("nllb-ct2: patience must be 1 or more")

    def own_settings(self) -> tuple[str, ...]:
        """What changes translations here."""
        return ("dtype", "patience")

    def placed(self, folder: Path) -> Self:
        """With its models and the folder of converted ones as seen from the plan's folder."""
        converted = (folder / Path(self.converted).expanduser()).resolve()
        return replace(super().placed(folder), converted=str(converted) if self.converted else "")

    def decoding(self, input_tokens: int, positions: int) -> Decoding:
        """What a batch may take, with patience."""
        return replace(super().decoding(input_tokens, positions), patience=self.patience)

    def loaded(self) -> SentenceModel:
        """Load the model, converting it first where that has not been done."""
        checkpoint = Checkpoint(self.model, self.provenance()[1], self.dtype)
        cache = Path(self.converted).expanduser() if self.converted else default_cache()
        folder = converted_folder(checkpoint, cache)
        return load_model(Loading(folder, self.dtype, self.device, self.threads))
