"""Shows a calibration: tables for a terminal, rows for a machine, and a fragment of a plan."""

import dataclasses
import json
from collections.abc import Mapping, Sequence

from qa_filters.base import Filter
from qa_filters.calibration import Share, shares, shares_by_filter
from qa_filters.trials import HUMAN, Outcome

WIDTH = 13


def table_of_kinds(outcomes: Sequence[Outcome]) -> str:
    """What is refused of each kind: human translations, and planted errors."""
    return _table("refused by all together", shares(outcomes))


def table_of_filters(outcomes: Sequence[Outcome]) -> str:
    """What each filter refuses of human translations, and of all planted errors."""
    rows: dict[tuple[str, str], Share] = {}
    for (name, label, language), share in sorted(shares_by_filter(outcomes).items()):
        row = (f"{name}, {HUMAN if label == HUMAN else 'planted'}", language)
        before = rows.get(row, Share(0, 0))
        rows[row] = Share(before.refused + share.refused, before.total + share.total)
    return _table("refused by each alone", rows)


def _table(title: str, cells: Mapping[tuple[str, str], Share]) -> str:
    columns = sorted({language for _, language in cells})
    labels = sorted({label for label, _ in cells})
    wide = max(map(len, (title, *labels)))
    head = title.ljust(wide) + "".join(column.rjust(WIDTH) for column in columns)
    lines = [
        label.ljust(wide)
        + "".join(str(cells.get((label, column), "-")).rjust(WIDTH) for column in columns)
        for label in labels
    ]
    return "\n".join([head, *lines])


def as_rows(outcomes: Sequence[Outcome]) -> list[dict[str, object]]:
    """One row a filter, kind and language; the filter "" is all together."""
    together = {("", *key): share for key, share in shares(outcomes).items()}
    found = together | shares_by_filter(outcomes)
    return [
        {"filter": name, "kind": kind, "language": language, **dataclasses.asdict(share)}
        for (name, kind, language), share in sorted(found.items())
    ]


def fragment(filters: Mapping[str, Filter]) -> str:
    """The filters as tables of a plan, every setting written out."""
    lines: list[str] = []
    for name in sorted(filters):
        lines += [f"[filters.{name}]"]
        fields = dataclasses.fields(filters[name])  # type: ignore[arg-type]
        lines += [f"{one.name} = {_toml(getattr(filters[name], one.name))}" for one in fields]
        lines += [""]
    return "\n".join(lines)


def _toml(value: object) -> str:
    """A number, a text or a list of texts; JSON writes them as TOML does."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
