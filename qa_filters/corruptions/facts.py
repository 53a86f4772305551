"""Corruptions of what a text says: a digit, a unit, a negation, a side, a direction."""

import re

from qa_filters.corruptions.base import Pair, Spoilt, Surroundings, draw_one, rewrite_at
from qa_filters.corruptions.rewritings import (
    ADDED,
    COMPARISONS,
    DROPPED,
    SIDES,
    UNITS,
    Rewritings,
)

DIGIT = re.compile(r"\d")


def change_digit(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Write another digit in place of one."""
    places = list(DIGIT.finditer(pair.text))
    if not places:
        return None
    drawn = draw_one(len(places), "change_digit", pair, surroundings)
    posed = list(DIGIT.finditer(pair.source_text))
    # The same digit of the source, where both write the same ones in the same order.
    alike = [m[0] for m in posed] == [m[0] for m in places]
    text = _raise_digit(pair.text, places[drawn])
    return Spoilt(text, _raise_digit(pair.source_text, posed[drawn]) if alike else "")


def _raise_digit(text: str, at: re.Match[str]) -> str:
    return f"{text[: at.start()]}{(int(at[0]) + 1) % 10}{text[at.end() :]}"


def swap_unit(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Give a quantity in another unit of the same kind."""
    return _rewrite_both("swap_unit", UNITS, pair, surroundings)


def drop_negation(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Say yes where the source says no."""
    return _rewrite_both("drop_negation", DROPPED, pair, surroundings)


def add_negation(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Say no where the source says yes."""
    return _rewrite_both("add_negation", ADDED, pair, surroundings)


def swap_side(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Say left for right, or right for left, at one place."""
    return _rewrite_both("swap_side", SIDES, pair, surroundings)


def turn_comparison(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Say less for more, or more for less, at one place."""
    return _rewrite_both("turn_comparison", COMPARISONS, pair, surroundings)


def _rewrite_both(
    kind: str, table: dict[str, Rewritings], pair: Pair, surroundings: Surroundings
) -> Spoilt | None:
    """Rewrite one place of the text, and one of the source to say what the text says now."""
    posed = _matches(pair.source_text, table[pair.source_language])
    made = _matches(pair.text, table[pair.language])
    if not posed or not made or len(posed) != len(made):
        return None
    drawn = draw_one(len(made), kind, pair, surroundings)
    return Spoilt(_rewrite(pair.text, made[drawn]), _rewrite(pair.source_text, posed[drawn]))


Place = tuple[int, int, str]  # start, number of the match among its pattern's, replacement


def _matches(text: str, rewritings: Rewritings) -> list[tuple[re.Pattern[str], Place]]:
    """All places in order; where two patterns match at one place the first of them counts."""
    found: dict[int, tuple[re.Pattern[str], Place]] = {}
    for pattern, replacement in rewritings:
        for number, match in enumerate(pattern.finditer(text)):
            found.setdefault(match.start(), (pattern, (match.start(), number, replacement)))
    return [found[start] for start in sorted(found)]


def _rewrite(text: str, place: tuple[re.Pattern[str], Place]) -> str:
    pattern, (_, number, replacement) = place
    return rewrite_at(text, pattern, number, replacement)
