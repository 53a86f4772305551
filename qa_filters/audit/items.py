"""The machine translations of a release, and a stratified draw of them for people to judge."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from pipeline.text import content_id, draw
from qa_filters.base import MACHINE, FilterError

SOURCE = "en"
COLUMNS = ["_id", "text", "language", "origin", "back_translation"]


@dataclass(frozen=True, slots=True)
class Item:
    """One translation to be judged.

    ``item_id`` is a hash, so that a rater sees neither the task nor the tier; ``text`` and
    ``source_text`` are what he sees.
    """

    query_id: str
    task: str
    tier: str  # "" but for confusion sets
    language: str
    source_text: str
    text: str
    back_translation: str

    @property
    def item_id(self) -> str:
        """Depends on what is judged, so that a sheet of another release is noticed."""
        return content_id("audit", self.query_id, self.language, self.source_text, self.text)


def read_items(release: Path) -> list[Item]:
    """All machine translations of a release whose English is in it too, in order.

    Raises FilterError where there is none.
    """
    data = release / "data"
    rows = [
        row for path in sorted(data.glob("*/queries/**/*.parquet")) for row in _rows_of(data, path)
    ]
    english = {row["_id"]: str(row["text"]) for row in rows if row["language"] == SOURCE}
    items = {
        Item(
            query_id=row["_id"],
            task=row["task"],
            tier=row["tier"],
            language=row["language"],
            source_text=english[row["_id"]],
            text=row["text"],
            back_translation=row["back_translation"],
        )
        for row in rows
        if row["origin"] == MACHINE and row["_id"] in english
    }
    if not items:
        raise FilterError(f"{release}: no machine translation; name the folder of a release")
    return sorted(items, key=lambda item: (item.language, item.task, item.tier, item.query_id))


def _rows_of(data: Path, path: Path) -> list[dict[str, str]]:
    """The rows of TASK/queries/[TIER/]LANGUAGE/SHARD.parquet."""
    task, _, *tier, _, _ = path.relative_to(data).parts
    rows: list[dict[str, str]] = pq.read_table(path, columns=COLUMNS, partitioning=None).to_pylist()
    return [row | {"task": task, "tier": "".join(tier)} for row in rows]


def choose_items(items: Iterable[Item], size: int, seed: int) -> list[Item]:
    """At most ``size`` of every language, task and tier, by key; mixed, so that none is guessed."""
    strata: dict[tuple[str, str, str], list[Item]] = defaultdict(list)
    for item in items:
        strata[item.language, item.task, item.tier].append(item)
    chosen = (
        item
        for stratum in sorted(strata)
        for item in sorted(strata[stratum], key=lambda item: _drawn(item, seed, "choose"))[:size]
    )
    return sorted(chosen, key=lambda item: (item.language, _drawn(item, seed, "mix")))


def _drawn(item: Item, seed: int, purpose: str) -> tuple[int, str]:
    return draw(seed, "audit", purpose, item.item_id), item.item_id
