"""The measures, computed in doubles for all queries at once, and the table of them.

Where trec_eval has the measure, the values are trec_eval's: relevant is a grade of 1 or more.
"""

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pipeline.scorer.errors import RequestError, known
from pipeline.scorer.ranked import Floats, Ranked


@dataclass(frozen=True, slots=True)
class Metric(abc.ABC):
    """A measure of the first ``cutoff`` documents of a ranking."""

    cutoff: int

    variant: ClassVar[str] = ""
    """Which of several usual definitions it is, for the signature; empty where there is one."""

    @abc.abstractmethod
    def values(self, ranked: Ranked) -> Floats:
        """One value a query; 0 for a query without relevant documents."""


@dataclass(frozen=True, slots=True)
class DiscountedGain(Metric):
    """nDCG with the grade as gain and 1 / log2(rank + 1) as discount (trec_eval's ndcg_cut).

    The ideal ranking is that of all judged documents.
    """

    variant: ClassVar[str] = "linear"

    def values(self, ranked: Ranked) -> Floats:
        """DCG over the ideal ranking's DCG."""
        return _ratio(self._discounted(ranked.gains), self._discounted(ranked.ideal))

    def _discounted(self, gains: Floats) -> Floats:
        ranks = np.arange(1, self.cutoff + 1)
        total: Floats = (gains[:, : self.cutoff] / np.log2(ranks + 1)).sum(axis=1)
        return total

    def averaged_over_ties(self, ranked: Ranked) -> Floats:
        """The value expected when documents of equal scores are put into random order."""
        return _ratio(self._discounted(ranked.tied), self._discounted(ranked.ideal))


@dataclass(frozen=True, slots=True)
class ExponentialGain(Metric):
    """nDCG with 2 to the power of the grade, less one, as gain (Burges and others 2005)."""

    variant: ClassVar[str] = "exponential"

    def values(self, ranked: Ranked) -> Floats:
        """DCG over the ideal ranking's DCG."""
        gains, ideal = (np.exp2(grades) - 1 for grades in (ranked.gains, ranked.ideal))
        discounts = np.log2(np.arange(2, self.cutoff + 2))
        found: Floats = (gains[:, : self.cutoff] / discounts).sum(axis=1)
        best: Floats = (ideal[:, : self.cutoff] / discounts).sum(axis=1)
        return _ratio(found, best)


@dataclass(frozen=True, slots=True)
class Precision(Metric):
    """The share of relevant ones among the first documents (trec_eval's P), of k in any case."""

    def values(self, ranked: Ranked) -> Floats:
        """Found relevant over the cutoff."""
        found = (ranked.gains[:, : self.cutoff] > 0).sum(axis=1).astype(np.float64)
        share: Floats = found / self.cutoff
        return share


@dataclass(frozen=True, slots=True)
class Success(Metric):
    """1 where any relevant document is among the first (trec_eval's success)."""

    def values(self, ranked: Ranked) -> Floats:
        """Whether one was found."""
        hits = ranked.gains[:, : self.cutoff] > 0
        return np.asarray(hits.any(axis=1), np.float64)


@dataclass(frozen=True, slots=True)
class Judged(Metric):
    """The share of judged ones among the first documents that were retrieved."""

    def values(self, ranked: Ranked) -> Floats:
        """Judged over retrieved; 0 where nothing was."""
        found = ranked.judged[:, : self.cutoff].sum(axis=1)
        return _ratio(found, np.minimum(ranked.retrieved, self.cutoff))


@dataclass(frozen=True, slots=True)
class CappedRecall(Metric):
    """Recall of as many relevant documents as the cutoff can hold (BEIR's R_cap)."""

    def values(self, ranked: Ranked) -> Floats:
        """Found relevant over the lesser of all relevant and the cutoff."""
        found = (ranked.gains[:, : self.cutoff] > 0).sum(axis=1).astype(np.float64)
        return _ratio(found, np.minimum(ranked.relevant, self.cutoff))


@dataclass(frozen=True, slots=True)
class Recall(Metric):
    """The share of the relevant documents that was found (trec_eval's recall)."""

    def values(self, ranked: Ranked) -> Floats:
        """Found relevant over all relevant."""
        found = (ranked.gains[:, : self.cutoff] > 0).sum(axis=1).astype(np.float64)
        return _ratio(found, ranked.relevant)


@dataclass(frozen=True, slots=True)
class ReciprocalRank(Metric):
    """One over the rank of the first relevant document, 0 when it stands below the cutoff."""

    def values(self, ranked: Ranked) -> Floats:
        """The greatest reciprocal of a relevant document's rank."""
        hits = ranked.gains[:, : self.cutoff] > 0
        best: Floats = (hits / np.arange(1, self.cutoff + 1)).max(axis=1)
        return best


@dataclass(frozen=True, slots=True)
class AveragePrecision(Metric):
    """The mean, over all relevant documents, of the precision at each (trec_eval's map_cut)."""

    def values(self, ranked: Ranked) -> Floats:
        """Sum of precisions over the number of relevant documents, found or not."""
        hits = ranked.gains[:, : self.cutoff] > 0
        precision = hits.cumsum(axis=1) / np.arange(1, self.cutoff + 1)
        return _ratio((precision * hits).sum(axis=1), ranked.relevant)


@dataclass(frozen=True, slots=True)
class Accuracy(Metric):
    """The chance that a relevant document comes first, ties at the top broken at random.

    So a system that scores all candidates alike has the accuracy of a guess, wherever the
    gold stands.
    """

    variant: ClassVar[str] = "ties-averaged"

    def __post_init__(self) -> None:
        """Only the first rank has a definition."""
        if self.cutoff != 1:
            raise RequestError(f"accuracy@{self.cutoff}: accuracy is that of the first rank, @1")

    def values(self, ranked: Ranked) -> Floats:
        """The share of relevant documents among those with the highest score."""
        return ranked.first_relevant


METRICS: dict[str, type[Metric]] = {
    "accuracy": Accuracy,
    "capped_recall": CappedRecall,
    "judged": Judged,
    "map": AveragePrecision,
    "mrr": ReciprocalRank,
    "ndcg": DiscountedGain,
    "ndcg_exp": ExponentialGain,
    "precision": Precision,
    "recall": Recall,
    "success": Success,
}


def parse_measure(name: str) -> Metric:
    """The measure that a name such as ``ndcg@10`` asks for."""
    metric, _, cutoff = name.partition("@")
    if metric not in METRICS:
        raise RequestError(f"unknown measure {name!r}; {known(metric, sorted(METRICS))}")
    if not (cutoff.isascii() and cutoff.isdigit() and int(cutoff)):
        raise RequestError(f"measure {name!r}: expected a rank after @, such as {metric}@10")
    return METRICS[metric](int(cutoff))


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
