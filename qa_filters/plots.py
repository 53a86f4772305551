"""Draws how scores are spread, for the quality report: histograms as SVG, with the thresholds."""

import dataclasses
from collections.abc import Mapping, Sequence
from html import escape

from qa_filters.base import Filter
from qa_filters.report import BINS, DECISIONS, Tally

BAR_WIDTH, PLOT_HEIGHT = 10, 80


def distributions(counts: Tally, filters: Mapping[str, Filter], languages: Sequence[str]) -> str:
    """A section with a histogram for each filter and language."""
    parts = [
        "<h2>Scores</h2>",
        '<p class="note">Blue is accepted, red refused; the upright lines are the thresholds. '
        "Scores beyond the scale stand in its outermost bars.</p>",
    ]
    for name in sorted(filters):
        plots = [_plot(counts, filters[name], language) for language in languages]
        settings = ", ".join(
            f"{field.name} = {getattr(filters[name], field.name)}"
            for field in dataclasses.fields(filters[name])  # type: ignore[arg-type]
        )
        parts.append(f"<h3>{escape(name)}</h3>\n<p class='note'>{escape(settings)}</p>")
        drawn = "".join(plots)
        none = "<p class='note'>It applied to no text.</p>"
        parts.append(f'<div class="plots">{drawn}</div>' if drawn else none)
    return "\n".join(parts)


def _plot(counts: Tally, filter_: Filter, language: str) -> str:
    """A histogram, refused scores stacked upon accepted ones."""
    name, scale = filter_.name, filter_.scale
    columns = [
        [counts["score", name, language, f"{place:02d}", decision] for decision in DECISIONS[:2]]
        for place in range(BINS)
    ]
    tallest = max(map(sum, columns))
    if not tallest:
        return ""
    bars = "".join(
        _bars(place, [count / tallest * PLOT_HEIGHT for count in column])
        for place, column in enumerate(columns)
    )
    label = f"{name}, {language}: {sum(map(sum, columns)):,} scores"
    return (
        f'<figure><svg viewBox="0 0 {BINS * BAR_WIDTH} {PLOT_HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{bars}{_lines(filter_)}</svg>'
        f"<figcaption>{escape(language)} · {scale[0]:g} to {scale[1]:g}</figcaption></figure>"
    )


def _lines(filter_: Filter) -> str:
    """An upright line for each threshold that lies within the scale."""
    low, high = filter_.scale
    drawn = ""
    for key in filter_.thresholds:
        value = float(getattr(filter_, key))
        if low <= value <= high:
            x = min((value - low) / (high - low), 1.0) * BINS * BAR_WIDTH
            drawn += f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{PLOT_HEIGHT}"/>'
    return drawn


def _bars(place: int, heights: Sequence[float]) -> str:
    top = float(PLOT_HEIGHT)
    drawn = ""
    for height, colour in zip(heights, ("good", "bad"), strict=True):
        top -= height
        if height:
            drawn += (
                f'<rect class="{colour}" x="{place * BAR_WIDTH + 1}" y="{top:.1f}" '
                f'width="{BAR_WIDTH - 2}" height="{height:.1f}"/>'
            )
    return drawn
