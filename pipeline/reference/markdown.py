"""Markdown from plain values and docstrings."""

import inspect
import json
import re
from collections.abc import Iterable, Sequence

_DOUBLE_BACKTICKS = re.compile(r"``([^`]+)``")


def page(title: str, opening: str, sections: Iterable[str]) -> str:
    """A whole page; its first line warns off whoever would edit it by hand."""
    head = (
        f"<!-- Written by `make docs` from the code: change the code, not this page. -->\n# {title}"
    )
    return "\n\n".join([head, opening, *sections]) + "\n"


def prose(docstring: str | None) -> str:
    """A docstring as Markdown, its lines joined to paragraphs."""
    paragraphs = inspect.cleandoc(docstring or "").split("\n\n")
    return _DOUBLE_BACKTICKS.sub(r"`\1`", "\n\n".join(" ".join(p.split()) for p in paragraphs))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, without the columns in which no row has anything."""
    found = [list(row) for row in rows]
    kept = [place for place in range(len(head)) if any(row[place] for row in found)]
    lines = [[head[place] for place in kept], ["---"] * len(kept)]
    lines += [[_cell(row[place]) for place in kept] for row in found]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def literal(value: object) -> str:
    """A value as code, as TOML writes it."""
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
