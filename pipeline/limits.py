"""What a number of a plan may be; anything else is a ValueError that names it."""

import math
from collections.abc import Mapping

_ROUNDING = 1e-9


def at_least(name: str, value: float, least: int) -> None:
    """Raise unless the value is a finite number that is large enough."""
    if not (math.isfinite(value) and value >= least):
        raise ValueError(f"{name}: {value} is not allowed, expected {least} or more")


def share(name: str, value: float) -> None:
    """Raise unless the value is a part of a whole."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name}: {value} is not allowed, expected a number from 0 to 1")


def shares(name: str, parts: Mapping[str, float]) -> None:
    """Raise unless the values are parts of one whole."""
    for key, part in parts.items():
        share(f"{name}.{key}", part)
    if sum(parts.values()) > 1 + _ROUNDING:
        raise ValueError(f"{name}: add up to {sum(parts.values()):g}, expected 1 or less")
