"""A sheet is drawn by key, comes back as it went, and its figures are those of the formulas."""

import csv
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from qa_filters.audit.agreement import krippendorff, wilson
from qa_filters.audit.card import Standard, as_record, section
from qa_filters.audit.items import Item, choose_items, read_items
from qa_filters.audit.outcome import Accuracy, corrections, measure
from qa_filters.audit.page import as_json, as_text
from qa_filters.audit.sheet import COLUMNS, read_sheet, read_sheets, write_csv, write_xlsx
from qa_filters.base import FilterError

ITEMS = [
    Item(f"qa-{n}", "qa", "", language, f"=pain {n}?", f"- Schmerz {n}", f"pain {n}")
    for language in ("de", "fr")
    for n in range(10)
]
BY_ID = {item.item_id: item for item in ITEMS}


def write_release(folder: Path) -> Path:
    for task, tier in (("qa", ""), ("concepts", "hard"), ("concepts", "easy")):
        for language in ("en", "de"):
            rows = [
                {
                    "_id": f"{task}-{tier}{n}",
                    "text": f"{language} {n}",
                    "language": language,
                    "origin": "source" if language == "en" else ("umls" if n == 0 else "mt"),
                    "back_translation": "",
                }
                for n in range(6)
            ]
            path = folder / "data" / task / "queries" / tier / language / "test-0.parquet"
            path.parent.mkdir(parents=True)
            pq.write_table(pa.Table.from_pylist(rows), path)
    return folder


def test_items_are_the_machine_translations_with_their_english(tmp_path: Path) -> None:
    items = read_items(write_release(tmp_path))
    assert Counter((item.task, item.tier) for item in items) == {
        ("qa", ""): 5,
        ("concepts", "hard"): 5,
        ("concepts", "easy"): 5,
    }
    assert items[0].source_text.replace("en", "de") == items[0].text
    with pytest.raises(FilterError, match="no machine translation"):
        read_items(tmp_path / "nothing")


def test_a_sheet_is_drawn_from_each_stratum_whatever_the_order(tmp_path: Path) -> None:
    items = read_items(write_release(tmp_path))
    chosen = choose_items(items, 2, 0)
    assert Counter((item.task, item.tier) for item in chosen) == {
        ("qa", ""): 2,
        ("concepts", "hard"): 2,
        ("concepts", "easy"): 2,
    }
    assert choose_items(items[::-1], 2, 0) == chosen
    assert choose_items(items, 2, 1) != chosen
    assert len({item.item_id for item in items}) == len(items)


Fill = Callable[[dict[str, str]], dict[str, str]]


def fill(path: Path, say: Fill) -> Path:
    """Write the sheet as a rater would, by a function of the row."""
    write_csv(path, ITEMS)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [say(row) for row in csv.DictReader(file)]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def number_of(row: dict[str, str]) -> int:
    return int(row["translation"].split()[-1])


