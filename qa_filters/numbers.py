"""Rejects a translation that changes, loses or invents a number or its unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from qa_filters.base import NOT_APPLICABLE, Candidate, Filter
from qa_filters.numerals import Number, read_numbers


@dataclass(frozen=True)
class Numbers(Filter):
    """The share of numerals, on both sides, that the other side has too, each as often.

    A numeral may be met by another way of writing it: 6.5 by 6,5, type 2 by tipo II, 3 by three
    or 三, 1.5 million by 150万; 10 lb is not met by 10 kg. Words alone demand nothing.
    """

    min_share: float = 1.0

    name: ClassVar[str] = "numbers"
    group: ClassVar[str] = "content"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    thresholds: ClassVar[tuple[str, ...]] = ("min_share",)

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN for a native wording and where neither side has a numeral."""
        source = read_numbers(candidate.source_text, candidate.source_language)
        target = read_numbers(candidate.text, candidate.language)
        wanted, made = demands_of(source, target), demands_of(target, source)
        if not candidate.is_machine_made or not wanted + made:
            return NOT_APPLICABLE
        unmet = count_unmet(wanted, target) + count_unmet(made, source)
        return 1 - unmet / len(wanted + made)

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_share``."""
        return score >= self.min_share


def demands_of(numbers: Sequence[Number], others: Sequence[Number]) -> list[Number]:
    """The numbers that the other side must have, those with one reading first."""
    has_names = any(other.embedded for other in others)
    demands = [number for number in numbers if number.certain or (has_names and number.embedded)]
    return sorted(demands, key=lambda number: len(number.readings))


def count_unmet(demands: Sequence[Number], offers: Sequence[Number]) -> int:
    """How many demands find no partner of their own."""
    left = list(offers)
    unmet = 0
    for number in demands:
        partner = next((offer for offer in left if number.agrees(offer)), None)
        if partner is None:
            unmet += 1
        else:
            left.remove(partner)
    return unmet
