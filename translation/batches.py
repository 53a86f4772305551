"""Cuts texts into batches by their content alone, never by the order in which they came."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class BatchLimit:
    """How large a batch may be.

    ``count`` texts, and ``size`` units (characters, or whatever is measured) with every text
    counted as long as the longest; lengths in one batch lie within one ``step`` of each other.
    """

    count: int
    size: int
    step: int = 16


def step_of(length: int, step: int) -> int:
    """The length rounded up to whole steps: what all texts of one batch have in common."""
    return max(1, -(-length // step)) * step


def plan_batches(
    texts: Iterable[str], limit: BatchLimit, measure: Callable[[str], int] = len
) -> list[tuple[str, ...]]:
    """Cut the distinct texts, sorted by length and then text, into batches within the limit.

    The same set of texts gives the same batches. A text alone above the limit has its own. A
    text's neighbours do change when the set does: that the output does not is the engine's duty.
    """
    measured = sorted((measure(text), text) for text in set(texts))
    batches: list[tuple[str, ...]] = []
    for rounded, group in groupby(measured, key=lambda pair: step_of(pair[0], limit.step)):
        alike = [text for _, text in group]
        rows = max(1, min(limit.count, limit.size // rounded))
        batches += [tuple(alike[at : at + rows]) for at in range(0, len(alike), rows)]
    return batches
