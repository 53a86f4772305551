"""Definitions as sources give them, without the markup that some leave in."""

import html
import re
from collections import Counter
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.records import LANGUAGES
from umls_tools.atoms import LANGUAGE_CODES
from umls_tools.licence import Gate
from umls_tools.rows import Rows
from umls_tools.selection import Selected, Sieve, has_text, is_current, is_from_allowed_source

DEF_SCHEMA = pa.schema({"atom_id": pa.string(), "source": pa.string(), "text": pa.string()})

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


def select_definitions(rows: Rows, gate: Gate) -> tuple[Selected, Counter[str]]:
    """Return the rows of MRDEF that may be used, with DEF_SCHEMA, and why others may not."""
    sieve = Sieve(rows)
    sieve.keep("definition_suppressed", is_current)
    sieve.keep("definition_restricted", is_from_allowed_source(gate))
    sieve.keep("definition_blank", has_text("DEF"))
    names = {"atom_id": "AUI", "source": "SAB", "text": "DEF"}
    kept = {name: rows.strings(column, sieve.places) for name, column in names.items()}
    return sieve.selected("CUI", kept), sieve.left_out


def lats_of(
    definitions: pa.RecordBatch, atoms: pa.RecordBatch, lats: Mapping[str, str]
) -> list[str]:
    """The LAT of each definition, "" where nothing tells it.

    MRDEF names no language: it is that of the source by `lats`, else that of the defining atom
    where `atoms` hold it.
    """
    sources, ids = (definitions.column(name).to_pylist() for name in ("source", "atom_id"))
    told = [lats.get(source, "") for source in sources]
    asked = [atom for atom, lat in zip(ids, told, strict=True) if not lat]
    of_atom = _lats_of_atoms(pa.array(asked, pa.string()), atoms) if asked else {}
    return [lat or of_atom.get(atom, "") for atom, lat in zip(ids, told, strict=True)]


def plain_text(definition: str) -> str:
    """Take out markup and entities and make white space single spaces; change nothing else.

    Superscripts keep a mark, or 10⁻³ would read 10-3: ``10<sup>-3</sup>`` becomes ``10^-3``.
    """
    text = definition
    if "<" in text:  # most definitions hold no markup
        text = _INLINE.sub("", _SUPERSCRIPT.sub("^", _BREAK.sub(" ", text)))
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    return _WHITE_SPACE.sub(" ", text).strip(" ")


def _lats_of_atoms(asked: pa.StringArray, atoms: pa.RecordBatch) -> dict[str, str]:
    """The LAT of those of the asked atoms that are there."""
    lats = [LANGUAGES[code].umls_lat for code in LANGUAGE_CODES]
    places = pc.index_in(asked, value_set=atoms.column("atom_id")).drop_null()
    found = atoms.select(["atom_id", "language"]).take(places).to_pydict()
    languages = (lats[place] for place in found["language"])
    return dict(zip(found["atom_id"], languages, strict=True))
