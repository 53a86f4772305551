"""Repeats a release from its own manifest, and says where the second differs from the first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.build import build, release_folder
from pipeline.inputs import find_inputs, measure_inputs
from pipeline.plan import Plan
from pipeline.plan_file import CHANGE, bundled_plans, plan_of
from pipeline.release.layout import MANIFEST, ReleaseError
from pipeline.release.manifest import is_hashed, software_versions
from pipeline.release.told import read_told
from pipeline.stages.running import Engine

_NEEDED = ("plan", "inputs", "files", "software", "build_hash")


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A release made again.

    `differing` are the files of the build hash (data, verdicts, rejects, certificate) that are not
    byte for byte the same, or not in both; `beside` the others, such as the card; `software` what
    is of another version now.
    """

    folder: Path
    build_hash: str
    expected_hash: str
    differing: tuple[str, ...]
    beside: tuple[str, ...]
    software: Mapping[str, tuple[str, str]]

    @property
    def is_same(self) -> bool:
        """Whether it is the same benchmark, byte for byte."""
        return self.build_hash == self.expected_hash and not self.differing


def rebuild(
    release: Path, output: Path, engine: Engine, changes: Sequence[str] = (), base: str = ""
) -> Rebuilt:
    """Build the plan of a release's manifest under `output`, and compare.

    Args:
        release: The folder of the release.
        output: Where the second goes; it must not be where the first is.
        engine: What runs it.
        changes: Values of the plan that are others here: where inputs lie.
        base: The folder that relative paths of the plan start from; the bundled plans' for a
            bundled plan, else the current one.

    Raises:
        ReleaseError: An input is not the one that the manifest lists, before anything is built.
    """
    manifest = read_told(release, _NEEDED)
    plan = plan_in(manifest, changes, base)
    found = tuple(_foreign_inputs(plan, manifest))
    if found:
        raise ReleaseError(f"{release}: cannot be repeated: {'; '.join(found)}")
    if release_folder(plan, output).resolve() == release.resolve():
        raise ReleaseError(f"{output}: the release itself lies there; name another --output")
    built = build(plan, output, engine)
    listed = [_hashes(read_told(built.folder, _NEEDED)), _hashes(manifest)]
    different = sorted(path for path, _ in set(listed[0].items()) ^ set(listed[1].items()))
    paths = dict.fromkeys(different)
    return Rebuilt(
        built.folder,
        built.build_hash,
        manifest["build_hash"],
        tuple(path for path in paths if is_hashed(path)),
        tuple(path for path in paths if not is_hashed(path)),
        dict(_other_software(manifest["software"])),
    )


def plan_in(manifest: Mapping[str, Any], changes: Sequence[str] = (), base: str = "") -> Plan:
    """The plan that a manifest holds, with the changes of its build and then `changes`."""
    text, *made = manifest["plan"].split(CHANGE)
    bundled = {path.read_text("utf-8"): path.parent for path in bundled_plans().values()}
    folder = Path(base) if base else bundled.get(text, Path())
    return plan_of(text, folder, [*made, *changes], f"the plan in {MANIFEST}")


def _foreign_inputs(plan: Plan, manifest: Mapping[str, Any]) -> Iterator[str]:
    expected = {entry["name"]: entry["sha256"] for entry in manifest["inputs"]}
    found = {entry.path: entry.sha256 for entry in measure_inputs(plan, find_inputs(plan))}
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            yield f"input {name} is not there"
        elif name not in expected:
            yield f"input {name} was not there before"
        elif found[name] != expected[name]:
            yield f"input {name} is another file, {found[name][:12]} and not {expected[name][:12]}"


def _hashes(manifest: Mapping[str, Any]) -> dict[str, str]:
    return {entry["path"]: entry["sha256"] for entry in manifest["files"]}


def _other_software(before: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    now = software_versions()
    for name in sorted(before.keys() | now.keys()):
        versions = before.get(name, "none"), now.get(name, "none")
        if versions[0] != versions[1]:
            yield name, versions
