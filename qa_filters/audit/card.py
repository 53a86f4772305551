"""The audit as a release shows it: a section of the card, and the same as JSON."""

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from qa_filters.audit.outcome import ALL, Accuracy
from qa_filters.base import FilterError

TITLE = "Human audit"
VERIFIED = "machine-translated and verified"
"""What MTEB calls such texts in ``sample_creation``; the same words in card and JSON."""

UNVERIFIED = "machine-translated"
HEAD = ("language", "judged", "right", "accuracy", "95 % interval", "raters", "alpha", "status")


@dataclass(frozen=True)
class Standard:
    """What a language must show before it counts as verified.

    So many items judged, and the lower end of Wilson's interval at least ``min_accuracy``: 30 of
    30 right is .886 or more, 29 of 30 .833, 28 of 30 .787. A small sample proves little however
    good it is.
    """

    min_items: int = 30
    min_accuracy: float = 0.8

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        if not 0 <= self.min_accuracy <= 1:
            raise FilterError(f"accuracy {self.min_accuracy}: expected a share from 0 to 1")

    def status_of(self, row: Accuracy) -> str:
        """``VERIFIED``, or why not."""
        if row.items < self.min_items:
            return f"{UNVERIFIED}; {row.items} judged, {self.min_items} needed"
        if row.low < self.min_accuracy:
            return f"{UNVERIFIED}; not shown to be {self.min_accuracy:g} right or more"
        return VERIFIED


def section(rows: Sequence[Accuracy], standard: Standard, corrected: int, disputed: int) -> str:
    """The section in Markdown, with its heading."""
    table = [HEAD, ["---"] * len(HEAD), *(_cells(row, standard) for row in rows)]
    lines = "\n".join("| " + " | ".join(cells) + " |" for cells in table)
    return f"""## {TITLE}

People read a sample of the machine translations, drawn by task and tier, without knowing where a
row came from. A row is right when more than half of its raters who were sure find that it says the
same. The interval is Wilson's, alpha Krippendorff's over right against wrong (– where one rater, or
no variation, tells nothing). A language is *{VERIFIED}* from
{standard.min_items} judged rows on, if the interval begins at {standard.min_accuracy:g} or above.
Corrections that most raters of a row propose: {corrected}; rows over which they are even:
{disputed}. Corrections are for the next build, and are not in this one.

{lines}
"""


def _cells(row: Accuracy, standard: Standard) -> list[str]:
    alpha = "–" if math.isnan(row.alpha) else f"{row.alpha:.3f}"
    status = "" if row.language == ALL else standard.status_of(row)
    interval = f"{row.low:.3f} to {row.high:.3f}"
    counts = [str(row.items), str(row.right), f"{row.share:.3f}", interval, str(row.raters)]
    return [row.language, *counts, alpha, status]


def as_record(
    rows: Iterable[Accuracy], standard: Standard, corrected: int, disputed: int
) -> dict[str, Any]:
    """The same for machines; an alpha that cannot be told is null."""
    return {
        "standard": dataclasses.asdict(standard),
        "corrections": corrected,
        "disputed": disputed,
        "languages": [
            dataclasses.asdict(row)
            | {"accuracy": row.share, "alpha": None if math.isnan(row.alpha) else row.alpha}
            | {"status": "" if row.language == ALL else standard.status_of(row)}
            for row in rows
        ],
    }
