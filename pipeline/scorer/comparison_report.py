"""Intervals and comparisons as tables for people, and as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pipeline.scorer.comparing import Comparison
from pipeline.scorer.report import aligned, rounded
from pipeline.scorer.resampling import Interval

_P_DIGITS = 4


def render_intervals(found: Mapping[str, Mapping[tuple[str, str], Interval]]) -> str:
    """Every run's macro means with their 95 % intervals."""
    rows = [
        (run, *where, rounded(one.mean), _between(one))
        for run, means in found.items()
        for where, one in means.items()
    ]
    return aligned(("run", "task", "measure", "macro", "95 % interval"), rows)


def render_comparison(found: Comparison) -> str:
    """The means, then every pair, the surest difference first."""
    means = [
        (run, task, measure, rounded(one.mean), _between(one))
        for (run, task, measure), one in found.means.items()
    ]
    pairs = [
        (
            one.task,
            one.measure,
            f"{one.better} - {one.other}",
            rounded(one.difference.mean),
            _between(one.difference),
            f"{one.p:.{_P_DIGITS}f}",
            f"{one.adjusted:.{_P_DIGITS}f}",
            rounded(one.detectable),
        )
        for one in sorted(found.differences, key=lambda one: (one.task, one.adjusted, one.p))
    ]
    head = ("task", "measure", "pair", "ahead by", "95 % interval", "p", "p (Holm)", "detectable")
    return "\n\n".join(
        (
            aligned(("run", "task", "measure", "macro", "95 % interval"), means),
            aligned(head, pairs),
            "Intervals: bootstrap over clusters of queries about the same concepts. p: paired\n"
            "permutation test over the same clusters. detectable: the least difference found at\n"
            "the 5 % level four times in five.",
        )
    )


def comparison_json(found: Comparison) -> dict[str, Any]:
    """The same, unrounded."""
    means: list[dict[str, Any]] = [
        {"run": run, "task": task, "measure": measure, **asdict(one)}
        for (run, task, measure), one in found.means.items()
    ]
    return {"means": means, "differences": [asdict(one) for one in found.differences]}


def intervals_json(
    found: Mapping[str, Mapping[tuple[str, str], Interval]],
) -> dict[str, Sequence[dict[str, Any]]]:
    """By run, each task's and measure's interval."""
    return {
        run: [{"task": at[0], "measure": at[1], **asdict(one)} for at, one in means.items()]
        for run, means in found.items()
    }


def _between(one: Interval) -> str:
    return f"{rounded(one.low)} .. {rounded(one.high)}"
