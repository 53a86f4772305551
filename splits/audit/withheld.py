"""Whether a release of the profile `ids` shows ids where it may not show a text."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from splits.audit.manifest import REMEDY
from splits.audit.reading import Place, rows

PROFILE = "ids"
# The columns that its tables have more than those of other profiles.
COLUMNS: Mapping[str, Mapping[str, pa.DataType]] = {
    "corpus": {"aui": pa.string(), "text_sha256": pa.string()},
    "queries": {"aui": pa.string(), "text_sha256": pa.string(), "full_srl": pa.int8()},
    "verdicts": {"aui": pa.string(), "text_sha256": pa.string()},
}
_FREE = "UMLS SRL 0"
_PLACEHOLDER = re.compile(r"\[\S+ \S+\]")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_WITHHELD = ("_id", "text", "aui", "text_sha256")


def withheld_faults(root: Path, tasks: tuple[str, ...]) -> Iterator[str]:
    """Rows that show a text and its hash, a restricted name, or a level above 0."""
    for task in tasks:
        for place, row in rows(root, task, "queries", (*_WITHHELD, "max_srl")):
            yield from _row_faults(place, row)
            if row["max_srl"]:
                yield f"{place}: restriction level {row['max_srl']} of what it shows; {REMEDY}"
        is_named = task == "concepts"
        for place, row in rows(root, task, "corpus", (*_WITHHELD, "licence")):
            yield from _row_faults(place, row)
            if is_named and row["licence"] != _FREE and not row["text_sha256"]:
                yield f"{place}: shows a name under {row['licence']}; do not pass it on, {REMEDY}"


def _row_faults(place: Place, row: Mapping[str, str]) -> Iterator[str]:
    if not row["text_sha256"]:
        if row["aui"]:
            yield f"{place}: an AUI without the hash of its text; {REMEDY}"
        return
    if not _SHA256.fullmatch(row["text_sha256"]):
        yield f"{place}: text_sha256 is no SHA-256; {REMEDY}"
    if not _PLACEHOLDER.fullmatch(row["text"]):
        yield f"{place}: shows the text that is to be withheld; do not pass it on, {REMEDY}"
