"""From a release of the profile `ids` and a META to the release of the profile `local`."""

import copy
import dataclasses
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.build import Draft, describe_release, refuse_faults, refuse_strangers
from pipeline.hydrate.finding import find_texts
from pipeline.hydrate.notes import other_sections
from pipeline.hydrate.restoring import Unrestored, restore_table
from pipeline.hydrate.wanted import tables_of, wanted_by
from pipeline.plan import Plan
from pipeline.plan_file import apply_change, parse_plan
from pipeline.release.contents import read_contents
from pipeline.release.folder import commit, staged
from pipeline.release.layout import MANIFEST, ReleaseError
from pipeline.release.manifest import StageCount
from pipeline.release.withheld import IDS
from pipeline.release.writing import FileEntry
from pipeline.settings import PlanError
from pipeline.stages.filesystems import open_file
from pipeline.stages.meta import find_tables
from splits.audit import audit, read_manifest, used_level, verify
from splits.audit.files import file_faults
from splits.audit.manifest import CHANGE, Manifest, load_object
from umls_tools.reading import Metathesaurus, assembly_of

LOCAL = "profile=local"


@dataclass(frozen=True, slots=True)
class Hydrated:
    """A release with its texts: where it is, how many were restored, what was not."""

    folder: Path
    texts: int
    unrestored: tuple[Unrestored, ...]
    build_hash: str


def hydrate(release: Path, umls: str, target: Path) -> Hydrated:
    """Write the `local` release that the same plan would have built, to `target`.

    The Parquet files are those of that build byte for byte, if every text was found. A row whose
    text was not found keeps its placeholder. Raises PlanError for what is no `ids` release, and
    ReleaseError for one that is not as its manifest says.
    """
    manifest = _manifest_of(release)
    refuse_strangers(target)
    tables = find_tables(umls)
    languages, level = manifest.languages, used_level(manifest)
    assembly = assembly_of(tables, languages, level, open_file)
    found = find_texts(wanted_by(release), Metathesaurus(tables, assembly, open_file))
    with staged(target) as staging:
        shutil.copytree(release, staging, dirs_exist_ok=True)
        (staging / MANIFEST).unlink()
        left = [
            one
            for table in tables_of(release)
            for one in restore_table(release, table, found, staging)
        ]
        digest = _describe(_draft(manifest, release, staging), release)
        refuse_faults(verify(staging))
        commit(staging, target)
    return Hydrated(target, len(found.texts), tuple(sorted(set(left))), digest)


def _describe(draft: Draft, release: Path) -> str:
    """Write what stands beside the data, with the sections that people added to the card."""
    digest = describe_release(draft)
    if notes := other_sections(release, draft.root):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "notes.md"
            path.write_text(notes, "utf-8")
            plan = dataclasses.replace(draft.plan, notes=str(path))
            describe_release(dataclasses.replace(draft, plan=plan))
    return digest


def _manifest_of(release: Path) -> Manifest:
    if not (release / MANIFEST).is_file():
        raise PlanError(f"{release}: no {MANIFEST}; name the folder of a release")
    manifest, faults = read_manifest(release)
    faults += file_faults(release, manifest)
    if faults:
        raise ReleaseError(f"{release}: {faults[0]}")
    if manifest.fields["profile"] != IDS:
        profile = manifest.fields["profile"]
        raise PlanError(f"{release}: profile {profile!r} withholds nothing; name one of {IDS!r}")
    return manifest


def _draft(manifest: Manifest, release: Path, root: Path) -> Draft:
    """What the release says of itself, but for its profile, and for what its files now say."""
    fields = manifest.fields
    more, _ = load_object(release, MANIFEST)  # what the audit has no rule for
    plan = _local_plan(manifest)
    contents = read_contents(root, plan.languages, tuple(plan.tiers))
    sabs = dict(manifest.mapping("sources"))
    return Draft(
        plan=plan,
        root=root,
        inputs=tuple(
            FileEntry(one["name"], 0, one["bytes"], one["sha256"]) for one in fields["inputs"]
        ),
        counts=tuple(_count(stage, one) for stage, one in fields["counts"].items()),
        certificate=audit(root),
        contents=dataclasses.replace(contents, sabs=sabs),
        absent=manifest.mapping("absent"),
        general=more.get("general_concepts", {}),
        external=more.get("external", {}),
        claimed=more.get("claim", {}),
    )


def _count(stage: str, said: dict[str, Any]) -> StageCount:
    return StageCount(stage, said["in"], said["out"], said["rejected"], said["notes"])


def _local_plan(manifest: Manifest) -> Plan:
    """The plan with one change more, as it would stand for a build that made it `local`."""
    tables = copy.deepcopy(dict(manifest.plan))
    apply_change(tables, LOCAL)
    plan = parse_plan(tables, Path(), f"{manifest.fields['plan']}\n{CHANGE}{LOCAL}")
    return dataclasses.replace(plan, notes="")  # the file is the builder's; its text is in the card
