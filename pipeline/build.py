"""A build from plan to release: inputs found, graph run, release finished, checked and put up."""

import dataclasses
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeline.inputs import find_inputs, measure_inputs, read_notes
from pipeline.plan import Plan
from pipeline.release.absent import explain_absent
from pipeline.release.amending import with_section
from pipeline.release.card import Identity, render_card
from pipeline.release.contents import Contents, list_files, read_contents, set_wordings
from pipeline.release.croissant import build_croissant
from pipeline.release.evaluation import render_eval_yaml
from pipeline.release.folder import commit, staged
from pipeline.release.judged import judged_section
from pipeline.release.layout import WORK, ReleaseError
from pipeline.release.licences import hub_licence, licence_text
from pipeline.release.manifest import (
    StageCount,
    build_hash,
    build_manifest,
    software_versions,
    to_json,
)
from pipeline.release.notes import with_notes
from pipeline.release.outside import outside_section, with_released
from pipeline.release.pictures import TITLE as PICTURES
from pipeline.release.pictures import pictures_section, write_pictures
from pipeline.release.provenance import date_published, provenance, usage
from pipeline.release.writing import FileEntry
from pipeline.scorer.pyz import write_pyz
from pipeline.settings import PlanError
from pipeline.stages.claims import read_claim
from pipeline.stages.general import read_general
from pipeline.stages.outside import read_outside
from pipeline.stages.running import Engine, run
from pipeline.stages.translation import tidy_cache
from splits.audit import audit, verify
from umls_tools.licence import Gate


@dataclass(frozen=True, slots=True)
class Built:
    """A finished release: where it is and what there is to say about it."""

    folder: Path
    counts: tuple[StageCount, ...]
    contents: Contents
    absent: Mapping[str, str]
    shortfall: Mapping[str, int]
    build_hash: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A release whose data stands, but not yet what describes it."""

    plan: Plan
    root: Path
    inputs: tuple[FileEntry, ...]
    counts: tuple[StageCount, ...]
    certificate: Mapping[str, Any]
    contents: Contents
    absent: Mapping[str, str]
    general: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    external: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    claimed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def release_folder(plan: Plan, output: Path) -> Path:
    """Where a plan's release goes under the output folder."""
    return output / plan.name / plan.version


def build(plan: Plan, output: Path, engine: Engine) -> Built:
    """Build the plan's release under `output`, whole or not at all.

    Raises ReleaseError when what was built may not be released, and the errors of the packages
    for inputs that cannot be used.
    """
    target = release_folder(plan, output)
    refuse_strangers(target)
    tidy_cache(plan.translation)
    inputs = find_inputs(plan)
    measured = tuple(measure_inputs(plan, inputs))
    with staged(target) as staging:
        (staging / WORK).mkdir()
        counts = run(plan, inputs.meta, inputs.units, str(staging), engine)
        general, outside = read_general(staging), read_outside(staging)
        claimed = read_claim(staging)
        shutil.rmtree(staging / WORK)
        made = _draft(plan, measured, staging, counts, inputs.meta.assembly.gate)
        external = with_released(outside, staging)
        draft = replace(made, general=general, external=external, claimed=claimed)
        digest = describe_release(draft)
        refuse_faults(verify(staging))
        commit(staging, target)
    tidy_cache(plan.translation)
    missing = shortfall(plan, draft.contents)
    return Built(target, draft.counts, draft.contents, draft.absent, missing, digest)


def shortfall(plan: Plan, contents: Contents) -> dict[str, int]:
    """What each task or tier lacks of its quota in the language in which it has most queries."""
    most: dict[tuple[str, str], int] = {}
    for entry in contents.subsets:
        slot = (entry.subset.task, entry.subset.tier)
        most[slot] = max(most.get(slot, 0), entry.queries)
    return {
        "-".join(filter(None, slot)): task.quota - most.get(slot, 0)
        for slot, task in sorted(plan.quotas.items())
        if task.quota > most.get(slot, 0)
    }


def _draft(
    plan: Plan,
    measured: tuple[FileEntry, ...],
    root: Path,
    counts: list[StageCount],
    gate: Gate,
) -> Draft:
    certificate = audit(root)
    if not certificate["passed"]:
        raise ReleaseError("the release does not pass its own certificate: " + _why(certificate))
    tiers = tuple(plan.tiers)
    contents = _with_levels(read_contents(root, plan.languages, tiers), gate)
    present = [entry.subset for entry in contents.subsets]
    absent = explain_absent(root, plan.languages, tiers, present)
    return Draft(plan, root, measured, tuple(counts), certificate, contents, absent)


