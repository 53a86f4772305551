"""Results in the forms that papers, spreadsheets and the Hub take."""

import csv
import io
from collections.abc import Callable, Iterator

from pipeline.scorer.aggregate import aggregate, subset_means
from pipeline.scorer.score import Results

DIGITS = 4
_LATEX = {"_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$"}


def to_csv(results: Results) -> str:
    """One row a run, subset or mean, and measure; values in full."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("run", "where", "measure", "value"))
    for run, where, measure, value in _cells(results):
        writer.writerow((run, where, measure, repr(value)))
    return text.getvalue().rstrip("\n")


def to_latex(results: Results) -> str:
    """A table of macro means, one row a run and one column a task's measure, for booktabs.

    The best value of each column is bold; the signature stands below as a comment.
    """
    rows = {run.name: _macro(results, run.name) for run in results.runs}
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    best = {column: max(row.get(column, -1.0) for row in rows.values()) for column in columns}
    lines = [
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        " & ".join(["system", *(_escaped(" ".join(column)) for column in columns)]) + r" \\",
        r"\midrule",
    ]
    for name, row in rows.items():
        cells = (_cell(row.get(column), best[column]) for column in columns)
        lines.append(" & ".join([_escaped(name), *cells]) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", f"% {results.signature}"]
    return "\n".join(lines)


def to_eval_results(results: Results) -> str:
    """What a model's repository on the Hub holds as ``.eval_results/NAME.yaml``.

    One entry a subset: its first measure, in per cent as the Hub's leaderboards show it. The
    dataset's id is for the user to fill in: a release does not know where it was published.
    Raises nothing; of several runs, only the first is of one model.
    """
    lines = []
    for part in results.runs[0].subsets:
        measure = next(iter(part.values))
        lines += [
            "- dataset:",
            "    id: ORG/NAME",
            f"    task_id: {part.subset.name}",
            f"  value: {100 * subset_means(part)[measure]:.2f}",
            f'  notes: "{measure}; {results.signature}"',
        ]
    return "\n".join(lines)


FORMATS: dict[str, Callable[[Results], str]] = {
    "csv": to_csv,
    "latex": to_latex,
    "eval-results": to_eval_results,
}


def _cells(results: Results) -> Iterator[tuple[str, str, str, float]]:
    for run in results.runs:
        for part in run.subsets:
            for measure, value in subset_means(part).items():
                yield run.name, part.subset.name, measure, value
        means = aggregate(run)
        for task in means.tasks:
            rows = {"macro": task.macro, "micro": task.micro, "gap": task.gap}
            for name, values in (rows | {"spread": task.spread}).items():
                for measure, value in values.items():
                    yield run.name, f"{task.task} {name}", measure, value
        for measure, value in means.overall.items():
            yield run.name, "overall", measure, value


def _macro(results: Results, name: str) -> dict[tuple[str, str], float]:
    (run,) = (run for run in results.runs if run.name == name)
    return {
        (task.task, measure): value
        for task in aggregate(run).tasks
        for measure, value in task.macro.items()
    }


def _cell(value: float | None, best: float) -> str:
    if value is None:
        return "--"
    shown = f"{value:.{DIGITS}f}"
    return rf"\textbf{{{shown}}}" if shown == f"{best:.{DIGITS}f}" else shown


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)
