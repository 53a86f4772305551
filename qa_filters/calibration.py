"""Fits the filters' thresholds on human translations against planted errors.

What a threshold is worth: how many spoilt translations it refuses that no other filter refuses,
less ``WEIGHT`` times the human ones. So a filter is not made stricter for what others do already,
nor for a handful. A threshold gives way to the one worth most of those that refuse at most
``budget`` of the human translations of any language; of equals the nearest to accepting all. One
that refuses more than ``MOST`` gives way to any in budget.
"""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qa_filters.base import Filter
from qa_filters.trials import HUMAN, Outcome, is_refused

BUDGET = 0.01
MOST = 0.05
WEIGHT = 10  # spoilt translations are rarer in an engine's output than among the planted ones
STEPS = 40  # values that are tried of each threshold, or that part of all


@dataclass(frozen=True, slots=True)
class Threshold:
    """A setting of a filter that may be fitted; ``strict`` is +1 where more refuses more."""

    filter: str
    key: str
    strict: int
    needs_back: bool = False


# Not those that a perfect back-translation would satisfy whatever they are, unless there is a
# real one, nor counts of which a single one is too many.
THRESHOLDS = (
    Threshold("back_length", "min_ratio", +1, needs_back=True),
    Threshold("back_length", "max_ratio", -1, needs_back=True),
    Threshold("concept_fidelity", "min_similarity", +1, needs_back=True),
    Threshold("copy", "max_share", -1),
    Threshold("han", "max_share", -1),
    Threshold("language", "min_probability", +1),
    Threshold("length", "min_ratio", +1),
    Threshold("length", "min_term_ratio", +1),
    Threshold("length", "max_ratio", -1),
    Threshold("repetition", "max_excess", -1),
    Threshold("round_trip", "min_chrf", +1, needs_back=True),
    Threshold("script", "min_share", +1),
    Threshold("sequence_score", "min_score", +1),
    Threshold("untranslated", "max_words", -1),
)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many are refused."""

    refused: int
    total: int

    def __str__(self) -> str:
        """As a share with three places, and of how many."""
        return f"{self.refused / self.total:.3f} ({self.total})" if self.total else "-"


def shares(outcomes: Iterable[Outcome]) -> dict[tuple[str, str], Share]:
    """Label and language → how many are refused by the filters together."""
    found: dict[tuple[str, str], Share] = {}
    for outcome in outcomes:
        key = (outcome.trial.label, outcome.trial.language)
        before = found.get(key, Share(0, 0))
        found[key] = Share(before.refused + bool(outcome.refusing), before.total + 1)
    return found


def shares_by_filter(outcomes: Sequence[Outcome]) -> dict[tuple[str, str, str], Share]:
    """Filter, label and language → how many that filter refuses."""
    names = sorted({name for outcome in outcomes for name in outcome.scores})
    found: dict[tuple[str, str, str], Share] = {}
    for outcome in outcomes:
        for name in names:
            key = (name, outcome.trial.label, outcome.trial.language)
            before = found.get(key, Share(0, 0))
            found[key] = Share(before.refused + (name in outcome.refusing), before.total + 1)
    return found


def fit(
    outcomes: Sequence[Outcome],
    filters: Mapping[str, Filter],
    budget: float = BUDGET,
    thresholds: Iterable[Threshold] = THRESHOLDS,
) -> dict[str, Filter]:
    """The filters with their thresholds fitted; what no value can keep to budget stays."""
    fitted = dict(filters)
    has_back = any(_has_real_back(outcome) for outcome in outcomes)
    for threshold in thresholds:
        if threshold.filter in fitted and (has_back or not threshold.needs_back):
            fitted[threshold.filter] = _fit(outcomes, fitted[threshold.filter], threshold, budget)
    return fitted


def _has_real_back(outcome: Outcome) -> bool:
    candidate = outcome.trial.candidate
    is_human = outcome.trial.label == HUMAN
    return is_human and candidate.back_translation not in ("", candidate.source_text)


def _fit(
    outcomes: Sequence[Outcome], filter_: Filter, threshold: Threshold, budget: float
) -> Filter:
    scored = [o for o in outcomes if not math.isnan(o.scores[threshold.filter])]
    is_sound = _worst_share(_refused(scored, filter_), outcomes) <= MOST
    best, most = filter_, _worth(_refused(scored, filter_), filter_) if is_sound else -math.inf
    for value in _values(scored, filter_, threshold):
        tried = with_value(filter_, threshold, value)
        refused = _refused(scored, tried)
        worth = _worth(refused, tried)
        if worth > most and _worst_share(refused, outcomes) <= budget:
            best, most = tried, worth
    return best


def _refused(scored: Iterable[Outcome], filter_: Filter) -> list[Outcome]:
    return [o for o in scored if is_refused(filter_, o.scores[filter_.name], o.trial.candidate)]


def _worth(refused: Iterable[Outcome], filter_: Filter) -> float:
    """The spoilt ones less the human ones, of those that no other filter refuses."""
    alone = [o.trial.label for o in refused if o.refusing <= {filter_.name}]
    human = alone.count(HUMAN)
    return len(alone) - human - WEIGHT * human


def _values(scored: Sequence[Outcome], filter_: Filter, threshold: Threshold) -> list[float]:
    """What may be the threshold, the loosest first: human scores, and the old one."""
    human = [o.scores[threshold.filter] for o in scored if o.trial.label == HUMAN]
    human.append(float(getattr(filter_, threshold.key)))
    ordered = sorted(set(human), reverse=threshold.strict < 0)
    # Only the loosest of them can keep to a budget of few.
    return ordered[: max(STEPS, len(ordered) // STEPS)]


def _worst_share(refused: Iterable[Outcome], outcomes: Sequence[Outcome]) -> float:
    """The largest share of any language's human translations that is refused."""
    count: dict[str, int] = {}
    total: dict[str, int] = {}
    for counter, some in ((count, refused), (total, outcomes)):
        for outcome in some:
            if outcome.trial.label == HUMAN:
                language = outcome.trial.language
                counter[language] = counter.get(language, 0) + 1
    return max((count[language] / total[language] for language in sorted(count)), default=0.0)


def with_value(filter_: Filter, threshold: Threshold, value: float) -> Filter:
    """The filter with another setting: three decimals, rounded to the loose side."""
    rounded = (math.floor if threshold.strict > 0 else math.ceil)(value * 1000) / 1000
    kind = type(getattr(filter_, threshold.key))
    changes: dict[str, Any] = {threshold.key: kind(rounded)}
    return dataclasses.replace(filter_, **changes)  # type: ignore[type-var]
