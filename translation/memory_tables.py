"""Translation memories as TSV tables, for spreadsheets and for hands.

A header, the columns of ``TSV_COLUMNS`` and, or not, those of ``MORE_COLUMNS``, separated by tabs,
no quoting, UTF-8, one row a line.
"""

import math
from collections.abc import Iterable, Iterator

from translation.base import TranslationError
from translation.languages import language
from translation.memory import Entry

TSV_COLUMNS = (
    "source_language",
    "target_language",
    "text",
    "translation",
    "back_translation",
    "engine",
    "model",
    "revision",
)
MORE_COLUMNS = ("signature", "score", "flags")
"""What an engine's own entries need to serve it again; flags are parted by spaces."""

_MAY_BE_EMPTY = frozenset({"back_translation", "model", "revision", *MORE_COLUMNS})
SIDES = ("source", "target")
_BREAKING = ("\t", "\n", "\r")


def write_tsv(entries: Iterable[Entry]) -> bytes:
    """The table of the entries, with all columns, sorted."""
    rows = [_row(entry) for entry in sorted(entries, key=lambda entry: entry.table_order)]
    header = (*TSV_COLUMNS, *MORE_COLUMNS)
    return "".join("\t".join(row) + "\n" for row in (header, *rows)).encode()


def _row(entry: Entry) -> tuple[str, ...]:
    row = (
        *(entry.source, entry.target, entry.text, entry.translation, entry.back_translation),
        *(entry.engine, entry.model, entry.revision, entry.signature),
        *("" if math.isnan(entry.score) else repr(entry.score), " ".join(entry.flags)),
    )
    for value in row:
        if any(one in value for one in _BREAKING):
            raise TranslationError(f"{value!r}: a table holds no tab or line break; write .tmx")
    return row


def read_tsv(path: str, content: bytes) -> Iterator[Entry]:
    """Read a table; a damaged row is an error that names its line."""
    columns: tuple[str, ...] = ()
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        place = f"{path}:{number}"
        fields = _decode(place, line.removesuffix(b"\r")).split("\t")
        if number == 1:
            columns = _header(place, tuple(fields))
        elif fields != [""]:
            yield _parse(place, columns, fields)


def _header(place: str, fields: tuple[str, ...]) -> tuple[str, ...]:
    if fields not in (TSV_COLUMNS, (*TSV_COLUMNS, *MORE_COLUMNS)):
        more = ", ".join(MORE_COLUMNS)
        raise TranslationError(
            f"{place}: the header must be {', '.join(TSV_COLUMNS)}, then {more} or nothing"
        )
    return fields


def _decode(place: str, line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TranslationError(f"{place}: not UTF-8 ({error}); save the table as UTF-8") from error


def _parse(place: str, columns: tuple[str, ...], fields: list[str]) -> Entry:
    if len(fields) != len(columns):
        raise TranslationError(
            f"{place}: {len(fields)} fields, expected {len(columns)} separated by tabs"
        )
    row = dict(zip(columns, fields, strict=True))
    blank = [name for name in columns if name not in _MAY_BE_EMPTY and not row[name].strip()]
    # An engine's own output may be empty, and says so.
    if blank and not (blank == ["translation"] and row.get("flags")):
        raise TranslationError(f"{place}: {', '.join(blank)} must not be empty")
    try:
        source, target = (language(row.pop(f"{side}_language")).code for side in SIDES)
        score = float(row.pop("score", "") or "nan")
    except ValueError as error:
        raise TranslationError(f"{place}: {error}") from error
    flags = tuple(row.pop("flags", "").split())
    return Entry(source=source, target=target, score=score, flags=flags, **row)
