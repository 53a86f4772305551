"""Results as a table for people, as JSON, and query by query."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pipeline.scorer.aggregate import Means, TaskMeans, Values, aggregate, subset_means
from pipeline.scorer.score import Results, RunScores, SubsetScores

DIGITS = 4  # as trec_eval prints
TIES_MATTER = 0.0005  # less is lost in the rounding of what is published
PER_QUERY_COLUMNS = ("run", "subset", "query-id", "measure", "value")


def render_table(results: Results) -> str:
    """Each run's subsets and means, task by task; the signature last."""
    blocks = [_render_run(run) for run in results.runs]
    return "\n\n".join([*blocks, results.signature])


def to_json(results: Results) -> dict[str, Any]:
    """Everything that the table says, unrounded, and the queries that count as 0."""
    return {
        "signature": results.signature,
        "runs": {run.name: _run_json(run) for run in results.runs},
    }


def per_query_rows(results: Results) -> Iterator[tuple[str, ...]]:
    """Run, subset, query, measure and value, for every query and measure."""
    for run in results.runs:
        for part in run.subsets:
            for measure, values in part.values.items():
                for query, value in zip(part.judgements.queries, values, strict=True):
                    yield run.name, part.subset.name, query, measure, repr(float(value))


def _render_run(run: RunScores) -> str:
    means = aggregate(run)
    tables = [
        _task_table(task, [part for part in run.subsets if part.subset.task == task.task])
        for task in means.tasks
    ]
    return "\n\n".join([f"run {run.name}", *tables, *_closing(run, means)])


def _task_table(task: TaskMeans, parts: Sequence[SubsetScores]) -> str:
    measures = list(parts[0].values)
    rows = [_subset_row(part, measures) for part in parts]
    queries = str(sum(len(part.judgements.queries) for part in parts))
    missing = str(sum(len(part.missing) for part in parts))
    rows += [
        (f"{task.task} {tier}", "", "", *_cells(values, measures))
        for tier, values in task.tiers.items()
    ]
    rows += [
        (f"{task.task} macro", queries, missing, *_cells(task.macro, measures)),
        (f"{task.task} micro", queries, missing, *_cells(task.micro, measures)),
    ]
    for name, values in (("gap", task.gap), ("spread", task.spread)):
        if values:
            rows.append((f"{task.task} {name}", "", "", *_cells(values, measures)))
    if len(task.languages) > 1:
        worst = (task.worst(measure) for measure in measures)
        rows.append((f"{task.task} worst language", "", "", *worst))
    return aligned(("subset", "queries", "missing", *measures), rows)


def _subset_row(part: SubsetScores, measures: Sequence[str]) -> tuple[str, ...]:
    counts = (str(len(part.judgements.queries)), str(len(part.missing)))
    return (part.subset.name, *counts, *_cells(subset_means(part), measures))


def _closing(run: RunScores, means: Means) -> Iterator[str]:
    if means.overall:
        measures = list(means.overall)
        rows = [(name, *_cells(values, measures)) for name, values in means.languages.items()]
        rows.append(("overall", *_cells(means.overall, measures)))
        yield aligned(("mean of tasks", *measures), rows)
    notes = list(_notes(run))
    if notes:
        yield "\n".join(notes)


def _notes(run: RunScores) -> Iterator[str]:
    """What a reader must know before quoting a number."""
    if run.unscored:
        yield f"note: in no mean, because the run has no such file: {', '.join(run.unscored)}"
    for part in run.subsets:
        name = part.subset.name
        if part.missing:
            yield f"note: {name}: {len(part.missing)} queries are not answered and count as 0"
        if part.without_relevant:
            listed = ", ".join(part.without_relevant)
            yield f"note: {name}: no relevant document, counts as 0: {listed}"
        for measure, tied in part.tied.items():
            if abs(tied.mean - subset_means(part)[measure]) > TIES_MATTER:
                yield (
                    f"note: {name}: ties decide {measure} in {tied.queries:.0%} of queries; "
                    f"averaged over them it is {rounded(tied.mean)}"
                )
        if part.ignored:
            yield f"note: {name}: {part.ignored} queries of the run are not in it, left out"


def _cells(values: Values, measures: Sequence[str]) -> tuple[str, ...]:
    return tuple(rounded(values[name]) if name in values else "" for name in measures)


def rounded(value: float) -> str:
    """To four digits; adding zero takes the sign from a rounded zero."""
    return f"{round(value, DIGITS) + 0.0:.{DIGITS}f}"


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first column to the left, the others to the right."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _run_json(run: RunScores) -> dict[str, Any]:
    means = aggregate(run)
    return {
        "overall": dict(means.overall),
        "languages": _plain(means.languages),
        "tasks": {task.task: _task_json(task) for task in means.tasks},
        "subsets": {part.subset.name: _subset_json(part) for part in run.subsets},
        "unscored": list(run.unscored),
    }


def _task_json(task: TaskMeans) -> dict[str, Any]:
    return {
        "macro": dict(task.macro),
        "micro": dict(task.micro),
        "languages": _plain(task.languages),
        "tiers": _plain(task.tiers),
        "fairness_gap": dict(task.gap),
        "spread": dict(task.spread),
        "worst_language": {measure: task.worst(measure) for measure in task.macro},
        "absent_subsets": task.absent,
    }


def _subset_json(part: SubsetScores) -> dict[str, Any]:
    return {
        "queries": len(part.judgements.queries),
        "parallel_core": int(part.judgements.in_core.sum()),
        "values": dict(subset_means(part)),
        "ties": {name: {"queries": t.queries, "mean": t.mean} for name, t in part.tied.items()},
        "missing": list(part.missing),
        "without_relevant": list(part.without_relevant),
        "ignored": part.ignored,
    }


def _plain(rows: Mapping[str, Values]) -> dict[str, dict[str, float]]:
    return {name: dict(values) for name, values in rows.items()}
