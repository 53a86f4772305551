"""What the command line prints of builds, plans and releases: tables for people, or JSON."""

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pipeline.build import Built
from pipeline.concept_files import ConceptFiles
from pipeline.evidence.describing import Seen
from pipeline.evidence_report import evidence_json, evidence_sheets
from pipeline.gate_report import gate_json, gate_rows
from pipeline.plan import Plan
from pipeline.records import LANGUAGES
from pipeline.release.contents import Contents, read_contents
from pipeline.release.layout import ReleaseError
from pipeline.release.manifest import StageCount
from pipeline.release.writing import FileEntry
from pipeline.settings import PlanError
from umls_tools.gate_table import GateTable

console = Console(highlight=False)
# For tables of many numbers: cut off, they would say nothing.
wide_console = Console(highlight=False, width=200)


def print_built(built: Built, *, as_json: bool) -> None:
    """The closing tables of a build."""
    if as_json:
        identity = {
            "release": str(built.folder),
            "build_hash": built.build_hash,
            "shortfall": dict(built.shortfall),
        }
        _print_json({**identity, **_summary(built.contents, built.absent)})
        return
    console.print(_stage_table(built.counts))
    console.print(_subset_table(built.contents))
    _print_absent(built.absent)
    for slot, missing in built.shortfall.items():
        console.print(f"short   {slot}: {missing} queries fewer than the plan's quota")
    console.print(f"release     {built.folder}\nbuild hash  {built.build_hash}", soft_wrap=True)


def print_concepts(written: ConceptFiles, *, as_json: bool) -> None:
    """What was read of a Metathesaurus, and where it lies."""
    if as_json:
        counts = [dataclasses.asdict(count) for count in written.counts]
        _print_json({"folder": str(written.folder), "files": written.files, "stages": counts})
        return
    console.print(_stage_table(written.counts))
    notes = {what: n for count in written.counts for what, n in count.notes.items()}
    console.print(
        _table("Rows", ("what", "number"), [(what, f"{n:,}") for what, n in notes.items()])
    )
    console.print(f"{len(written.files)} files in {written.folder}", soft_wrap=True)


def print_checked(
    plan: Plan, inputs: Sequence[FileEntry], gate: GateTable, transforms: int, *, as_json: bool
) -> None:
    """What a plan reads and asks for, and what the licence gate leaves and takes."""
    size = sum(entry.bytes for entry in inputs)
    asked = {"-".join(filter(None, slot)): task.quota for slot, task in plan.quotas.items()}
    if as_json:
        names = [entry.path for entry in inputs]
        checked = {"plan": plan.name, "inputs": names, "bytes": size, "quotas": asked}
        _print_json({**checked, "gate": gate_json(gate)})
        return
    rows = [(entry.path, f"{entry.bytes:,}", entry.sha256[:12]) for entry in inputs]
    console.print(_table("Inputs", ("file", "bytes", "sha256"), rows))
    for title, head, taken in gate_rows(gate, plan.languages):
        wide_console.print(_table(title, head, taken))
    console.print(_table("Queries asked for", ("slot", "quota"), asked.items()))
    console.print(
        f"plan {plan.name} {plan.version}: {len(inputs)} files, {size:,} bytes, "
        f"languages {' '.join(plan.languages)}, graph of {transforms} transforms; nothing was run"
    )


def print_described(release: Path, *, as_json: bool) -> None:
    """What a release contains, by its manifest and its files."""
    manifest = read_manifest(release)
    tiers = tuple(part.name for part in sorted((release / "data/concepts/queries").glob("*")))
    contents = read_contents(release, manifest["languages"], tiers)
    if as_json:
        keys = ("name", "version", "profile", "umls_release", "build_hash")
        identity = {key: manifest[key] for key in keys}
        _print_json({**identity, **_summary(contents, manifest["absent"])})
        return
    console.print(f"{manifest['title']} {manifest['version']}, profile {manifest['profile']}")
    console.print(_subset_table(contents))
    _print_absent(manifest["absent"])
    console.print(f"build hash  {manifest['build_hash']}")


def print_evidence(readers: Sequence[str], seen: Seen, *, as_json: bool) -> None:
    """What readers see in files of evidence."""
    if as_json:
        _print_json(evidence_json(readers, seen))
        return
    for title, head, rows in evidence_sheets(seen):
        console.print(_table(title, head, rows))
    console.print(f"{seen.records:,} records in {seen.units:,} units, read by {', '.join(readers)}")


def print_retrieved(counts: Mapping[str, Any], folder: Path) -> None:
    """How many queries of each subset were answered, and where the runs are."""
    console.print(_table("Queries answered", ("subset", "queries"), counts.items()))
    console.print(f"runs  {folder}", soft_wrap=True)


def read_manifest(release: Path) -> dict[str, Any]:
    """The manifest of a release; raises where there is none."""
    path = release / "manifest.json"
    if not path.is_file():
        raise PlanError(f"{release}: no manifest.json; name the folder of a release")
    try:
        manifest: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ReleaseError(f"{path}: not JSON ({error}); build the release again") from error
    return manifest


def _summary(contents: Contents, absent: Mapping[str, str]) -> dict[str, Any]:
    return {
        "queries": {entry.subset.name: entry.queries for entry in contents.subsets},
        "parallel_core": {entry.subset.name: entry.parallel_core for entry in contents.subsets},
        "documents": dict(contents.documents),
        "absent": dict(absent),
    }


def _stage_table(counts: Iterable[StageCount]) -> Table:
    rows = (
        (count.stage, f"{count.taken:,}", f"{count.given:,}", _reasons(count.rejected))
        for count in counts
    )
    return _table("Stages", ("stage", "in", "out", "left out, by reason"), rows)


def _subset_table(contents: Contents) -> Table:
    """A row for each task and tier, a column for each language."""
    present = {entry.subset.language for entry in contents.subsets}
    languages = [language for language in LANGUAGES if language in present]
    counts: dict[str, dict[str, int]] = {}
    for entry in contents.subsets:
        row = "-".join(filter(None, (entry.subset.task, entry.subset.tier)))
        counts.setdefault(row, {})[entry.subset.language] = entry.queries
    rows = (
        (name, *(str(of_language.get(language, 0)) for language in languages))
        for name, of_language in counts.items()
    )
    return _table("Queries released", ("subset", *languages), rows)


def _print_absent(absent: Mapping[str, str]) -> None:
    for name, reason in absent.items():
        console.print(f"absent  {name}: {reason}", soft_wrap=True)


def _reasons(rejected: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {number:,}" for reason, number in sorted(rejected.items()))


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for place, name in enumerate(head):
        table.add_column(name, justify="left" if place in (0, len(head) - 1) else "right")
    for row in rows:
        table.add_row(*(str(value) for value in row))
    return table


def _print_json(value: Mapping[str, Any]) -> None:
    console.print_json(json.dumps(value, ensure_ascii=False), indent=2)
