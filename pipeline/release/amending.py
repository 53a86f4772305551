"""Adds to a finished release what people found out about it: a section of its card, and a file.

Data, verdicts and certificate stay as they are, and with them the build hash.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.release.layout import CARD, MANIFEST, ReleaseError
from pipeline.release.manifest import manifest_hash, to_json
from pipeline.release.told import read_told
from pipeline.release.writing import entry_of

BEFORE = "## Use\n"  # where a new section goes


def amend(  # noqa: PLR0913, PLR0917 - what is told, and where
    root: Path,
    title: str,
    section: str,
    path: str,
    content: Mapping[str, Any],
    pictures: Mapping[str, bytes] | None = None,
) -> None:
    """Put a section into the card, in the place of an older one of its title, and a JSON file.

    The manifest is written last and lists both, and the pictures by their paths, if any. Raises
    ReleaseError where the card is not the one that the manifest lists: what somebody changed by
    hand is not sealed unseen.
    """
    manifest = read_told(root, ("files",))
    listed = {entry["path"]: entry for entry in manifest["files"]}
    if listed.get(CARD) != entry_of(root, CARD).as_json():
        raise ReleaseError(f"{root / CARD}: not the card that {MANIFEST} lists; build it again")
    card = with_section((root / CARD).read_text("utf-8"), title, section)
    texts = {CARD: card, path: to_json(content)}
    written = {name: text.encode() for name, text in texts.items()} | dict(pictures or {})
    for name, told in written.items():
        _replace(root / name, told)
        listed[name] = entry_of(root, name).as_json()
    changed = {key: value for key, value in manifest.items() if key != "manifest_hash"}
    changed["files"] = [listed[name] for name in sorted(listed)]
    sealed = to_json(changed | {"manifest_hash": manifest_hash(changed)})
    _replace(root / MANIFEST, sealed.encode())


def with_section(card: str, title: str, section: str) -> str:
    """The card with the section: for one of the same title, or before how it is used, or last."""
    old = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    rest = old.sub("", card)
    before, use, after = rest.partition(BEFORE)
    opening = f"{before.rstrip()}\n\n{section.strip()}\n"
    return f"{opening}\n{use}{after}" if use else opening


def _replace(path: Path, told: bytes) -> None:
    """Write whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_bytes(told)
    temporary.replace(path)
