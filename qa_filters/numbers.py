"""Rejects a translation that changes, loses or invents a number or its unit."""

from collections.abc import Iterable
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

    def score(self, candidate: Candidate) -> float:
        """Between 0 and 1; NaN for a native wording and where neither side has a numeral."""
        source = read_numbers(candidate.source_text, candidate.source_language)
        target = read_numbers(candidate.text, candidate.language)
        demanded = sum(number.certain for number in (*source, *target))
        if not candidate.is_machine_made or not demanded:
            return NOT_APPLICABLE
        return 1 - (count_unmet(source, target) + count_unmet(target, source)) / demanded

    def accepts(self, score: float, candidate: Candidate) -> bool:
        """At least ``min_share``."""
        return score >= self.min_share


def count_unmet(demands: Iterable[Number], offers: Iterable[Number]) -> int:
    """How many certain numbers find no partner of their own, those with one reading first."""
    left = list(offers)
    unmet = 0
    for number in sorted((n for n in demands if n.certain), key=lambda n: len(n.readings)):
        partner = next((offer for offer in left if number.agrees(offer)), None)
        if partner is None:
            unmet += 1
        else:
            left.remove(partner)
    return unmet
