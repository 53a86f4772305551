"""A comparison of two releases for a person, or as JSON."""

import json
from collections.abc import Iterator
from typing import Any

from pipeline.diff.comparing import Diff
from pipeline.diff.rows import TableDiff, named


def as_lines(diff: Diff) -> Iterator[str]:
    """What differs, heaviest first, and what it asks of the version."""
    for folder in diff.gone:
        yield f"gone     {folder}"
    for table in diff.tables:
        yield from _table(table)
    for folder in diff.new:
        yield f"new      {folder}"
    for name, (was, now) in diff.told.items():
        yield from _told(name, was, now)
    yield f"{len(diff.files)} files differ"
    verdict = "right" if diff.is_right else "too low"
    yield (
        f"{diff.old_version} -> {diff.new_version}: {diff.kind}; "
        f"at least {diff.least_version}, so the version is {verdict}"
    )


def as_json(diff: Diff) -> str:
    """All of it, with every key."""
    told: dict[str, Any] = {
        "old": diff.old_version,
        "new": diff.new_version,
        "kind": diff.kind,
        "least_version": diff.least_version,
        "is_right": diff.is_right,
        "gone": diff.gone,
        "added": diff.new,
        "files": diff.files,
        "told": diff.told,
        "tables": {
            one.folder: {
                "rows": one.rows,
                "added": one.added,
                "removed": one.removed,
                "changed": one.changed,
                "columns": one.columns,
            }
            for one in diff.tables
            if not one.is_same
        },
    }
    return json.dumps(told, ensure_ascii=False, indent=2, sort_keys=True)


def _table(table: TableDiff) -> Iterator[str]:
    for what in ("columns", "removed", "changed", "added"):
        keys = getattr(table, what)
        if keys:
            yield f"{what:<8} {table.folder}: {len(keys):,} of {table.rows:,} rows: {named(keys)}"


def _told(name: str, was: Any, now: Any) -> Iterator[str]:  # noqa: ANN401 - whatever JSON holds
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted(was.keys() | now.keys()):
            if was.get(key) != now.get(key):
                yield f"made by  {name} {key}: {was.get(key)} -> {now.get(key)}"
    else:
        yield f"made by  {name}: {was} -> {now}"
