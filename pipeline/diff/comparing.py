"""Two releases side by side, and the step of the version that the differences ask for.

The rules are those of semantic versions, said of data by what happens to published scores:

- **changed** (major): rows of a table that both have differ, were removed or were added, or a
  subset is gone; a score of the old release is none of the new;
- **added** (minor): only subsets that the old one has not; every old score still holds;
- **repackaged** (patch): the same rows in other bytes, another card, other notices or verdicts.

Before 1.0.0, where anything may change, a change asks for a minor step at least.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.diff.rows import TableDiff, compare_tables, tables_in
from pipeline.release.told import read_told

CHANGED, ADDED, REPACKAGED, SAME = "changed", "added", "repackaged", "the same"
_NUMBERS = re.compile(r"(\d+)\.(\d+)\.(\d+)")
# What the manifest says of how a release was made, besides its plan.
_TOLD = ("profile", "umls_release", "seed", "languages", "software")


@dataclass(frozen=True, slots=True)
class Diff:
    """What differs, what it amounts to, and the least version that may bear it."""

    old_version: str
    new_version: str
    tables: tuple[TableDiff, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    files: tuple[str, ...]
    told: Mapping[str, tuple[Any, Any]]

    @property
    def kind(self) -> str:
        """The heaviest difference."""
        if self.gone or any(not table.is_same for table in self.tables):
            return CHANGED
        if self.new:
            return ADDED
        return REPACKAGED if self.files else SAME

    @property
    def least_version(self) -> str:
        """The least version that the newer release may bear."""
        return stepped(self.old_version, self.kind)

    @property
    def is_right(self) -> bool:
        """Whether the newer version says what happened."""
        if self.kind == SAME:
            return True
        return _numbers(self.new_version) >= _numbers(self.least_version)


def compare(old: Path, new: Path) -> Diff:
    """Compare two releases.

    Raises:
        ReleaseError: One of them has no manifest, or a table that cannot be read.
    """
    manifests = read_told(old, ("version", "files")), read_told(new, ("version", "files"))
    was, now = tables_in(old), tables_in(new)
    both = [folder for folder in was if folder in now]
    hashes = [
        {entry["path"]: entry["sha256"] for entry in manifest["files"]} for manifest in manifests
    ]
    other = {path for path, _ in set(hashes[0].items()) ^ set(hashes[1].items())}
    return Diff(
        manifests[0]["version"],
        manifests[1]["version"],
        tuple(compare_tables(folder, old, new) for folder in both),
        gone=tuple(folder for folder in was if folder not in now),
        new=tuple(folder for folder in now if folder not in was),
        files=tuple(sorted(other)),
        told=_told(*manifests),
    )


def stepped(version: str, kind: str) -> str:
    """The next version after a difference of a kind; the same where there is none."""
    major, minor, patch = _numbers(version)
    if kind == SAME:
        return version
    if kind == REPACKAGED:
        return f"{major}.{minor}.{patch + 1}"
    if kind == ADDED or major == 0:
        return f"{major}.{minor + 1}.0"
    return f"{major + 1}.0.0"


def _numbers(version: str) -> tuple[int, ...]:
    found = _NUMBERS.match(version)
    return tuple(map(int, found.groups())) if found else (0, 0, 0)


def _told(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """What the manifests say of how both were made, where they say different things."""
    lines = [set(str(manifest.get("plan", "")).splitlines()) for manifest in (old, new)]
    plan = sorted(lines[0] - lines[1]), sorted(lines[1] - lines[0])
    said = {name: (old.get(name), new.get(name)) for name in _TOLD}
    inputs = [
        {entry["name"]: entry["sha256"] for entry in manifest.get("inputs", [])}
        for manifest in (old, new)
    ]
    told = {"plan": plan, **said, "inputs": (inputs[0], inputs[1])}
    return {name: pair for name, pair in told.items() if pair[0] != pair[1]}
