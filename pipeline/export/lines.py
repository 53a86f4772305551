"""One line a row, whatever stands in the texts."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

# What some reader of lines or of tab-separated fields takes for an end.
_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
# JSON lets these stand in a string, and str.splitlines() breaks a line at them.
_ESCAPES = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_LOOSE = str.maketrans(_ESCAPES)


def json_line(row: Mapping[str, object]) -> str:
    """A row as JSON on a line of its own; the text comes back as it was."""
    return json.dumps(row, ensure_ascii=False).translate(_LOOSE) + "\n"


def tab_line(*fields: object) -> str:
    """Fields between tabs; a run of tabs, line breaks or control characters becomes one blank."""
    return "\t".join(_BREAKS.sub(" ", str(field)).strip() for field in fields) + "\n"


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines that end themselves, in UTF-8, with no byte changed on any system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)
