"""Shows what an audit came to, to people and to machines."""

import json
import math
from collections.abc import Sequence

from qa_filters.audit.card import Standard, as_record
from qa_filters.audit.items import Item
from qa_filters.audit.outcome import ALL, Accuracy

HEAD = ("language", "items", "right", "accuracy", "95 % interval", "raters", "alpha")
WIDTH = 16


def as_text(
    rows: Sequence[Accuracy], corrected: int, disputed: Sequence[Item], standard: Standard
) -> str:
    """A table, the status of each language, and what became of the corrections."""
    table = [HEAD, *(_cells(row) for row in rows)]
    lines = ["".join(cell.rjust(WIDTH) for cell in cells) for cells in table]
    notes = [f"{row.language}: {standard.status_of(row)}" for row in rows if row.language != ALL]
    notes += [f"corrections: {corrected}"]
    notes += [f"disputed, not written: {one.query_id} in {one.language}" for one in disputed]
    return "\n".join([*lines, "", *notes])


def _cells(row: Accuracy) -> tuple[str, ...]:
    alpha = "-" if math.isnan(row.alpha) else f"{row.alpha:.3f}"
    interval = f"{row.low:.3f} to {row.high:.3f}"
    counts = (str(row.items), str(row.right), f"{row.share:.3f}", interval, str(row.raters))
    return (row.language, *counts, alpha)


def as_json(
    rows: Sequence[Accuracy], corrected: int, disputed: Sequence[Item], standard: Standard
) -> str:
    """The same as one object, with the disputed items."""
    gone = [{"query_id": one.query_id, "language": one.language} for one in disputed]
    shown = as_record(rows, standard, corrected, len(gone)) | {"disputed": gone}
    return json.dumps(shown, indent=1)
