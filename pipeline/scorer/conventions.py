"""How other tools rank and average, so that their figures can be reproduced.

One example gets five answers (docs/explanation/scoring.md); what makes the difference is how ties
are broken, in which precision scores are compared, and whether unanswered queries count.
"""

from dataclasses import dataclass
from typing import Literal

from pipeline.scorer.errors import RequestError, known

Ties = Literal["docid-desc", "docid-asc", "as-given"]
_OTHERS = ""  # the measures that a tool treats alike


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to rank and to average.

    ``ties`` orders documents of equal scores: by id either way, or as the run's lines stand;
    ``is_single`` compares scores in 32 bits, in which more of them are equal; ``counts_missing``
    counts queries of the qrels that a run does not answer, with the value 0.
    """

    ties: Ties = "docid-desc"
    is_single: bool = False
    counts_missing: bool = True


OURS = Convention()
_TREC_EVAL_9 = Convention(is_single=True, counts_missing=False)
# By tool and measure. From the tools' code: trec_eval 10 with -c, mteb 2 and pytrec_eval (which
# average over answered queries), beir 2 (MRR of its own, over all queries), ir_measures 0.4 (RR@k
# and Judged@k by code of its own) and ranx 0.3 with make_comparable.
COMPAT: dict[str, dict[str, Convention]] = {
    "trec_eval": {_OTHERS: OURS},
    "mteb": {_OTHERS: _TREC_EVAL_9},
    "beir": {_OTHERS: _TREC_EVAL_9, "mrr": Convention(ties="as-given")},
    "ir_measures": {
        _OTHERS: Convention(is_single=True),
        "mrr": Convention(ties="docid-asc"),
        "judged": Convention(ties="docid-asc"),
    },
    "ranx": {_OTHERS: Convention(ties="as-given")},
}


def convention(tool: str, measure: str) -> Convention:
    """How a tool computes a measure such as ``mrr@10``; ours where no tool is named.

    Raises:
        RequestError: No such tool is known.
    """
    if not tool:
        return OURS
    if tool not in COMPAT:
        raise RequestError(f"unknown tool {tool!r}; {known(tool, sorted(COMPAT))}")
    ways = COMPAT[tool]
    return ways.get(measure.partition("@")[0], ways[_OTHERS])
