"""From the states of tokens to one vector a text."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeline.systems.encoding import Array, States

LEAST = 1e-12  # a length to divide by, of a vector that has none


def first(states: States) -> Any:  # noqa: ANN401
    """The state of the first token: [CLS] or <s>."""
    return states.hidden[:, 0]


def mean(states: States) -> Any:  # noqa: ANN401
    """The mean over the tokens of the text, its special ones among them; padding left out."""
    mask = states.mask.unsqueeze(-1).to(states.hidden.dtype)
    return (states.hidden * mask).sum(1) / mask.sum(1)


def pooler(states: States) -> Any:  # noqa: ANN401
    """What the network's own pooler makes of the first token: a layer more, and tanh."""
    return states.pooled


POOLINGS: Mapping[str, Callable[[States], Any]] = {"first": first, "mean": mean, "pooler": pooler}


def of_unit_length(vectors: Array) -> Array:
    """Vectors as long as 1, so that their product is their cosine; zeros stay."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Array = (vectors / np.maximum(lengths, LEAST)).astype(np.float32)
    return unit
