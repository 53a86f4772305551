"""The report's figures as rows for machines, and the parallel core that they imply."""

from collections import defaultdict
from typing import Any

from qa_filters.report import Tally

# What the parts of a tally's key are, by its first.
KEYS = {
    "filter": ("filter", "language", "decision"),
    "funnel": ("task", "language", "step"),
    "overlap": ("filter", "other"),
    "refused": ("task", "language", "filter"),
    "score": ("filter", "language", "bin", "decision"),
}
COLUMNS = ("figure", "task", "language", "filter", "other", "step", "bin", "decision")


def as_rows(counts: Tally) -> list[dict[str, Any]]:
    """One row a count, "" where a column says nothing of it; sorted by ``COLUMNS``.

    The figure ``core`` counts, by task, the queries that are accepted in every language that any
    is accepted in; ``missing`` those that only one language, the row's, refuses.
    """
    rows: list[dict[str, Any]] = [
        dict.fromkeys(COLUMNS, "") | {"figure": kind} | dict(zip(KEYS[kind], parts, strict=True))
        | {"count": number}
        for (kind, *parts), number in counts.items()
        if kind in KEYS and number
    ]  # fmt: skip
    for task, core in cores(counts).items():
        empty = dict.fromkeys(COLUMNS, "") | {"task": task}
        rows.append(empty | {"figure": "core", "count": core["all"]})
        rows += [
            empty | {"figure": "missing", "language": language, "count": number}
            for language, number in core.items()
            if language != "all" and number
        ]
    return sorted(rows, key=lambda row: [row[column] for column in COLUMNS])


def cores(counts: Tally) -> dict[str, dict[str, int]]:
    """By task: under ``all`` the queries accepted in all languages, else those that miss one."""
    kept: dict[tuple[str, str], set[str]] = defaultdict(set)
    languages: dict[str, set[str]] = defaultdict(set)
    for kind, *parts in counts:
        if kind == "kept":
            task, query, language = parts
            kept[task, query].add(language)
            languages[task].add(language)
    found = {task: {"all": 0} for task in sorted(languages)}
    for (task, _), there in sorted(kept.items()):
        gone = sorted(languages[task] - there)
        if len(gone) <= 1:
            place = gone[0] if gone else "all"
            found[task][place] = found[task].get(place, 0) + 1
    return found
