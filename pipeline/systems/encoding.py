"""Texts through a network, in batches of like length; what is asked for comes back in order."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pipeline.systems.base import SystemsError
from pipeline.systems.checkpoints import Checkpoint

Text = tuple[str, ...]  # one text, or a pair of texts that the network tells apart
Array = NDArray[np.float32]
Item = TypeVar("Item")
LOG_EVERY = 10.0  # seconds between two lines on how far it is
_logger = logging.getLogger("mmed-bench")


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts are read: the longest one in tokens, its special ones counted."""

    length: int
    batch_size: int
    padding: str = "masked"  # or "read": to full length, and seen by the network


@dataclass(frozen=True, slots=True)
class States:
    """What the network says of a batch, in tensors of a row for each text."""

    hidden: Any  # texts × tokens × dimensions
    pooled: Any  # texts × dimensions, or None
    mask: Any  # texts × tokens: 1 where the text is, 0 behind its end
    tokens: Sequence[Sequence[int]]  # the ids of each text, without padding


Use = Callable[[States], Sequence[Any]]
"""Takes from a batch what is wanted of it: an array or tuple of them for each text."""


def encode(checkpoint: Checkpoint, texts: Sequence[Text], reading: Reading, use: Use) -> list[Any]:
    """What `use` makes of each text.

    Equal texts are read once. Batches are cut from the texts sorted by length and wording, so
    they are the same in whatever order the texts come.
    """
    if not 0 < reading.length <= checkpoint.limit:
        raise SystemsError(
            f"{reading.length} tokens are asked for, but the network reads 1 to "
            f"{checkpoint.limit}; set query_length and document_length"
        )
    distinct = sorted(set(texts))
    rows = _tokenised(checkpoint, distinct, reading.length)
    order = sorted(range(len(distinct)), key=lambda place: (len(rows[place]["input_ids"]), place))
    found: dict[Text, Any] = {}
    for batch in told(order, reading.batch_size):
        states = _run(checkpoint, [rows[place] for place in batch], reading)
        found.update(zip((distinct[place] for place in batch), use(states), strict=True))
    return [found[text] for text in texts]


def _tokenised(
    checkpoint: Checkpoint, texts: Sequence[Text], length: int
) -> list[Mapping[str, list[int]]]:
    """The tokens of each text; of a pair, the longer one is cut first."""
    rows: list[Mapping[str, list[int]]] = []
    for text in texts:
        row = checkpoint.tokenizer(*text, truncation=True, max_length=length)
        rows.append({key: list(row[key]) for key in row})
    return rows


def told(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Batches of texts, with a line now and then on how many are done."""
    next_line = time.monotonic() + LOG_EVERY
    for start in range(0, len(items), size):
        if time.monotonic() >= next_line:
            next_line = time.monotonic() + LOG_EVERY
            _logger.info("encode: %s of %s texts", f"{start:,}", f"{len(items):,}")
        yield items[start : start + size]


def _run(
    checkpoint: Checkpoint, rows: Sequence[Mapping[str, Sequence[int]]], reading: Reading
) -> States:
    import torch  # noqa: PLC0415

    tokens = [row["input_ids"] for row in rows]
    width = reading.length if reading.padding == "read" else max(map(len, tokens))
    fillers = dict.fromkeys(rows[0], 0) | {"input_ids": checkpoint.tokenizer.pad_token_id}
    inputs = {
        key: torch.tensor(
            [[*row[key], *[filler] * (width - len(row[key]))] for row in rows],
            device=checkpoint.device,
        )
        for key, filler in fillers.items()
    }
    mask = torch.tensor(
        [[1] * len(row) + [0] * (width - len(row)) for row in tokens], device=checkpoint.device
    )
    seen = torch.ones_like(mask) if reading.padding == "read" else mask
    with torch.inference_mode():
        output = checkpoint.network(**{**inputs, "attention_mask": seen})
        pooled = getattr(output, "pooler_output", None)
        return States(output.last_hidden_state, pooled, mask, tokens)
