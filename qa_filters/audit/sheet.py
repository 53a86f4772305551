"""The sheet that a rater fills in, as .csv and .xlsx, and reading it back.

One row an item. A rater writes one of the choices into ``judgement`` and, if he can, a better
translation into ``correction``. What filters, engines and other raters said is not in the sheet.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa_filters.audit.items import Item
from qa_filters.base import FilterError

CHOICES = ("right", "minor", "wrong", "unsure")
"""Says the same; says it with a slip that misleads nobody; says something else; cannot tell."""

COLUMNS = (
    *("item", "language", "source", "translation", "back_translation"),
    *("judgement", "correction", "remark"),
)
WIDTHS = {"source": 50, "translation": 50, "back_translation": 50, "correction": 50, "remark": 30}
MOST_SHOWN = 20  # faults that a message lists
RISKY = ("=", "+", "-", "@")  # a spreadsheet would take such a text for a formula
SHIELD = "'"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one rater said of one item."""

    rater: str
    item: Item
    choice: str
    correction: str = ""


def write_csv(path: Path, items: Iterable[Item]) -> None:
    """Write the sheet as UTF-8 with a byte order mark, by which spreadsheets know it."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([_shield(value) for value in _row(item)] for item in items)


def write_xlsx(path: Path, items: Iterable[Item]) -> None:
    """Write the sheet with a list of the choices in every cell that asks for one."""
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.worksheet.datavalidation import DataValidation  # noqa: PLC0415

    book = Workbook()
    sheet = book.active
    sheet.title = "audit"
    sheet.append(COLUMNS)
    for item in items:
        sheet.append(_row(item))
        for cell in sheet[sheet.max_row]:
            cell.data_type = "s"  # never a formula
    for place, name in enumerate(COLUMNS):
        sheet.column_dimensions[chr(ord("A") + place)].width = WIDTHS.get(name, 12)
    choices = DataValidation(type="list", formula1=f'"{",".join(CHOICES)}"', allow_blank=True)
    choices.add(f"F2:F{max(2, sheet.max_row)}")
    sheet.add_data_validation(choices)
    sheet.freeze_panes = "A2"
    book.save(path)


def _row(item: Item) -> list[str]:
    shown = [item.item_id, item.language, item.source_text, item.text, item.back_translation]
    return [*shown, "", "", ""]


def _shield(value: str) -> str:
    return SHIELD + value if value.startswith(RISKY) else value


def _unshield(value: str) -> str:
    return value[1:] if value[:1] == SHIELD and value[1:2] in RISKY else value


def read_sheets(paths: Iterable[Path], items: Mapping[str, Item]) -> list[Judgement]:
    """What all raters said; raises FilterError where two sheets bear one rater's name."""
    ordered = sorted(paths)
    names = [path.stem for path in ordered]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FilterError(f"two sheets named {twice[0]}; name each sheet by its rater")
    judgements = [one for path in ordered for one in read_sheet(path, items)]
    if not judgements:
        raise FilterError(f"no row is judged in {', '.join(names)}; write into column judgement")
    return judgements


def read_sheet(path: Path, items: Mapping[str, Item]) -> list[Judgement]:
    """What a rater, named by the file, said of the items; rows left empty are left out.

    Raises FilterError with the numbers of all rows that make no sense, as a spreadsheet counts.
    """
    rows = _read_rows(path)
    if not rows or tuple(rows[0][: len(COLUMNS)]) != COLUMNS:
        raise FilterError(f"{path}:1: the header must be {', '.join(COLUMNS)}; export it again")
    faults: list[str] = []
    judged: dict[str, Judgement] = {}
    for number, cells in enumerate(rows[1:], start=2):
        if not any(cells):
            continue
        row = dict(zip(COLUMNS, cells, strict=False))
        fault = _fault(row, items, judged)
        if fault:
            faults.append(f"{path}:{number}: {fault}")
        elif row["judgement"]:
            judged[row["item"]] = _judgement(path.stem, row, items)
    if faults:
        more = [f"and {len(faults) - MOST_SHOWN} more"] if len(faults) > MOST_SHOWN else []
        raise FilterError("\n".join([*faults[:MOST_SHOWN], *more]))
    return list(judged.values())


def _judgement(rater: str, row: Mapping[str, str], items: Mapping[str, Item]) -> Judgement:
    return Judgement(rater, items[row["item"]], row["judgement"].lower(), row["correction"])


def _fault(row: Mapping[str, str], items: Mapping[str, Item], judged: Mapping[str, object]) -> str:
    """What is wrong with a row, or ""."""
    item = items.get(row["item"])
    if item is None:
        return f"item {row['item']!r} is not of this release; judge a sheet exported from it"
    if row["item"] in judged:
        return f"item {row['item']!r} stands here twice; delete one of the rows"
    if (row["source"], row["translation"]) != (item.source_text, item.text):
        return "source or translation was changed; put corrections into their own column"
    if row["judgement"].lower() not in ("", *CHOICES):
        return f"judgement {row['judgement']!r} is none of {', '.join(CHOICES)}"
    return _correction_fault(row, item)


def _correction_fault(row: Mapping[str, str], item: Item) -> str:
    correction = row["correction"]
    if correction and row["judgement"].lower() in ("", "right", "unsure"):
        return "a correction needs the judgement minor or wrong; write one, or delete it"
    if correction == item.text:
        return "the correction is the translation itself; write a better one, or none"
    if "\t" in correction or "\n" in correction:
        return "the correction holds a tab or a line break; write it on one line"
    return ""


def _read_rows(path: Path) -> list[list[str]]:
    """The cells of a file, without white space around them."""
    if path.suffix not in READERS:
        raise FilterError(f"{path}: ends in {path.suffix!r}; a sheet is {', '.join(READERS)}")
    rows = READERS[path.suffix](path)
    return [_padded([_unshield(cell.strip()) for cell in row]) for row in rows]


def _padded(cells: list[str]) -> list[str]:
    return cells + [""] * (len(COLUMNS) - len(cells)) if any(cells) else []


def _read_csv(path: Path) -> Sequence[Sequence[str]]:
    """Separated by commas or, as some spreadsheets save it, by semicolons."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FilterError(f"{path}: not UTF-8 ({error}); save the sheet as UTF-8") from error
    first = text.partition("\n")[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    return list(csv.reader(text.splitlines(keepends=True), delimiter=separator))


def _read_xlsx(path: Path) -> Sequence[Sequence[str]]:
    from zipfile import BadZipFile  # noqa: PLC0415

    from openpyxl import load_workbook  # noqa: PLC0415

    try:
        sheet = load_workbook(path, data_only=True).worksheets[0]
    except (BadZipFile, KeyError) as error:
        raise FilterError(f"{path}: no spreadsheet ({error}); save it as .xlsx or .csv") from error
    return [
        ["" if cell is None else str(cell) for cell in row]
        for row in sheet.iter_rows(values_only=True)
    ]


READERS = {".csv": _read_csv, ".xlsx": _read_xlsx}
