"""What people wrote into a card outlives hydration."""

from pathlib import Path

from pipeline.hydrate.notes import other_sections

OWN = "---\nlicense: mit\n---\n# Small\n\n## Subsets\n\nSome.\n\n## Use\n\nLike this.\n"
NOTE = "## Who made it\n\nPeople.\n\n"


def test_sections_of_people_are_those_that_the_release_does_not_write(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, card in ((old, OWN.replace("## Use", NOTE + "## Use")), (new, OWN)):
        folder.mkdir()
        (folder / "README.md").write_text(card, "utf-8")
    assert other_sections(old, new) == NOTE
    assert other_sections(new, old) == ""
