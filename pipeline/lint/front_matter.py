"""The YAML at the head of a card, as the Hub reads it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from pipeline.lint.base import Opened

CARD = "README.md"
FENCE = "---\n"


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the card says of itself, with the text that says it; or why it cannot be read."""

    values: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    fault: str = ""

    @property
    def configs(self) -> list[Mapping[str, Any]]:
        """The configurations that are objects."""
        return as_objects(self.values.get("configs"))


def read_front_matter(release: Opened) -> FrontMatter:
    """The front matter of the card; a card that is missing or in another encoding has none."""
    try:
        card = (release.root / CARD).read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        return FrontMatter(fault=f"cannot be read as UTF-8 ({error}); write it again")
    if not card.startswith(FENCE) or (end := card.find("\n" + FENCE, len(FENCE) - 1)) < 0:
        return FrontMatter(fault="no YAML between --- lines from its first byte on; put it there")
    text = card[len(FENCE) : end + 1]
    try:
        values = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # of a date, of a long nesting
        return FrontMatter(fault=f"the front matter is not YAML ({_in_a_line(error)}); mend it")
    if not isinstance(values, dict):
        return FrontMatter(fault="the front matter has no keys; write it again")
    return FrontMatter(values, text)


def as_objects(value: object) -> list[Mapping[str, Any]]:
    """A list's objects, or the one object that stands for such a list."""
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict)]


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())