def _with_levels(contents: Contents, gate: Gate) -> Contents:
    """The contents with each UMLS source at its own level, or that of an atom above it."""
    sabs = {sab: max(level, gate.levels[sab]) for sab, level in contents.sabs.items()}
    return dataclasses.replace(contents, sabs=sabs)


def describe_release(draft: Draft) -> str:
    """Write everything that stands beside the data, the manifest last; returns the build hash."""
    plan, root, contents = draft.plan, draft.root, draft.contents
    _write(root / "overlap.json", to_json(draft.certificate))
    digest = build_hash(list_files(root))
    identity = Identity(
        name=plan.name,
        title=plan.title,
        version=plan.version,
        profile=plan.profile,
        umls_release=plan.umls.release,
        languages=plan.languages,
        build_hash=digest,
    )
    notices = licence_text(plan.profile, contents.sabs, contents.licences, contents.engines)
    _write(root / "LICENSE.md", notices)
    card = render_card(identity, contents, draft.counts, draft.certificate, draft.absent)
    judged = judged_section(root, plan.filters)
    told = "\n".join(filter(None, [card, judged, outside_section(draft.external)]))
    if pictures := write_pictures(root, contents, draft.counts):
        told = with_section(told, PICTURES, pictures_section(pictures))
    _write(root / "README.md", with_notes(told, read_notes(plan), plan.notes))
    _write(root / "eval.yaml", render_eval_yaml(plan.title, contents.subsets))
    write_pyz(root / "scorer.pyz")
    _write(root / "croissant.json", to_json(_croissant(draft)))
    _write(root / "manifest.json", to_json(_manifest(draft)))
    return digest


def _croissant(draft: Draft) -> dict[str, Any]:
    plan, contents = draft.plan, draft.contents
    licence, _ = hub_licence(contents.engines, contents.licences)
    identity = {
        "name": plan.name,
        "description": f"{plan.title}: multilingual medical retrieval against English documents",
        "version": plan.version,
        "url": "https://arxiv.org/abs/2606.24200",
        "citeAs": "MMed-Bench-IR, arXiv 2606.24200",
        **usage(licence),
        **date_published(),
        **provenance(draft.inputs, software_versions()),
    }
    found = [entry.subset for entry in contents.subsets]
    return build_croissant(identity, list_files(draft.root), found)


def _manifest(draft: Draft) -> dict[str, Any]:
    plan = draft.plan
    identity = {
        "name": plan.name,
        "title": plan.title,
        "version": plan.version,
        "profile": plan.profile,
        "umls_release": plan.umls.release,
        "languages": list(plan.languages),
        "seed": plan.seed,
        "plan": plan.text,
        "shortfall": shortfall(plan, draft.contents),
        "general_concepts": draft.general,
        "set_wordings": _wordings(draft.contents),
        "external": draft.external,
        "claim": draft.claimed,
        "sources": dict(sorted(draft.contents.sabs.items())),
    }
    return build_manifest(
        identity, draft.inputs, list_files(draft.root), draft.counts, draft.absent
    )


def _wordings(contents: Contents) -> dict[str, dict[str, Any]]:
    """By language, what confusion sets are asked by: how many, and which share of them."""
    return {
        language: {
            kind: {"queries": number, "share": round(number / counts.total(), 4)}
            for kind, number in sorted(counts.items())
        }
        for language, counts in sorted(set_wordings(contents).items())
    }


def refuse_strangers(target: Path) -> None:
    """A release gives way to its next build; what is none stays."""
    is_release = (target / "manifest.json").is_file()
    is_empty = target.is_dir() and not target.is_symlink() and not any(target.iterdir())
    if not is_release and not is_empty and (target.exists() or target.is_symlink()):
        raise PlanError(
            f"{target}: something stands there that is no release; remove it or name another "
            "--output"
        )


def refuse_faults(faults: list[str]) -> None:
    """A release that does not verify appears nowhere."""
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise ReleaseError(f"the release does not verify: {faults[0]}{more}")


def _why(certificate: Mapping[str, Any]) -> str:
    faults = certificate.get("faults", [])
    return str(faults[0]) if faults else "see overlap.json"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
