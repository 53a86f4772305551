"""Draws the quality report: one HTML page that needs no network and no script."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from qa_filters.base import Filter
from qa_filters.reference import languages_compared, summed_up
from qa_filters.report import (
    ACCEPTED,
    BINS,
    DECISIONS,
    REJECTED,
    STEPS,
    Example,
    Tally,
)

STYLE = """
:root { color-scheme: light; --good: #2a7f9e; --bad: #c8553d; --line: #d9dee3; --soft: #f4f6f8; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2730; margin: 0 auto; max-width: 68rem;
  padding: 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { margin-top: 2.5rem; } h3 { margin-bottom: .2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; white-space: nowrap; }
th:first-child, td:first-child, td.text { text-align: left; }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; vertical-align: top; }
thead th { background: var(--soft); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .8rem; }
figure { margin: 0; } figcaption, .note { font-size: .85rem; color: #55616c; }
svg { display: block; width: 100%; height: auto; background: var(--soft); }
.good { fill: var(--good); } .bad { fill: var(--bad); }
@media print { body { max-width: none; padding: 0; } tr, figure { break-inside: avoid; } }
"""
STEP_TITLES = {
    "judged": "judged",
    "form": "sound in form",
    "content": "complete",
    "meaning": "true to the meaning",
}
_COMPARED = {"all": (ACCEPTED, REJECTED), "accepted": (ACCEPTED,), "refused": (REJECTED,)}
BAR_WIDTH, PLOT_HEIGHT = 10, 80


def render(
    counts: Tally, examples: Iterable[Example], filters: Mapping[str, Filter], title: str
) -> str:
    """The page over all counts, with the examples that were chosen for it."""
    languages = sorted({key[2] for key in counts if key[0] == "filter"})
    sections = (
        _funnel(counts),
        _overview(counts, filters, languages),
        _distributions(counts, filters, languages),
        _overlap(counts, filters),
        _references(counts),
        _examples(examples),
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(sections) + "\n</body>\n</html>\n"
    )


def _funnel(counts: Tally) -> str:
    groups = sorted({key[1:3] for key in counts if key[0] == "funnel"})
    rows = []
    for task, language in groups:
        steps = [counts["funnel", task, language, step] for step in STEPS]
        kept = f"{steps[-1] / steps[0]:.1%}"
        rows.append([escape(task), escape(language), *map(_number, steps), kept])
    head = ["task", "language", *(STEP_TITLES[step] for step in STEPS), "kept"]
    note = "Each step counts the queries that passed all filters of that kind and those before it."
    return f'<h2>What was kept</h2>\n<p class="note">{note}</p>\n{_table(head, rows)}'


def _overview(counts: Tally, filters: Mapping[str, Filter], languages: Sequence[str]) -> str:
    rows = []
    for name in sorted(filters):
        cells = [_cell(counts, name, language) for language in languages]
        rows.append([escape(name), *cells])
    note = (
        "Refused, in percent of the texts to which the filter applied; beneath it the refused, "
        "the accepted and the texts to which it did not apply."
    )
    head = ["filter", *map(escape, languages)]
    return f'<h2>Filters and languages</h2>\n<p class="note">{note}</p>\n{_table(head, rows)}'


def _cell(counts: Tally, name: str, language: str) -> str:
    accepted, rejected, abstained = (
        counts["filter", name, language, decision] for decision in DECISIONS
    )
    asked = accepted + rejected
    share = f"{rejected / asked:.1%}" if asked else "–"
    return f"{share}<br><small>{rejected:,} · {accepted:,} · {abstained:,}</small>"


def _distributions(counts: Tally, filters: Mapping[str, Filter], languages: Sequence[str]) -> str:
    parts = [
        "<h2>Scores</h2>",
        '<p class="note">Blue is accepted, red refused: the threshold lies where they meet. '
        "Scores beyond the scale stand in its outermost bars.</p>",
    ]
    for name in sorted(filters):
        plots = [_plot(counts, name, language, filters[name].scale) for language in languages]
        settings = ", ".join(
            f"{field.name} = {getattr(filters[name], field.name)}"
            for field in dataclasses.fields(filters[name])  # type: ignore[arg-type]
        )
        parts.append(f"<h3>{escape(name)}</h3>\n<p class='note'>{escape(settings)}</p>")
        parts.append(f'<div class="plots">{"".join(plots)}</div>')
    return "\n".join(parts)


def _plot(counts: Tally, name: str, language: str, scale: tuple[float, float]) -> str:
    """A histogram, refused scores stacked upon accepted ones."""
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
        f'aria-label="{escape(label)}">{bars}</svg>'
        f"<figcaption>{escape(language)} · {scale[0]:g} to {scale[1]:g}</figcaption></figure>"
    )


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


def _overlap(counts: Tally, filters: Mapping[str, Filter]) -> str:
    names = [name for name in sorted(filters) if counts["overlap", name, name]]
    if not names:
        return "<h2>Which filters refuse the same</h2>\n<p>Nothing was refused.</p>"
    rows = [
        [escape(row), *(_number(counts[("overlap", *sorted((row, name)))]) for name in names)]
        for row in names
    ]
    head = ["refused by", *map(escape, names)]
    return f"<h2>Which filters refuse the same</h2>\n{_table(head, rows)}"


def _references(counts: Tally) -> str:
    rows = []
    for language in languages_compared(counts):
        cells = [_compared(counts, language, some) for some in _COMPARED.values()]
        rows.append([escape(language), *cells])
    if not rows:
        return ""
    note = (
        "Mean chrF of the machine's translations against the plan's references; beneath it the "
        "texts that have one, and those that equal it."
    )
    table = _table(["language", *_COMPARED], rows)
    return f'<h2>Beside reference translations</h2>\n<p class="note">{note}</p>\n{table}'


def _compared(counts: Tally, language: str, decisions: Sequence[str]) -> str:
    texts, equal, mean = summed_up(counts, language, decisions)
    shown = f"{mean:.1f}" if texts else "–"
    return f"{shown}<br><small>{texts:,} · {equal:,}</small>"


def _examples(examples: Iterable[Example]) -> str:
    rows = [
        [
            f"{escape(example.filter)} ({escape(example.language)})",
            "–" if math.isnan(example.score) else f"{example.score:.2f}",
            *map(escape, (example.source_text, example.text, example.back_translation)),
        ]
        for example in examples
    ]
    if not rows:
        return ""
    head = ["refused by", "score", "source", "translation", "back-translation"]
    return f"<h2>Examples of what was refused</h2>\n{_table(head, rows, text_from=2)}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], text_from: int = 99) -> str:
    """A table of cells that are already HTML; from column ``text_from`` on they hold prose."""
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="text">{cell}</td>' if place >= text_from else f"<td>{cell}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>\n"
        for row in rows
    )
    titles = "".join(f'<th scope="col">{title}</th>' for title in head)
    return (
        f'<div class="wide"><table><thead><tr>{titles}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def _number(count: int) -> str:
    return f"{count:,}"
