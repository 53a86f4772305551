"""Definitions as sources give them, without the markup that some leave in."""

import html
import re
from collections import Counter
from collections.abc import Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.records import LANGUAGES
from umls_tools.licence import Gate
from umls_tools.masks import Sieve, is_current, is_from_allowed_source, is_one_of

DEF_COLUMNS = ("CUI", "AUI", "SAB", "DEF", "SUPPRESS")

# Only elements that are known are markup: "x <b and y> z" is a comparison. An attribute must have
# its value, for the same reason.
_ATTRIBUTES = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+))*\s*/?>"
_BREAK = re.compile(
    r"</?(?:p|br|hr|div|ul|ol|li|dl|dt|dd|table|tr|td|th|h[1-6])" + _ATTRIBUTES, re.IGNORECASE
)
_SUPERSCRIPT = re.compile(r"<sup" + _ATTRIBUTES, re.IGNORECASE)
_INLINE = re.compile(r"</?(?:a|b|i|u|em|strong|span|sup|sub|small)" + _ATTRIBUTES, re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z]+[0-9]*);")
_WHITE_SPACE = re.compile(r"[ \t\r\n\f\v]+")


def filter_definitions(
    rows: pa.RecordBatch | pa.Table, gate: Gate
) -> tuple[pa.RecordBatch | pa.Table, Counter[str]]:
    """Return the rows of MRDEF that may be used, columns unchanged, and why others may not."""
    sieve = Sieve(rows)
    sieve.keep("definition_suppressed", is_current)
    sieve.keep("definition_restricted", lambda found: is_from_allowed_source(found, gate))
    sieve.keep("definition_blank", _has_text)
    return sieve.rows, sieve.left_out


def in_languages(
    rows: pa.Table, atoms: pa.Table, lats: Mapping[str, str], languages: Iterable[str]
) -> tuple[pa.Table, Counter[str]]:
    """Return definitions in the languages, with a column ``LAT``, and why others are left out.

    MRDEF names no language: it is that of the source by `lats`, else that of the defining atom
    where `atoms` hold it. What neither tells is ``definition_of_unknown_language``.
    """
    of_source = _look_up(rows.column("SAB"), pa.array(list(lats)), pa.array(list(lats.values())))
    of_atom = _look_up(rows.column("AUI"), atoms.column("AUI"), atoms.column("LAT"))
    wanted = [LANGUAGES[language].umls_lat for language in languages]
    sieve = Sieve(rows.append_column("LAT", pc.coalesce(of_source, of_atom)))
    sieve.keep("definition_of_unknown_language", lambda found: pc.is_valid(found.column("LAT")))
    sieve.keep("definition_other_language", lambda found: is_one_of(found.column("LAT"), wanted))
    return sieve.rows, sieve.left_out


def plain_text(definition: str) -> str:
    """Take out markup and entities and make white space single spaces; change nothing else.

    Superscripts keep a mark, or 10⁻³ would read 10-3: ``10<sup>-3</sup>`` becomes ``10^-3``.
    """
    text = _BREAK.sub(" ", definition)
    text = _INLINE.sub("", _SUPERSCRIPT.sub("^", text))
    text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    return _WHITE_SPACE.sub(" ", text).strip(" ")


def _look_up(
    keys: pa.ChunkedArray, known: pa.Array | pa.ChunkedArray, values: pa.Array | pa.ChunkedArray
) -> pa.ChunkedArray:
    """The value that stands at the place of each key among the known ones, null if it is none."""
    places = pc.index_in(keys, value_set=pc.cast(known, pa.string()))
    return pc.take(pc.cast(values, pa.string()), places)


def _has_text(rows: pa.RecordBatch | pa.Table) -> pa.Array | pa.ChunkedArray:
    return pc.not_equal(pc.utf8_trim_whitespace(rows.column("DEF")), "")
