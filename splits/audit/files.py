"""Whether the files of a release are those that its manifest lists, and all that it must have."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from splits.audit.manifest import MANIFEST, REMEDY, Manifest, load_object

CERTIFICATE = "overlap.json"
REQUIRED = (
    *("LICENSE.md", "README.md", "croissant.json", "eval.yaml", CERTIFICATE),
    *("quality/report.html", "scorer.pyz"),
)


def build_hash(hashes: Mapping[str, str]) -> str:
    """One hash for the data, verdicts and certificate of a release, from each path's SHA-256.

    It is the SHA-256 of what ``sha256sum`` prints for all Parquet files and ``overlap.json`` in
    order of their paths. The card names this hash, so it cannot be among them.
    """
    counted = [path for path in sorted(hashes) if path.endswith(".parquet") or path == CERTIFICATE]
    lines = "".join(f"{hashes[path]}  {path}\n" for path in counted)
    return hashlib.sha256(lines.encode()).hexdigest()


def file_faults(root: Path, manifest: Manifest) -> Iterator[str]:
    """Files that are missing, too many, or not as listed."""
    yield from _missing(root)
    if "files" not in manifest.fields:
        return
    entries = {entry["path"]: entry for entry in manifest.files}
    listed = Counter(entry["path"] for entry in manifest.files)
    for path in sorted(entries):
        if listed[path] > 1:
            yield f"{MANIFEST}: lists {path} {listed[path]} times; {REMEDY}"
        if _is_within(path):
            yield from _entry_faults(root, path, entries[path])
        else:
            yield f"{MANIFEST}: lists {path!r}, which is no path within the release; {REMEDY}"
    for path in sorted(_files(root) - entries.keys() - {MANIFEST}):
        yield f"{path}: not in {MANIFEST}; it is no part of the release"
    expected = build_hash({path: entry["sha256"] for path, entry in entries.items()})
    if manifest.fields.get("build_hash", expected) != expected:
        yield f"{MANIFEST}: build_hash is not that of the files it lists, {expected}; {REMEDY}"


def _missing(root: Path) -> Iterator[str]:
    for name in REQUIRED:
        if not (root / name).is_file():
            yield f"{name}: missing; every release has one, {REMEDY}"
    if (root / "croissant.json").is_file():
        _, fault = load_object(root, "croissant.json")
        yield from [fault] if fault else []


def _is_within(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for any file
        return False


def _files(root: Path) -> set[str]:
    """All files but hidden ones, which downloads leave behind."""
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return {
        path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts)
    }


def _entry_faults(root: Path, path: str, entry: Mapping[str, Any]) -> Iterator[str]:
    file = root / path
    if not _is_file(file):
        yield f"{path}: listed in {MANIFEST}, but not there; {REMEDY}"
        return
    with file.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    found = {"sha256": digest, "bytes": file.stat().st_size, "rows": _rows(file)}
    for key, value in found.items():
        if value is not None and entry[key] != value:
            yield f"{path}: {key} is {value}, {MANIFEST} says {entry[key]}; {REMEDY}"
    if file.suffix == ".parquet" and found["rows"] == 0:
        yield f"{path}: no rows; an empty table must be absent, {REMEDY}"


def _rows(file: Path) -> int | None:
    """None for a table that cannot be read, which is a fault of its own."""
    if file.suffix != ".parquet":
        return 0
    try:
        return int(pq.read_metadata(file).num_rows)
    except (pa.ArrowException, OSError):
        return None
