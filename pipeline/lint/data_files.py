"""The files that a card's configuration names."""

import re
from collections.abc import Iterator, Mapping
from fnmatch import translate
from typing import Any

import pyarrow.parquet as pq

from pipeline.lint.base import Opened
from pipeline.lint.front_matter import as_objects


def data_files(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each pattern with its split; without one, all files are `train` to the Hub."""
    stated = config.get("data_files")
    if isinstance(stated, str) or not as_objects(stated):
        yield from (("train", str(one)) for one in _many(stated))
    for entry in as_objects(stated):
        split = entry.get("split", "train")
        yield from ((str(split), str(one)) for one in _many(entry.get("path")))


def matching(release: Opened, pattern: str) -> list[str]:
    """The files that a pattern stands for; `*` stays within a folder, `**` does not."""
    parts = (re.escape(part) for part in pattern.split("**"))
    within = ".*".join(part.replace(r"\*", "[^/]*").replace(r"\?", "[^/]") for part in parts)
    whole = within if "[" not in pattern else translate(pattern)
    return [path for path in release.files if re.fullmatch(whole, path)]


def rows_of(release: Opened, config: Mapping[str, Any]) -> dict[str, int]:
    """How many rows a configuration has in each split, of files that can be read."""
    rows: dict[str, int] = {}
    for split, pattern in data_files(config):
        for path in matching(release, pattern):
            if path in release.parquet:
                found = pq.read_metadata(release.root / path).num_rows
                rows[split] = rows.get(split, 0) + found
    return rows


def _many(value: object) -> list[object]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if one]