def test_planted_errors_and_disagreement_come_back_as_the_right_figures(tmp_path: Path) -> None:
    # Ten items in two languages. In German numbers 0 and 1 are wrong for all three raters, 2 for
    # one of them; in French one rater is unsure of all, the others call 0 wrong.
    def say(rater: str) -> Fill:
        def judge(row: dict[str, str]) -> dict[str, str]:
            n, german = number_of(row), row["language"] == "de"
            wrong = n < (3 if rater == "c" else 2) if german else n == 0
            unsure = not german and rater == "c"
            row["judgement"] = "unsure" if unsure else ("Wrong" if wrong else "right")
            if n == 0 and not unsure:
                row["correction"] = "Schmerzen" if rater != "c" else "Leiden"
            if n == 1 and german:
                row["correction"] = rater
            return row

        return judge

    sheets = [fill(tmp_path / f"{rater}.csv", say(rater)) for rater in "abc"]
    judgements = read_sheets(sheets, BY_ID)
    german, french, together = measure(judgements)
    assert (german.language, german.items, german.right, german.raters) == ("de", 10, 8, 3)
    assert (french.language, french.items, french.right, french.raters) == ("fr", 10, 9, 2)
    assert (together.language, together.items, together.right) == ("all", 20, 17)
    assert (german.low, german.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert french.alpha == 1.0
    # 30 values, 7 wrong; one item split two to one: 2 of 30 ordered pairs differ.
    assert german.alpha == pytest.approx(1 - 29 * 2 / (2 * 7 * 23))
    agreed, disputed = corrections(judgements)
    assert [(item.query_id, item.language, text) for item, text in agreed] == [
        ("qa-0", "de", "Schmerzen"),
        ("qa-0", "fr", "Schmerzen"),
    ]
    assert [(item.query_id, item.language) for item in disputed] == [("qa-1", "de")]
    assert "0.800" in as_text([german, french, together], len(agreed), disputed, Standard())
    assert '"right": 17' in as_json([german, french, together], len(agreed), disputed, Standard())


@pytest.mark.parametrize(
    ("items", "right", "status"),
    [
        (30, 30, "machine-translated and verified"),
        (30, 29, "machine-translated and verified"),
        (30, 28, "machine-translated; not shown to be 0.8 right or more"),
        (29, 29, "machine-translated; 29 judged, 30 needed"),
        (0, 0, "machine-translated; 0 judged, 30 needed"),
    ],
)
def test_a_language_is_verified_by_enough_rows_and_the_lower_end(
    items: int, right: int, status: str
) -> None:
    row = Accuracy("de", items, right, *wilson(right, items), 2, math.nan)
    assert Standard().status_of(row) == status
    assert f"| – | {status} |" in section([row], Standard(), 0, 0)
    assert as_record([row], Standard(), 0, 0)["languages"][0]["status"] == status


def test_a_standard_that_is_no_share_is_refused() -> None:
    with pytest.raises(FilterError, match=r"accuracy 80: expected a share"):
        Standard(min_accuracy=80)


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
def test_an_exported_sheet_is_read_back_and_an_empty_row_says_nothing(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    {".csv": write_csv, ".xlsx": write_xlsx}[path.suffix](path, ITEMS)
    assert read_sheet(path, BY_ID) == []
    with pytest.raises(FilterError, match="no row is judged in a"):
        read_sheets([path], BY_ID)


def test_a_spreadsheet_offers_the_choices_and_holds_no_formula(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    path = tmp_path / "a.xlsx"
    write_xlsx(path, ITEMS)
    book = load_workbook(path)
    sheet = book.worksheets[0]
    (choices,) = sheet.data_validations.dataValidation
    assert choices.formula1 == '"right,minor,wrong,unsure"'
    assert sheet["C2"].value == "=pain 0?"
    assert sheet["C2"].data_type == "s"
    sheet["F2"] = "minor"
    sheet["G2"] = "Schmerzen"
    book.save(path)
    (judgement,) = read_sheet(path, BY_ID)
    assert (judgement.rater, judgement.choice, judgement.correction) == ("a", "minor", "Schmerzen")


def test_semicolons_are_read_as_some_spreadsheets_write_them(tmp_path: Path) -> None:
    path = fill(tmp_path / "a.csv", lambda row: row | {"judgement": "right"})
    text = path.read_text("utf-8-sig")
    path.write_text(text.replace(",", ";"), "utf-8")
    assert len(read_sheet(path, BY_ID)) == len(ITEMS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item": "0"}, r"a\.csv:2: item '0' is not of this release"),
        ({"item": ITEMS[1].item_id, "translation": ITEMS[1].text, "source": ITEMS[1].source_text},
         r"a\.csv:3: item '\w+' stands here twice"),
        ({"translation": "Pein"}, r"a\.csv:2: source or translation was changed"),
        ({"judgement": "good"}, r"a\.csv:2: judgement 'good' is none of right, minor, wrong, uns"),
        ({"correction": "Pein"}, r"a\.csv:2: a correction needs the judgement minor or wrong"),
        ({"judgement": "wrong", "correction": "- Schmerz 0"}, r"a\.csv:2: the correction is the"),
        ({"judgement": "wrong", "correction": "a\tb"}, r"a\.csv:2: the correction holds a tab"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_the_number_of_its_row(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    def say(row: dict[str, str]) -> dict[str, str]:
        row["judgement"] = "right"
        return row | change if row["item"] == ITEMS[0].item_id else row

    with pytest.raises(FilterError, match=message):
        read_sheet(fill(tmp_path / "a.csv", say), BY_ID)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "the header must be item, language"),
        ("a.csv", b"\xff", "not UTF-8"),
        ("a.ods", b"", "ends in '.ods'; a sheet is .csv, .xlsx"),
        ("a.xlsx", b"x", "no spreadsheet"),
    ],
)
def test_what_is_no_sheet_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FilterError, match=message):
        read_sheet(path, BY_ID)


def test_raters_are_told_apart_by_their_files(tmp_path: Path) -> None:
    with pytest.raises(FilterError, match="two sheets named a; name each"):
        read_sheets([tmp_path / "a.csv", tmp_path / "a.xlsx"], BY_ID)


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17:857, 1998, table I
    ],
)
def test_wilson(successes: int, total: int, low: float, high: float) -> None:
    assert wilson(successes, total) == pytest.approx((low, high), abs=1e-4)


# Krippendorff, Computing Krippendorff's alpha-reliability, 2011, examples A and C.
TWO_RATERS = ["01", "11", "01", "00", "00", "01", "00", "00", "10", "00"]
FOUR_RATERS = [
    *("111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3"),
]


@pytest.mark.parametrize(
    ("units", "alpha"),
    [(TWO_RATERS, 0.095), (FOUR_RATERS, 0.743), (["ab"], 0.0), (["ab", "ab"], -0.5)],
)
def test_krippendorff(units: list[str], alpha: float) -> None:
    assert krippendorff([list(unit) for unit in units]) == pytest.approx(alpha, abs=5e-4)


@pytest.mark.parametrize("units", [[], ["a", "b"], ["aa", "aa"]])
def test_krippendorff_needs_pairs_and_variation(units: list[str]) -> None:
    assert math.isnan(krippendorff([list(unit) for unit in units]))
