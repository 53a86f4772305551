"""chrF of a text against what was meant (Popović 2015), as sacrebleu reckons it."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sacrebleu.metrics import CHRF


def chrf(text: str, meant: Sequence[str]) -> float:
    """0 to 100, against the nearest of several."""
    return float(_chrf().sentence_score(text, meant).score)


@cache
def _chrf() -> "CHRF":
    from sacrebleu.metrics import CHRF  # noqa: PLC0415

    return CHRF()
