"""Sections of the card that people write by hand: kept beside the plan, put into every card."""

import re

from pipeline.release.amending import BEFORE
from pipeline.release.layout import ReleaseError

_HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
_SECTION = 2


def with_notes(card: str, notes: str, where: str) -> str:
    """The card with the sections of `notes` before the one that says how it is used.

    Args:
        card: What the release says by itself.
        notes: Markdown whose sections begin with ``## Title``; "" for none.
        where: The file they come from, for errors.

    Raises:
        ReleaseError: It begins with no section, or a section has a title that the card has itself.
    """
    if not notes.strip():
        return card
    taken = {title for level, title in _headings(card) if level == _SECTION}
    for level, title in _headings(notes):
        if level < _SECTION:
            raise ReleaseError(f"{where}: “# {title}”: the card has its title; begin with ##")
        if level == _SECTION and title in taken:
            raise ReleaseError(f"{where}: “## {title}” is a section of the card itself; rename it")
    if not notes.lstrip().startswith("## "):
        raise ReleaseError(f"{where}: text before the first section; begin with “## Title”")
    before, use, after = card.partition(BEFORE)
    return f"{before}{notes.strip()}\n\n{use}{after}"


def _headings(text: str) -> list[tuple[int, str]]:
    return [(len(marks), title.strip()) for marks, title in _HEADING.findall(_without_code(text))]


def _without_code(text: str) -> str:
    """A comment of a shell script in a code block is no heading."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
