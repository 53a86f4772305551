"""Translation memories as TMX 1.4, which translators' programs read and write.

Each entry is a unit of two segments. What TMX has no place for stands in properties of the unit,
``x-engine`` and so on, so that an entry comes back as it went. A unit that another program wrote
has none: then its engine is ``human``, its model who changed or made it, its revision when.
"""

import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipeline.records import LANGUAGES
from translation.base import TranslationError
from translation.memory import Entry

if TYPE_CHECKING:
    from lxml.etree import _Element

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_PREFIX = "x-"
_KEPT = ("back_translation", "engine", "model", "revision", "signature", "score", "flags")
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
# Marks of a program's own codes within a segment; what they hold is no text.
_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})


@dataclass(frozen=True)
class TmxMemory:
    """The entries of a file, and how many segments were left out and why."""

    entries: tuple[Entry, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


def read_tmx(path: str, content: bytes) -> TmxMemory:
    """Read a file unit by unit; nothing outside it is fetched or expanded."""
    from lxml import etree  # noqa: PLC0415

    entries: list[Entry] = []
    left_out: Counter[str] = Counter()
    source = ""
    safe = {"resolve_entities": False, "no_network": True, "load_dtd": False}
    try:
        for _, element in etree.iterparse(io.BytesIO(content), tag=("header", "tu"), **safe):
            if element.tag == "header":
                source = element.get("srclang", "")
                continue
            entries += _unit(element, element.get("srclang", source), left_out)
            element.clear()
    except etree.XMLSyntaxError as error:
        raise TranslationError(f"{path}: no TMX ({error}); export the memory again") from error
    return TmxMemory(tuple(entries), dict(sorted(left_out.items())))


def _unit(unit: "_Element", source: str, left_out: Counter[str]) -> Iterator[Entry]:
    provenance = _provenance(unit)
    segments = [(one.get(_LANG) or one.get("lang") or "", _text(one)) for one in unit.iter("tuv")]
    asked = [(code, text) for code, text in segments if _same(code, source)]
    if not asked or not asked[0][1].strip() or project_language(asked[0][0]) is None:
        left_out["no source segment"] += 1
        return
    code, text = asked[0]
    for target, translation in segments:
        found = project_language(target)
        if _same(target, source):
            continue
        if found is None:
            left_out[f"language {target}"] += 1
        elif not translation.strip() and not provenance["flags"]:
            left_out["empty translation"] += 1
        else:
            origin = str(project_language(code))
            yield Entry(text, origin, found, translation, **provenance)


def project_language(code: str) -> str | None:
    """The project's language under a TMX code, such as zh-CN; Traditional Chinese is none."""
    main, *rest = code.replace("_", "-").casefold().split("-")
    if main not in LANGUAGES or (main == "zh" and _TRADITIONAL.intersection(rest)):
        return None
    return main


def _same(code: str, source: str) -> bool:
    """Whether a segment is the unit's source; srclang may leave the region out."""
    one, other = code.casefold(), source.casefold()
    return one == other or one.split("-")[0] == other


def _text(variant: "_Element") -> str:
    segment = variant.find("seg")
    return "" if segment is None else "".join(_pieces(segment))


def _pieces(element: "_Element") -> Iterator[str]:
    if element.tag not in _CODES:
        yield element.text or ""
        for child in element:
            yield from _pieces(child)
            yield child.tail or ""


def _provenance(unit: "_Element") -> dict[str, Any]:
    known = {one.get("type", "").removeprefix(_PREFIX): one.text or "" for one in unit.iter("prop")}
    if "engine" not in known:
        who = unit.get("changeid") or unit.get("creationid") or ""
        when = unit.get("changedate") or unit.get("creationdate") or ""
        known = {"engine": "human", "model": who, "revision": when}
    kept: dict[str, Any] = {name: known.get(name, "") for name in _KEPT}
    return kept | {"score": float(kept["score"] or "nan"), "flags": tuple(kept["flags"].split())}


def write_tmx(entries: Iterable[Entry]) -> bytes:
    """The TMX file of the entries, sorted."""
    from lxml import etree  # noqa: PLC0415

    root = etree.Element("tmx", version="1.4")
    header = {
        "creationtool": "mmed-bench", "creationtoolversion": "1", "segtype": "block",
        "o-tmf": "mmed-bench", "adminlang": "en", "srclang": "*all*", "datatype": "plaintext",
    }  # fmt: skip
    etree.SubElement(root, "header", header)
    body = etree.SubElement(root, "body")
    for entry in sorted(entries, key=lambda entry: entry.table_order):
        try:
            _add(body, entry)
        except ValueError as error:
            raise TranslationError(f"{entry.text!r}: cannot stand in XML ({error})") from error
    written: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return written


def _add(body: "_Element", entry: Entry) -> None:
    from lxml import etree  # noqa: PLC0415

    unit = etree.SubElement(body, "tu", srclang=entry.source)
    for name, value in _properties(entry):
        if value:
            etree.SubElement(unit, "prop", type=_PREFIX + name).text = value
    for code, text in ((entry.source, entry.text), (entry.target, entry.translation)):
        variant = etree.SubElement(unit, "tuv", {_LANG: code})
        etree.SubElement(variant, "seg").text = text


def _properties(entry: Entry) -> Iterator[tuple[str, str]]:
    for name in _KEPT:
        value = getattr(entry, name)
        if name == "flags":
            yield name, " ".join(value)
        elif name == "score":
            yield name, "" if math.isnan(value) else repr(value)
        else:
            yield name, value
