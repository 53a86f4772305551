"""Whether a release is what its manifest and its certificate say."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from splits.audit.certificate import audit
from splits.audit.contract import contract_faults
from splits.audit.reading import AuditError

MANIFEST = "manifest.json"
CERTIFICATE = "overlap.json"


def verify(root: Path) -> list[str]:
    """Everything that is wrong with the release at `root`; empty when all is well."""
    problems = list(_manifest_faults(root))
    try:
        return [*problems, *contract_faults(root), *_certificate_faults(root)]
    except AuditError as error:
        return [*problems, str(error)]


def build_hash(hashes: Mapping[str, str]) -> str:
    """One hash for the data, verdicts and certificate of a release, from each path's SHA-256.

    It is the SHA-256 of what ``sha256sum`` prints for all Parquet files and ``overlap.json`` in
    order of their paths. The card names this hash, so it cannot be among them.
    """
    counted = [path for path in sorted(hashes) if path.endswith(".parquet") or path == CERTIFICATE]
    lines = "".join(f"{hashes[path]}  {path}\n" for path in counted)
    return hashlib.sha256(lines.encode()).hexdigest()


def _manifest_faults(root: Path) -> Iterator[str]:
    manifest, fault = _load(root, MANIFEST)
    if fault:
        yield fault
        return
    entries = {str(entry.get("path")): entry for entry in manifest.get("files", [])}
    for path in sorted(entries):
        yield from _file_faults(root, path, entries[path])
    for path in sorted(_files(root) - entries.keys() - {MANIFEST}):
        yield f"{path}: not in {MANIFEST}; it is no part of the release"
    expected = build_hash({path: str(entry.get("sha256")) for path, entry in entries.items()})
    if manifest.get("build_hash") != expected:
        yield f"{MANIFEST}: build_hash is not that of the files it lists, {expected}"


def _load(root: Path, name: str) -> tuple[dict[str, Any], str]:
    """A JSON object of the release, and what is wrong with it, if anything."""
    try:
        loaded = json.loads((root / name).read_text("utf-8"))
    except FileNotFoundError:
        return {}, f"{name}: missing; the release is not whole"
    except ValueError as error:
        return {}, f"{name}: not JSON ({error})"
    if not isinstance(loaded, dict):
        return {}, f"{name}: not a JSON object"
    return loaded, ""


def _files(root: Path) -> set[str]:
    """All files but hidden ones, which downloads leave behind."""
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return {
        path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts)
    }


def _file_faults(root: Path, path: str, entry: Mapping[str, Any]) -> Iterator[str]:
    file = root / path
    if not file.is_file():
        yield f"{path}: listed in {MANIFEST}, but not there"
        return
    with file.open("rb") as handle:
        found = hashlib.file_digest(handle, "sha256").hexdigest()
    if entry.get("sha256") != found:
        yield f"{path}: sha256 is {found}, {MANIFEST} says {entry.get('sha256')}"
    if entry.get("bytes") != file.stat().st_size:
        yield f"{path}: {file.stat().st_size} bytes, {MANIFEST} says {entry.get('bytes')}"
    if file.suffix == ".parquet":
        yield from _row_count_faults(file, path, entry)


def _row_count_faults(file: Path, path: str, entry: Mapping[str, Any]) -> Iterator[str]:
    try:
        rows = pq.read_metadata(file).num_rows
    except (pa.ArrowException, OSError) as error:
        yield f"{path}: not a readable Parquet file ({error})"
        return
    if entry.get("rows") != rows:
        yield f"{path}: {rows} rows, {MANIFEST} says {entry.get('rows')}"
    if not rows:
        yield f"{path}: no rows; an empty table must be absent"


def _certificate_faults(root: Path) -> Iterator[str]:
    recomputed = audit(root)
    yield from recomputed["faults"]
    stored, fault = _load(root, CERTIFICATE)
    if fault:
        yield fault
        return
    for where in _differences(stored, json.loads(json.dumps(recomputed))):
        yield f"{CERTIFICATE}: {where} is not what the released files give"


def _differences(stored: object, recomputed: object, where: str = "") -> Iterable[str]:
    """The paths at which two JSON values differ, as deep as both are objects."""
    if isinstance(stored, dict) and isinstance(recomputed, dict):
        for key in sorted(stored.keys() | recomputed.keys()):
            below = f"{where}.{key}" if where else key
            yield from _differences(stored.get(key), recomputed.get(key), below)
    elif stored != recomputed:
        yield where
