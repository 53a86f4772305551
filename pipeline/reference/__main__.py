"""Writes the reference pages into a folder: python -m pipeline.reference FOLDER."""

import sys
from pathlib import Path

from pipeline.reference.pages import render_pages


def write_pages(folder: Path) -> None:
    """Write every page anew; what else lies in the folder stays."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in sorted(render_pages().items()):
        (folder / name).write_text(text, "utf-8")


def main() -> None:
    """Take the folder from the command line."""
    if len(sys.argv) != len(("program", "folder")):
        raise SystemExit("usage: python -m pipeline.reference FOLDER")
    write_pages(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
