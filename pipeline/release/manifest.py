"""The manifest: what went in, what came out, and one hash over all that came out."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pipeline.release.writing import FileEntry

# Their versions can change a release's bytes or its content.
SOFTWARE = (
    "mmed-bench-ir",
    "apache-beam",
    "pyarrow",
    "numpy",
    "sacrebleu",
    "langdetect",
    "rapidfuzz",
    "transformers",
    "torch",
)


@dataclass(frozen=True, slots=True)
class StageCount:
    """What a stage took in, gave out and left out, by reason."""

    stage: str
    taken: int
    given: int
    rejected: Mapping[str, int]
    notes: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """For the manifest."""
        return {
            "in": self.taken,
            "out": self.given,
            "rejected": dict(sorted(self.rejected.items())),
            "notes": dict(sorted(self.notes.items())),
        }


def build_manifest(
    identity: Mapping[str, Any],
    inputs: Sequence[FileEntry],
    files: Sequence[FileEntry],
    counts: Sequence[StageCount],
    absent: Mapping[str, str],
) -> dict[str, Any]:
    """The manifest as JSON; `identity` is name, version, plan and whatever else names the build."""
    manifest = {
        **identity,
        "software": software_versions(),
        "inputs": [
            {"name": entry.path, "bytes": entry.bytes, "sha256": entry.sha256} for entry in inputs
        ],
        "counts": {count.stage: count.as_json() for count in counts},
        "absent": dict(sorted(absent.items())),
        "files": [entry.as_json() for entry in files],
        "build_hash": build_hash(files),
    }
    return {**manifest, "manifest_hash": manifest_hash(manifest)}


def manifest_hash(manifest: Mapping[str, Any]) -> str:
    """The SHA-256 of all that the manifest says, as compact JSON with sorted keys in UTF-8.

    Most of it, such as the plan and the counts, stands nowhere else in the release.
    """
    text = json.dumps(manifest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def build_hash(files: Iterable[FileEntry]) -> str:
    """The hash over what ``sha256sum`` prints for data, verdicts, rejects and certificate.

    Card, notices and scorer follow from these and from the software, so they are left out: a
    better worded card is the same benchmark.
    """
    lines = [
        f"{entry.sha256}  {entry.path}\n"
        for entry in sorted(files, key=lambda entry: entry.path)
        if is_hashed(entry.path)
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def is_hashed(path: str) -> bool:
    """Whether a file of a release counts for its build hash."""
    return path.endswith(".parquet") or path == "overlap.json"


def software_versions() -> dict[str, str]:
    """The versions of what had a hand in the build; what is not installed had none."""
    found = {"python": platform.python_version()}
    for name in SOFTWARE:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def to_json(value: Mapping[str, Any]) -> str:
    """JSON as the project writes it: sorted, indented, with a newline at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
