"""Carries what raters said into the release and into the translation memory."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.release.amending import amend
from pipeline.release.layout import AUDIT
from qa_filters.audit.card import TITLE, Standard, as_record, section
from qa_filters.audit.items import Item, read_items
from qa_filters.audit.outcome import Accuracy, corrections, measure
from qa_filters.audit.sheet import read_sheets
from translation.memory import Entry
from translation.memory_files import read_entries
from translation.memory_tables import write_tsv

HUMAN = "human"
SOURCE = "en"


@dataclass(frozen=True, slots=True)
class Audited:
    """Accuracies by language, corrections agreed on, and items on which raters are even."""

    rows: tuple[Accuracy, ...]
    agreed: tuple[tuple[Item, str], ...]
    disputed: tuple[Item, ...]


def read_audit(release: Path, sheets: Sequence[Path]) -> Audited:
    """What the sheets of all raters come to; raises FilterError for rows that make no sense."""
    judgements = read_sheets(sheets, {one.item_id: one for one in read_items(release)})
    agreed, disputed = corrections(judgements)
    return Audited(tuple(measure(judgements)), tuple(agreed), tuple(disputed))


def show_in_card(release: Path, audited: Audited, standard: Standard) -> None:
    """Write the figures into the release's card and into its audit file."""
    counts = (len(audited.agreed), len(audited.disputed))
    shown = section(audited.rows, standard, *counts)
    amend(release, TITLE, shown, AUDIT, as_record(audited.rows, standard, *counts))


def keep_corrections(path: Path, agreed: Iterable[tuple[Item, str]]) -> None:
    """Add corrections to a translation memory in a table, new or there already.

    An older human translation of the same text into the same language gives way; all else stays.
    """
    fresh = [_entry(item, text) for item, text in agreed]
    corrected = {_place(entry) for entry in fresh}
    old = read_entries(str(path)) if path.exists() else []
    kept = [one for one in old if one.engine != HUMAN or _place(one) not in corrected]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(write_tsv([*kept, *fresh]))


def _entry(item: Item, text: str) -> Entry:
    return Entry(item.source_text, SOURCE, item.language, text, "", HUMAN)


def _place(entry: Entry) -> tuple[str, str, str]:
    return entry.source, entry.target, entry.text
