"""Shows what an audit came to, to people and to machines."""

import dataclasses
import json
import math
from collections.abc import Sequence

from qa_filters.audit.items import Item
from qa_filters.audit.outcome import Accuracy

HEAD = ("language", "items", "right", "accuracy", "95 % interval", "raters", "alpha")
WIDTH = 16


def as_text(rows: Sequence[Accuracy], corrected: int, disputed: Sequence[Item]) -> str:
    """A table, and what became of the corrections."""
    table = [HEAD, *(_cells(row) for row in rows)]
    lines = ["".join(cell.rjust(WIDTH) for cell in cells) for cells in table]
    notes = [f"corrections: {corrected}"]
    notes += [f"disputed, not written: {one.query_id} in {one.language}" for one in disputed]
    return "\n".join([*lines, "", *notes])


def _cells(row: Accuracy) -> tuple[str, ...]:
    alpha = "-" if math.isnan(row.alpha) else f"{row.alpha:.3f}"
    interval = f"{row.low:.3f} to {row.high:.3f}"
    counts = (str(row.items), str(row.right), f"{row.share:.3f}", interval, str(row.raters))
    return (row.language, *counts, alpha)


def as_json(rows: Sequence[Accuracy], corrected: int, disputed: Sequence[Item]) -> str:
    """The same as one object; an alpha that cannot be told is null."""
    shown = [
        dataclasses.asdict(row)
        | {"accuracy": row.share, "alpha": None if math.isnan(row.alpha) else row.alpha}
        for row in rows
    ]
    gone = [{"query_id": one.query_id, "language": one.language} for one in disputed]
    return json.dumps({"accuracy": shown, "corrections": corrected, "disputed": gone}, indent=1)
