"""The card's section on quality: what was judged and accepted, and by which filters' settings."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pipeline.release.layout import FIGURES

_LAST = "meaning"  # the step of the funnel after which a text is accepted by all filters
_FIRST = "judged"


def judged_section(root: Path, filters: Mapping[str, Any]) -> str:
    """Accepted translations by task and language, and each filter's settings with what it refused.

    Args:
        root: A release whose ``quality/figures.parquet`` is written.
        filters: The plan's filters, by name; each is a dataclass of its settings.

    Returns:
        Markdown, or "" where nothing was judged.
    """
    if not (root / FIGURES).is_file():
        return ""
    rows = pq.read_table(root / FIGURES).to_pylist()
    steps = {
        (row["task"], row["language"], row["step"]): row["count"]
        for row in rows
        if row["figure"] == "funnel"
    }
    lines = ["## Quality", "", *_funnel(steps), "", *_filters(rows, filters)]
    return "\n".join(lines) + "\n" if steps else ""


def _funnel(steps: Mapping[tuple[str, str, str], int]) -> Iterator[str]:
    yield "Translations that every filter accepted, of those judged; people's own judgement, where"
    yield "it was asked for, stands in a section of its own."
    yield ""
    yield "| task | language | judged | accepted | share |"
    yield "| --- | --- | --- | --- | --- |"
    for task, language in sorted({(task, language) for task, language, _ in steps}):
        judged = steps.get((task, language, _FIRST), 0)
        accepted = steps.get((task, language, _LAST), 0)
        share = f"{accepted / judged:.1%}" if judged else "–"
        yield f"| {task} | {language} | {judged} | {accepted} | {share} |"


def _filters(rows: list[dict[str, Any]], filters: Mapping[str, Any]) -> Iterator[str]:
    refused: Counter[str] = Counter()
    for row in rows:
        if row["figure"] == "refused":
            refused[row["filter"]] += row["count"]
    yield "| filter | settings | refused |"
    yield "| --- | --- | --- |"
    for name in sorted(filters):
        yield f"| {name} | {_settings(filters[name])} | {refused[name]} |"


def _settings(chosen: Any) -> str:  # noqa: ANN401 - each filter has settings of its own
    fields = dataclasses.fields(chosen)
    return ", ".join(f"`{one.name}` {getattr(chosen, one.name)}" for one in fields) or "–"
