"""Write a Metathesaurus of a few rows; fields that are not given are empty."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from umls_tools.columns import COLUMNS

Rows = Iterable[Mapping[str, str]]


def write(folder: Path, **tables: Rows) -> Path:
    """Write each table, rows sorted as in a release; the three that must be there always are."""
    folder.mkdir(parents=True, exist_ok=True)
    for table in ("MRCONSO", "MRSTY", "MRSAB", *tables):
        columns = COLUMNS[table]
        lines = ["|".join(row.get(name, "") for name in columns) for row in tables.get(table, ())]
        text = "".join(f"{line}|\n" for line in sorted(lines))
        (folder / f"{table}.RRF").write_text(text, "utf-8")
    return folder


def source(sab: str, level: str) -> dict[str, str]:
    return {"RSAB": sab, "VSAB": f"{sab}_1", "SRL": level, "CURVER": "Y", "LAT": "ENG"}


def atom(cui: str, lat: str, sab: str, text: str, srl: str = "0", **more: str) -> dict[str, str]:
    """An atom of the level that is given, current unless it is said to be suppressed."""
    aui = f"A{sum(text.encode()) % 10**7:07d}"
    plain = {"TS": "P", "STT": "PF", "ISPREF": "Y", "TTY": "PT", "CODE": "NOCODE", "SUPPRESS": "N"}
    named = {"CUI": cui, "LAT": lat, "SAB": sab, "STR": text, "SRL": srl, "AUI": aui}
    return {**plain, **named, **more}


def definition(cui: str, sab: str, text: str) -> dict[str, str]:
    return {"CUI": cui, "SAB": sab, "DEF": text, "SUPPRESS": "N", "AUI": f"A{cui}"}


def relation(cui: str, kind: str, other: str, sab: str) -> dict[str, str]:
    return {"CUI1": cui, "REL": kind, "CUI2": other, "SAB": sab, "SL": sab, "SUPPRESS": "N"}


def semantic_type(cui: str, tui: str) -> dict[str, str]:
    return {"CUI": cui, "TUI": tui}
