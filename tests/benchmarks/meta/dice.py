"""Choices and names for benchmarks that make few of them, without a library."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from tests.benchmarks.meta.syllables import NOT_SPACED, SCRIPTS, SYLLABLES

T = TypeVar("T")


class Dice:
    """Choices that depend on the seed and on what they are made for, taken off one long number."""

    def __init__(self, seed: int, name: str) -> None:
        key = seed.to_bytes(8, "big", signed=True)
        self.left = int.from_bytes(blake2b(name.encode(), digest_size=64, key=key).digest(), "big")

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1; fit for some fifty small bounds."""
        self.left, number = divmod(self.left, bound)
        return number

    def of(self, choices: Sequence[T]) -> T:
        """One of several, all alike."""
        return choices[self.below(len(choices))]


def name_of(language: str, dice: Dice) -> str:
    """One to five words of the language's letters."""
    script = SCRIPTS.get(language, "latin")
    syllables = SYLLABLES[script]
    words = ["".join(dice.of(syllables) for _ in range(2 + dice.below(3))) for _ in range(5)]
    joint = "" if script in NOT_SPACED else " "
    return joint.join(words[: 1 + dice.below(5)])
