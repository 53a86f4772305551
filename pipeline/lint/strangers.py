"""Finds what does not belong into a release's folder and would be uploaded with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pipeline.lint.base import Check, Finding, Opened, is_hidden
from pipeline.lint.listing import is_unlisted

# What the Hub and its clients keep in a folder of their own, which is no part of the data.
OF_THE_HUB = (".gitattributes", ".git/", ".cache/huggingface/")


@dataclass(frozen=True)
class Strangers(Check):
    """No file that the manifest does not list, no hidden one, no link, no script, no empty folder.

    The datasets library no longer runs scripts and takes a folder with one for unsafe; a link
    uploads what it points at, wherever that is. The Hub's own hidden files may stay.
    """

    name: ClassVar[str] = "strangers"

    def find(self, release: Opened) -> Iterator[Finding]:
        """One finding for each file or folder."""
        for path in release.files:
            if why := _why(release, path):
                yield self.at(path, "", f"{why}; remove it")
        for folder in sorted(one for one in release.root.rglob("*") if one.is_dir()):
            if not any(folder.iterdir()):
                path = folder.relative_to(release.root).as_posix()
                yield self.at(path, "", "an empty folder; remove it")


def _why(release: Opened, path: str) -> str:
    if path.startswith(OF_THE_HUB):
        return ""
    if (release.root / path).is_symlink():
        return "a link to somewhere else"
    if is_hidden(path):
        return "a hidden file"
    if path.endswith((".py", ".pyc")):
        return "a script, which the datasets library refuses to run"
    return "not in manifest.json" if is_unlisted(release, path) else ""
