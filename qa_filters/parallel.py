"""Reads parallel text that people wrote: TMX, term lists, and tables with one column a language.

A ``.tsv`` file has either the columns of a translation memory (``source_language``,
``target_language``, ``text``, ``translation``, perhaps ``back_translation`` and ``score``) or one
column a language, named by its code (``en``, ``de``, …), and perhaps ``id``. A ``.csv`` file is a
term list as TICO-19 has them. ``.tmx`` files hold two languages a unit. English is the source
throughout. ``MRCONSO.RRF`` holds the names of concepts; a folder may be named that has it.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from pipeline.records import LANGUAGES
from qa_filters.base import TERM, FilterError
from qa_filters.corruptions.base import Pair
from qa_filters.metathesaurus import TRADITIONAL, UNLIKE, read_mrconso

SOURCE = "en"
MEMORY_COLUMNS = {"source_language", "target_language", "text", "translation"}
TERM_COLUMNS = {"targetLang", "sourceString", "targetString"}
XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
NOTES = re.compile(r"\s*[(（][^)）]*[)）]\s*$")

# Documents whose translations stand beside the wrong sentences: in TICO-19's French they are
# shifted by several.
MISALIGNED = {"fr": ("PubMed_8:", "Wikinews_1:", "Wikinews_2:", "Wikinews_3:")}


@dataclass(frozen=True, slots=True)
class Parallel:
    """Pairs of one file in its own order, and how many were left out, by reason."""

    pairs: tuple[Pair, ...]
    left_out: dict[str, int]


def read_parallel(path: str) -> Parallel:
    """Read one file by its ending; raises FilterError where it is none of the kinds."""
    if Path(path).is_dir():
        path = str(Path(path) / "MRCONSO.RRF")
    ending = Path(path).suffix
    if ending not in READERS:
        raise FilterError(f"{path}: ends in {ending!r}; parallel text is {', '.join(READERS)}")
    kept: list[Pair] = []
    left_out: dict[str, int] = {}
    for pair in READERS[ending](path):
        reason = _unfit(pair)
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
        else:
            kept.append(pair)
    return Parallel(tuple(kept), left_out)


def _unfit(pair: Pair) -> str:
    """Why a pair can teach nothing, or ""."""
    if pair.language not in LANGUAGES or pair.language == SOURCE:
        return "language"
    if not pair.source_text or not pair.text:
        return "empty"
    if pair.pair_id.startswith(MISALIGNED.get(pair.language, ())):
        return "misaligned"
    if pair.kind in (UNLIKE, TRADITIONAL):
        return pair.kind
    return "not translated" if pair.kind != TERM and pair.text == pair.source_text else ""


def _read_tmx(path: str) -> Iterator[Pair]:
    try:
        tree = ElementTree.parse(path)
    except ElementTree.ParseError as error:
        raise FilterError(f"{path}: no TMX ({error}); mend the file or leave it out") from error
    for unit in tree.iter("tu"):
        texts = {
            (side.get(XML_LANGUAGE) or "")[:2].lower(): "".join(segment.itertext()).strip()
            for side in unit.iter("tuv")
            for segment in side.iter("seg")
        }
        source = texts.pop(SOURCE, "")
        for language, text in texts.items():
            yield Pair(unit.get("tuid") or source, source, text, language)


def _read_terms(path: str) -> Iterator[Pair]:
    """Notes in brackets are left away; of a term with two forms in one cell nobody knows which."""
    for row in _rows(path, csv.excel, TERM_COLUMNS):
        source, text = (NOTES.sub("", row[key].strip()) for key in ("sourceString", "targetString"))
        language = row["targetLang"][:2].lower()
        single = not re.search(r"[/;\n]", source + text)
        yield Pair(f"term:{source}", source, text if single else "", language, "term")


def _read_table(path: str) -> Iterator[Pair]:
    for number, row in enumerate(_rows(path, _Unquoted, set()), start=2):
        if row.keys() >= MEMORY_COLUMNS:
            yield Pair(
                f"{Path(path).stem}:{row['text']}",
                row["text"],
                row["translation"],
                row["target_language"] if row["source_language"] == SOURCE else "",
                back_translation=row.get("back_translation", ""),
                log_probability=_score(row.get("score", ""), path, number),
            )
        elif SOURCE in row:
            name = row.get("id") or f"{Path(path).stem}:{number}"
            for language in sorted((LANGUAGES.keys() & row.keys()) - {SOURCE}):
                yield Pair(name, row[SOURCE].strip(), row[language].strip(), language)
        else:
            raise FilterError(f"{path}: no column {SOURCE!r}; name columns by language codes")


def _score(field: str, path: str, number: int) -> float | None:
    try:
        return float(field) if field else None
    except ValueError as error:
        raise FilterError(f"{path}:{number}: score {field!r} is no number; correct it") from error


class _Unquoted(csv.excel_tab):
    """Tabs between fields, and quotation marks as they stand."""

    quoting = csv.QUOTE_NONE


def _rows(path: str, dialect: type[csv.Dialect], columns: set[str]) -> Iterator[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restval="", dialect=dialect)
        missing = columns - set(reader.fieldnames or ())
        if missing:
            raise FilterError(f"{path}: no column {', '.join(sorted(missing))}; is it a term list?")
        yield from reader


READERS: dict[str, Callable[[str], Iterable[Pair]]] = {
    ".RRF": read_mrconso,
    ".csv": _read_terms,
    ".tmx": _read_tmx,
    ".tsv": _read_table,
}
