"""What the judgements of all raters come to: accuracy, agreement and corrections."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qa_filters.audit.agreement import krippendorff, wilson
from qa_filters.audit.items import Item
from qa_filters.audit.sheet import Judgement

ALL = "all"
RIGHT = ("right", "minor")  # a slip that misleads nobody makes no query wrong
NO_ANSWER = "unsure"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Of a language: the items judged, how many are right, with a 95 % interval and agreement.

    An item is right when more than half of the raters who were sure of it find it so; one of which
    nobody was sure is not counted. ``alpha`` is over right against wrong.
    """

    language: str
    items: int
    right: int
    low: float
    high: float
    raters: int
    alpha: float

    @property
    def share(self) -> float:
        """The accuracy."""
        return self.right / self.items if self.items else 0.0


def measure(judgements: Iterable[Judgement]) -> list[Accuracy]:
    """One row a language, and one of all of them together at the end."""
    by_language: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        if judgement.choice != NO_ANSWER:
            by_language[judgement.item.language].append(judgement)
    everything = [one for language in sorted(by_language) for one in by_language[language]]
    rows = [_accuracy(language, by_language[language]) for language in sorted(by_language)]
    return [*rows, _accuracy(ALL, everything)]


def _accuracy(language: str, judgements: Sequence[Judgement]) -> Accuracy:
    votes: dict[str, list[str]] = defaultdict(list)
    for judgement in judgements:
        votes[judgement.item.item_id].append("right" if judgement.choice in RIGHT else "wrong")
    right = sum(2 * said.count("right") > len(said) for said in votes.values())
    raters = len({judgement.rater for judgement in judgements})
    alpha = krippendorff(votes[item] for item in sorted(votes))
    return Accuracy(language, len(votes), right, *wilson(right, len(votes)), raters, alpha)


def corrections(judgements: Iterable[Judgement]) -> tuple[list[tuple[Item, str]], list[Item]]:
    """The items with the correction that most raters give, and those on which they are even."""
    offered: dict[Item, Counter[str]] = defaultdict(Counter)
    for judgement in judgements:
        if judgement.correction:
            offered[judgement.item][judgement.correction] += 1
    agreed: list[tuple[Item, str]] = []
    disputed: list[Item] = []
    for item in sorted(offered, key=lambda item: (item.language, item.query_id)):
        ranked = sorted(offered[item].items(), key=lambda pair: (-pair[1], pair[0]))
        if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
            disputed.append(item)
        else:
            agreed.append((item, ranked[0][0]))
    return agreed, disputed
