"""What a manifest says of its release, believed only where it has the right shape."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from splits.audit.shapes import Fields, ListOf, MapOf, Shape, Text, misfits

MANIFEST = "manifest.json"
REMEDY = "fetch the release again, or build it again"
LANGUAGES = ("en", "de", "es", "fr", "ja", "ru", "zh")
PROFILES = ("ids", "local", "open")
# What `mmed-bench build --set` appends to the text of the plan that it read.
CHANGE = "# --set "

_SHA256 = Text("[0-9a-f]{64}", "a SHA-256 in 64 hexadecimal digits")
_COUNTS = MapOf(int)
SHAPES: Mapping[str, Shape] = {
    "name": Text("[A-Za-z0-9_][A-Za-z0-9._-]*", "a name of letters, digits and . _ -"),
    "title": str,
    "version": Text(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?", "a semantic version"),
    "profile": Text("|".join(PROFILES), f"one of {', '.join(PROFILES)}"),
    "umls_release": str,
    "languages": ListOf(Text("|".join(LANGUAGES), f"one of {', '.join(LANGUAGES)}")),
    "seed": int,
    "plan": str,
    "shortfall": _COUNTS,
    "sources": MapOf(int),
    "software": MapOf(str),
    "inputs": ListOf(Fields({"name": str, "bytes": int, "sha256": _SHA256})),
    "counts": MapOf(Fields({"in": int, "out": int, "rejected": _COUNTS, "notes": _COUNTS})),
    "absent": MapOf(str),
    "files": ListOf(Fields({"path": str, "rows": int, "bytes": int, "sha256": _SHA256})),
    "build_hash": _SHA256,
    "manifest_hash": _SHA256,
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """The fields that could be believed; the others are empty, and told as faults."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    plan: Mapping[str, Any] = field(default_factory=dict)  # the plan's TOML, changes applied

    @property
    def files(self) -> list[Mapping[str, Any]]:
        """The files listed."""
        return list(self.fields.get("files", ()))

    @property
    def languages(self) -> tuple[str, ...]:
        """The release's languages."""
        return tuple(self.fields.get("languages", ()))

    def mapping(self, name: str) -> Mapping[str, Any]:
        """One of the fields that are objects."""
        found: Mapping[str, Any] = self.fields.get(name, {})
        return found


def read_manifest(root: Path) -> tuple[Manifest, list[str]]:
    """The manifest of the release at `root`, and everything that is wrong with it alone."""
    loaded, fault = load_object(root, MANIFEST)
    if fault:
        return Manifest(), [fault]
    faults = {key: list(misfits(loaded, Fields({key: shape}))) for key, shape in SHAPES.items()}
    sound = {key: loaded[key] for key, found in faults.items() if not found}
    told = [f"{MANIFEST}: {one}; {REMEDY}" for found in faults.values() for one in found]
    plan, unread = _read_plan(sound.get("plan"))
    rest = [*_seal_faults(loaded), *unread, *_plan_faults(sound, plan), *_language_faults(sound)]
    return Manifest(sound, plan), told + [f"{MANIFEST}: {one}" for one in rest]


def load_object(root: Path, name: str) -> tuple[dict[str, Any], str]:
    """A JSON object of the release, and what is wrong with it, if anything."""
    try:
        loaded = json.loads((root / name).read_text("utf-8"))
    except FileNotFoundError:
        return {}, f"{name}: missing; the release is not whole, {REMEDY}"
    except (ValueError, RecursionError, OSError) as error:
        return {}, f"{name}: not JSON in UTF-8 ({error}); {REMEDY}"
    if not isinstance(loaded, dict):
        return {}, f"{name}: not a JSON object; {REMEDY}"
    return loaded, ""


def manifest_hash(manifest: Mapping[str, Any]) -> str:
    """The SHA-256 of the manifest without this hash: compact JSON, keys sorted, in UTF-8."""
    rest = {key: value for key, value in manifest.items() if key != "manifest_hash"}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _seal_faults(loaded: Mapping[str, Any]) -> Iterator[str]:
    """What no file of the release repeats, such as the plan and the counts, is under one hash."""
    if loaded.get("manifest_hash") != (expected := manifest_hash(loaded)):
        yield f"manifest_hash is not that of what it says, {expected}; {REMEDY}"


def _read_plan(text: str | None) -> tuple[dict[str, Any], list[str]]:
    if text is None:
        return {}, []
    try:
        plan = tomllib.loads(text)
        for change in _changes(text):
            _apply(plan, change)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        return {}, [f"plan: not the TOML of a plan ({error}); {REMEDY}"]
    return plan, []


def _changes(text: str) -> list[str]:
    """The lines of changes at the end of the text, in the order in which they were given."""
    found: list[str] = []
    for line in reversed(text.split("\n")):
        if not line.startswith(CHANGE):
            break
        found.insert(0, line.removeprefix(CHANGE))
    return found


def _apply(plan: dict[str, Any], change: str) -> None:
    key, _, value = change.partition("=")
    *above, last = key.split(".")
    table: Any = plan
    for name in above:
        table = table[int(name)] if isinstance(table, list) else table.setdefault(name, {})
    table[int(last) if isinstance(table, list) else last] = _value(value)


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _plan_faults(sound: Mapping[str, Any], plan: Mapping[str, Any]) -> Iterator[str]:
    """Fields that the plan decides must be what the plan says."""
    if not plan:
        return
    umls = plan.get("umls")
    said = {key: plan.get(key) for key in ("name", "version", "profile", "languages", "seed")}
    said["umls_release"] = umls.get("release") if isinstance(umls, dict) else None
    for key, value in said.items():
        if key in sound and sound[key] != value:
            yield f"{key}: {sound[key]!r}, but its plan says {value!r}; {REMEDY}"


def _language_faults(sound: Mapping[str, Any]) -> Iterator[str]:
    languages = sound.get("languages")
    if languages is not None and ("en" not in languages or len(set(languages)) != len(languages)):
        yield f"languages: {languages} are not each once, with 'en' among them; {REMEDY}"
