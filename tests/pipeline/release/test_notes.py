"""Hand-written sections of the card."""

import pytest

from pipeline.release.layout import ReleaseError
from pipeline.release.notes import with_notes

CARD = "# Small 1.0.0\n\n## Subsets\n\nrows\n\n## Use\n\nlike this\n"
NOTES = "## Who checked it\n\nNobody.\n\n```sh\n# no heading\n```\n\n### How\n\nBy hand.\n"


def test_sections_stand_before_the_use_and_nothing_else_changes() -> None:
    made = with_notes(CARD, NOTES, "notes.md")
    assert made == CARD.replace("## Use\n", NOTES + "\n## Use\n")
    assert with_notes(CARD, " \n", "notes.md") == CARD


@pytest.mark.parametrize(
    ("notes", "reason"),
    [
        ("# A title\n\n## More\n", "begin with ##"),
        ("## Subsets\n\nmine\n", "is a section of the card itself"),
        ("free text\n\n## More\n", "text before the first section"),
    ],
)
def test_what_would_break_the_card_is_refused(notes: str, reason: str) -> None:
    with pytest.raises(ReleaseError, match=f"notes.md.*{reason}"):
        with_notes(CARD, notes, "notes.md")
