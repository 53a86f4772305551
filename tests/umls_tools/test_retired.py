import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.records import Reject
from umls_tools.files import TableFile
from umls_tools.retired import HISTORY_COLUMNS, histories, resolve, successors
from umls_tools.rrf import read_batches

Rows = Callable[..., pa.RecordBatch]


def reject(reason: str, detail: str = "") -> Reject:
    return Reject("retired", "C1", reason, detail)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["C1 SY C2"], [("C1", "C2")]),
        (["C1 SY C2", "C1 SY C2"], [("C1", "C2")]),
        (["C1 SY C2", "C1 RB C3", "C1 DEL -"], [("C1", "C2")]),
        (["C1 SY C1"], []),
        (["C1 SY C1", "C1 SY C2"], [("C1", "C2")]),
        (["C1 SY C3", "C1 SY C2"], [reject("several_successors", "C2 C3")]),
        (["C1 DEL -"], [reject("deleted")]),
        (["C1 SY -"], [reject("only_related")]),
        (["C1 RB C2"], [reject("only_related")]),
        (["C1 RO C2", "C1 RN C3"], [reject("only_related")]),
        (["C1 RO C2", "C1 DEL -"], [reject("deleted")]),
        (["C5 SY C2", "C1 SY C2"], [("C1", "C2"), ("C5", "C2")]),
    ],
)
def test_successors(rows: Rows, lines: list[str], expected: list[tuple[str, str] | Reject]) -> None:
    for order in itertools.permutations(lines):
        assert list(successors(rows(HISTORY_COLUMNS, line) for line in order)) == expected


@pytest.mark.parametrize(
    ("mapping", "expected"),
    [
        ({}, {}),
        ({"C1": "C2"}, {"C1": "C2"}),
        ({"C1": "C2", "C2": "C3", "C3": "C4"}, {"C1": "C4", "C2": "C4", "C3": "C4"}),
        ({"C1": "C2", "C2": "C1", "C3": "C1", "C5": "C4"}, {"C5": "C4"}),
        ({"C1": "C2", "C2": "C2"}, {"C1": "C2", "C2": "C2"}),
    ],
)
def test_chains_are_followed(mapping: dict[str, str], expected: dict[str, str]) -> None:
    assert resolve(mapping) == expected


def test_open_metathesaurus(openmeta_paths: dict[str, TableFile]) -> None:
    batches = read_batches(openmeta_paths["MRCUI"], HISTORY_COLUMNS)
    found = list(successors(batches))
    pairs = dict(fate for fate in found if isinstance(fate, tuple))
    reasons = Counter(fate.reason for fate in found if isinstance(fate, Reject))
    assert len(pairs) == 1301
    assert reasons == {"deleted": 353, "only_related": 1, "several_successors": 1}
    assert not resolve(pairs).keys() & set(resolve(pairs).values())


def test_what_changed_last_is_told_in_files_of_its_own(tmp_path: Path) -> None:
    rows = {
        "MRCUI.RRF": "C0000001|2025AA|SY|||C0000009|Y|\n",
        "CHANGE/MERGEDCUI.RRF": "C0000002|C0000009|\nC0000001|C0000009|\n",
        "CHANGE/DELETEDCUI.RRF": "C0000003|a name|\n",
    }
    (tmp_path / "CHANGE").mkdir()
    tables = {}
    for name, text in rows.items():
        (tmp_path / name).write_text(text, "utf-8")
        table = name.removesuffix(".RRF")
        tables[table] = TableFile(table, (str(tmp_path / name),))
    assert list(successors(histories(tables))) == [
        ("C0000001", "C0000009"),
        ("C0000002", "C0000009"),
        Reject("retired", "C0000003", "deleted"),
    ]
    assert list(histories({})) == []
