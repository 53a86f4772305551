"""A release of the profile ids that shows what it must not, or says it wrongly, is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import audited_release as audited
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from splits.audit import verify
from splits.audit.tables import kind_of
from splits.audit.withheld import COLUMNS

SHARD = "test-00000-of-00001.parquet"
NAMES = f"data/concepts/corpus/{SHARD}"
ASKED = f"data/concepts/queries/hard/de/{SHARD}"
VERDICTS = "quality/verdicts/de.parquet"
HASH = "0" * 64
HELD = {"text": "[C0000003 A0000007]", "aui": "A0000007", "text_sha256": HASH}
NATIVE = {"text": "[C0000003 A0000008]", "aui": "A0000008", "text_sha256": HASH}

Row = dict[str, Any]


def rewrite(path: Path, kind: str, change: Callable[[Row], Row]) -> None:
    """Write a table with the columns that it has under the profile ids."""
    table = pq.read_table(path, partitioning=None)
    schema = table.schema
    for name, column in COLUMNS[kind].items():
        if name not in schema.names:
            schema = schema.append(pa.field(name, column, nullable=False))
    blank = {name: 0 if name == "full_srl" else "" for name in COLUMNS[kind]}
    rows = [change(row | {**blank, **row}) for row in table.to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, schema), path)


def put(row_id: str, values: Row) -> Callable[[Row], Row]:
    """Put values into the rows of an id."""
    return lambda row: row | values if next(iter(row.values())) == row_id else row


@pytest.fixture
def withheld(tmp_path: Path) -> Path:
    """A gold's name, and the German query for it, are of a source of level 3."""
    root = Path(audited.seal(audited.write(tmp_path / "release", audited.small_release())))
    for path in sorted(root.rglob("*.parquet")):
        name = path.relative_to(root).as_posix()
        if (kind := kind_of(name)) in COLUMNS:
            rewrite(path, kind, dict)
    named = {"source": "MDR", "licence": "UMLS SRL 3"}
    rewrite(root / NAMES, "corpus", put("concept-C0000003", HELD | named))
    for language in ("de", "en"):
        sabs = {"sabs": ["MDR"], "full_srl": 3}
        path = root / f"data/concepts/queries/hard/{language}/{SHARD}"
        values = {**sabs, **NATIVE, "origin": "umls", "back_translation": ""}
        rewrite(path, "queries", put("concepts-1", values if language == "de" else sabs))
    shown = {"text": NATIVE["text"], "origin": "umls", "back_translation": ""}
    rewrite(root / VERDICTS, "verdicts", put("concepts-1", NATIVE | shown))
    said = audited.fields(root)
    plan = said["plan"].replace("[umls]", "[umls]\nmax_srl = 3") + '\n# --set profile="ids"'
    said |= {"profile": "ids", "plan": plan, "sources": {"MSH": 0, "MDR": 3}}
    audited.reseal(root, said)
    return Path(audited.doctored(root, lambda _: None))


def test_a_release_that_withholds_what_it_must_is_whole(withheld: Path) -> None:
    assert verify(withheld) == []


@pytest.mark.parametrize(
    ("file", "row", "values", "words"),
    [
        (NAMES, "concept-C0000003", {"text": "mite plague"}, "shows the text that is to be"),
        (
            *(NAMES, "concept-C0000003", {"text": "mite plague", "aui": "", "text_sha256": ""}),
            "shows a name under UMLS SRL 3",
        ),
        (NAMES, "concept-C0000004", {"aui": "A0000001"}, "an AUI without the hash of its text"),
        (NAMES, "concept-C0000003", {"text_sha256": "17"}, "text_sha256 is no SHA-256"),
        (ASKED, "concepts-1", {"text": "Krätze"}, "shows the text that is to be withheld"),
        (ASKED, "concepts-1", {"max_srl": 3}, "restriction level 3 of what it shows"),
        (ASKED, "concepts-1", {"full_srl": 0}, "restriction level 0, but manifest.json gives MDR"),
        (ASKED, "concepts-1", {"full_srl": 9}, "restriction level 9; the profile and plan allow 3"),
    ],
)
def test_what_is_shown_or_said_wrongly_is_found(
    file: str, row: str, values: Row, words: str, withheld: Path
) -> None:
    kind = kind_of(file)
    audited.doctored(withheld, lambda root: rewrite(root / file, kind, put(row, values)))
    faults = [fault for fault in verify(withheld) if fault.startswith(f"{file} {row}: ")]
    assert any(words in fault for fault in faults), faults


@pytest.mark.parametrize("profile", ["open", "ids"])
def test_the_columns_are_those_of_the_profile(profile: str, withheld: Path) -> None:
    def spoil(root: Path) -> None:
        if profile == "ids":
            table = pq.read_table(root / NAMES, partitioning=None)
            pq.write_table(table.drop_columns(["aui"]), root / NAMES)

    said = audited.fields(withheld) | {"sources": {"MSH": 0, "MDR": 3}}
    if profile == "ids":
        said |= {"profile": "ids", "plan": said["plan"] + '\n# --set profile="ids"'}
    spoil(withheld)
    audited.reseal(withheld, said)
    words = f"{NAMES}: " + ("no column aui" if profile == "ids" else "column aui is none")
    assert any(fault.startswith(words) for fault in verify(withheld))
