"""The engines by the names that plans give them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from translation.base import ANY_SIGNATURE, NOT_IN_MEMORY, Engine, Output
from translation.nllb import Nllb
from translation.nllb_ct2 import NllbCt2


@dataclass(frozen=True)
class MemoryOnly(Engine):
    """Translates nothing itself: what the translation memory does not hold is left out.

    For builds without a model, and for those that must repeat an earlier one.
    """

    name: ClassVar[str] = "memory"

    def signature(self) -> str:
        """Every entry of the memory serves, whichever engine made it."""
        return ANY_SIGNATURE

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Output]:
        """Refuse every text: whoever asks has found nothing in the memory."""
        return [Output("", flags=(NOT_IN_MEMORY,)) for _ in texts]


ENGINES: dict[str, type[Engine]] = {
    "memory": MemoryOnly,
    "nllb": Nllb,
    "nllb-ct2": NllbCt2,
}
