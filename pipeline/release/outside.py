"""What lists of others have of a release, for its manifest and its card."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.release.reading import rows_in

_MEANING = {"drop": "left out", "flag": "kept, and named in `manifest.json`"}


def with_released(told: Mapping[str, Mapping[str, Any]], root: Path) -> dict[str, dict[str, Any]]:
    """What a build found, with those of the flagged queries alone that are released."""
    released = {query_id for query_id, _, _ in query_texts(root)} if told else set()
    return {
        name: {**one, "flagged": [query for query in one["flagged"] if query in released]}
        for name, one in sorted(told.items())
    }


def outside_section(told: Mapping[str, Mapping[str, Any]]) -> str:
    """The card's words on lists of others; none without lists."""
    if not told:
        return ""
    rows = "".join(
        f"| `{name}` | {one['items']} | {one['equal']} | {one['near']} | {_what(one)} |\n"
        for name, one in sorted(told.items())
    )
    return (
        "## Against other benchmarks and training data\n\nCandidate queries, as their sources word "
        "them, were compared with these lists: equal after\nnormalisation, or near duplicates.\n\n"
        "| list | items | queries equal | queries near | what became of them |\n"
        "| --- | --- | --- | --- | --- |\n" + rows
    )


def _what(one: Mapping[str, Any]) -> str:
    meaning = _MEANING[one["found"]]
    return f"{len(one['flagged'])} {meaning}" if one["flagged"] else meaning


def query_texts(root: Path) -> Iterator[tuple[str, str, str]]:
    """Id, language and text of every released query."""
    for path in sorted(root.glob("data/*/queries/**/*.parquet")):
        for row in rows_in(path, ("_id", "language", "text")):
            yield row["_id"], row["language"], row["text"]
