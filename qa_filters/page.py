"""Draws the quality report: one HTML page that needs no network and no script."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from qa_filters.base import Filter
from qa_filters.figures import cores
from qa_filters.plots import distributions
from qa_filters.reference import languages_compared, summed_up
from qa_filters.report import ACCEPTED, DECISIONS, REJECTED, STEPS, Example, Tally

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
.wide th:first-child, .wide td:first-child { position: sticky; left: 0; background: #fff; }
.wide thead th:first-child { background: var(--soft); }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; vertical-align: top; }
thead th { background: var(--soft); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .8rem; }
figure { margin: 0; } figcaption, .note { font-size: .85rem; color: #55616c; }
svg { display: block; width: 100%; height: auto; background: var(--soft); }
.good { fill: var(--good); } .bad { fill: var(--bad); }
line { stroke: #1d2730; stroke-width: 1.5; stroke-dasharray: 4 3; }
@media print { body { max-width: none; padding: 0; } tr, figure { break-inside: avoid; } }
"""
STEP_TITLES = {
    "judged": "judged",
    "form": "sound in form",
    "content": "complete",
    "meaning": "true to the meaning",
}
_COMPARED = {"all": (ACCEPTED, REJECTED), "accepted": (ACCEPTED,), "refused": (REJECTED,)}


def render(
    counts: Tally,
    examples: Iterable[Example],
    narrow: Iterable[Example],
    filters: Mapping[str, Filter],
    title: str,
) -> str:
    """The page over all counts, with the examples that were chosen for it.

    ``examples`` were refused, ``narrow`` barely accepted.
    """
    languages = sorted({key[2] for key in counts if key[0] == "filter"})
    sections = (
        _funnel(counts),
        _core(counts),
        _overview(counts, filters, languages),
        _refusals(counts, filters),
        distributions(counts, filters, languages),
        _overlap(counts, filters),
        _references(counts),
        _examples("Examples of what was refused", "refused by", examples),
        _examples("What was barely accepted", "nearly refused by", narrow),
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


def _core(counts: Tally) -> str:
    """How many queries every language has, and which language loses most of the others."""
    found = cores(counts)
    languages = sorted({one for core in found.values() for one in core} - {"all"})
    if not found:
        return ""
    rows = [
        [escape(task), _number(core["all"]), *(_number(core.get(one, 0)) for one in languages)]
        for task, core in found.items()
    ]
    note = (
        "Queries that all filters accept in every language, before overlap and quotas are looked "
        "at; then those that one language alone keeps out."
    )
    head = ["task", "in all languages", *(f"all but {escape(one)}" for one in languages)]
    return f'<h2>Parallel core</h2>\n<p class="note">{note}</p>\n{_table(head, rows)}'


def _refusals(counts: Tally, filters: Mapping[str, Filter]) -> str:
    """The funnel by filter: how many texts of a task and language each of them refuses."""
    names = [
        name for name in sorted(filters) if any(key[::3] == ("refused", name) for key in counts)
    ]
    groups = sorted({key[1:3] for key in counts if key[0] == "funnel"})
    if not names:
        return ""
    rows = [
        [escape(task), escape(language)]
        + [_number(counts["refused", task, language, name]) for name in names]
        for task, language in groups
    ]
    note = (
        "Texts that each filter refuses, alone or with others; those that refuse none are left out."
    )
    head = ["task", "language", *map(escape, names)]
    title = "Refused, by task and language"
    return f'<h2>{title}</h2>\n<p class="note">{note}</p>\n{_table(head, rows)}'


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


def _examples(title: str, by: str, examples: Iterable[Example]) -> str:
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
    head = [by, "score", "source", "translation", "back-translation"]
    return f"<h2>{title}</h2>\n{_table(head, rows, text_from=2)}"


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
