"""Sections of a card that its release does not write by itself: people's notes and judgements."""

import re
from pathlib import Path

from pipeline.release.layout import CARD

_SECTION = re.compile(r"^## (?P<title>.+?)\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def other_sections(old: Path, new: Path) -> str:
    """The sections that one release's card has and the other's has not, in their order."""
    titles = {found["title"] for found in _SECTION.finditer((new / CARD).read_text("utf-8"))}
    sections = _SECTION.finditer((old / CARD).read_text("utf-8"))
    return "".join(found[0] for found in sections if found["title"] not in titles)
