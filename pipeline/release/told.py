"""A manifest as far as a command goes by it: its fields are there, and of the right shape."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pipeline.release.layout import MANIFEST, ReleaseError

REMEDY = "fetch the release again"
Test = Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_named_texts(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _matching(pattern: str) -> Test:
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


def _entries(*keys: str) -> Test:
    def test(value: object) -> bool:
        return isinstance(value, list) and all(
            isinstance(one, dict) and all(_is_text(one.get(key)) for key in keys) for one in value
        )

    return test


# Whether hashes are right is for `mmed-bench verify` to say; here they are only compared.
_FORMS: Mapping[str, tuple[Test, str]] = {
    "name": (_matching("[A-Za-z0-9_][A-Za-z0-9._-]*"), "a name of letters, digits and . _ -"),
    "version": (
        _matching(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"),
        "a semantic version",
    ),
    "languages": (_is_texts, "a list of strings"),
    **dict.fromkeys(
        ("umls_release", "build_hash", "profile", "plan"),
        (_is_text, "a string"),
    ),
    "software": (_is_named_texts, "an object of strings"),
    "inputs": (_entries("name", "sha256"), "a list of objects with name and sha256"),
    "files": (_entries("path", "sha256"), "a list of objects with path and sha256"),
}


def read_told(release: Path, needed: Iterable[str]) -> dict[str, Any]:
    """The manifest of a release.

    Raises:
        ReleaseError: There is none, it lacks a field that is needed, or one that commands go by
            has another shape.
    """
    path = release / MANIFEST
    told = _object(release, path)
    lacking = [name for name in needed if name not in told]
    if lacking:
        raise ReleaseError(f"{path}: no {', '.join(lacking)}; {REMEDY}")
    for name, (test, meaning) in _FORMS.items():
        if name in told and not test(told[name]):
            raise ReleaseError(f"{path}: {name} is not {meaning}; {REMEDY}")
    return told


def _object(release: Path, path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise ReleaseError(f"{release}: no {MANIFEST}; name the folder of a release")
    try:
        told = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"{path}: is no JSON ({error}); {REMEDY}") from error
    if not isinstance(told, dict):
        raise ReleaseError(f"{path}: is no JSON object; {REMEDY}")
    return told
