"""What the command line prints of confusion sets: tables for people, or JSON."""

import dataclasses
import json
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from pipeline.confusion_report import SetReport, in_words
from umls_tools.confusion.shortcuts import Found

console = Console(highlight=False, width=160)


def print_set(report: SetReport, *, as_json: bool) -> None:
    """A set: what is asked, and all that is shown with the reasons for it."""
    if as_json:
        console.out(json.dumps(dataclasses.asdict(report), ensure_ascii=False, indent=2))
        return
    console.print(f"{report.query_id}, tier {report.tier}", markup=False)
    console.print(f"gold      {report.gold} {report.name}", markup=False)
    for language, text in report.queries:
        console.print(f"asked {language}  {text}", markup=False, soft_wrap=True)
    table = Table("distractor", "name", "similarity", "measure", "what ties it to the gold")
    for one in report.distractors:
        why = in_words(one.why)
        table.add_row(one.concept, one.name, f"{one.similarity:.2f}", one.measure, why)
    console.print(table)
    for reason, number in report.excluded:
        console.print(f"left out  {reason}: {number}", markup=False)


def print_shortcuts(found: Mapping[str, Sequence[Found]], *, as_json: bool) -> None:
    """How often each shortcut finds the gold, by tier; a star where chance does not explain it."""
    if as_json:
        rates = {tier: [dataclasses.asdict(one) for one in rows] for tier, rows in found.items()}
        console.out(json.dumps(rates, indent=2))
        return
    table = Table("shortcut", *(f"{tier} ({rows[0].sets})" for tier, rows in found.items()))
    for across in zip(*found.values(), strict=True):
        marks = (f"{one.rate:.3f}{'*' if one.tells else ''}" for one in across)
        table.add_row(across[0].shortcut, *marks)
    console.print(table)
    chance = next((rows[0].chance for rows in found.values()), 0.0)
    console.print(f"chance {chance:.3f}; a star: more than chance explains", markup=False)
