"""Small parts of the page: tables, numbers, and the drawing of an interval."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from pipeline.scorer.resampling import Interval

DASH = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is already HTML; `key` is what its column is sorted by, `kind` its class."""

    html: str
    key: float | str = ""
    kind: str = ""


def text(value: str) -> Cell:
    """A cell of plain text."""
    return Cell(escape(value), value)


def number(value: float | None) -> Cell:
    """A cell of a value with three decimals; nothing stands last."""
    return Cell(shown(value), "" if value is None else value)


def shown(value: float | None) -> str:
    """A value with three decimals, with a true minus sign."""
    return DASH if value is None else f"{value:.3f}".replace("-", "−")


def interval(one: Interval) -> Cell:
    """A mean and its interval, in figures and as a bar from 0 to 1."""
    low, high, mean = (100 * min(1.0, max(0.0, end)) for end in (one.low, one.high, one.mean))
    bar = (
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" x="0" y="4" width="100" height="2"/>'
        f'<rect class="reach" x="{low:.1f}" y="3" width="{max(0.5, high - low):.1f}" height="4"/>'
        f'<rect class="mean" x="{min(98.5, mean):.1f}" y="1" width="1.5" height="8"/></svg>'
    )
    ends = f"<small>{shown(one.low)} to {shown(one.high)}</small>"
    return Cell(f"<b>{shown(one.mean)}</b> {ends}{bar}", one.mean, "interval")


def groups(numbers: Sequence[int]) -> Cell:
    """The rank groups of a system."""
    return Cell(", ".join(map(str, numbers)), numbers[0])


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], caption: str) -> str:
    """A table that the page's script makes sortable; the first cell of a row is its heading."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    body = "".join(f"<tr>{_heading(row[0])}{''.join(map(_data, row[1:]))}</tr>\n" for row in rows)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table class="sortable"><caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{titles}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def _heading(cell: Cell) -> str:
    return f'<th scope="row" data-key="{escape(str(cell.key))}">{cell.html}</th>'


def _data(cell: Cell) -> str:
    kind = f' class="{cell.kind}"' if cell.kind else ""
    return f'<td{kind} data-key="{escape(str(cell.key))}">{cell.html}</td>'
