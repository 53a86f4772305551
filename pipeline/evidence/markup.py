"""XML read safely: no entity is expanded, nothing is fetched, damage is an error with a line."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from lxml import etree

from pipeline.evidence.base import EvidenceError, OpenFile
from pipeline.evidence.files import opened, whole
from pipeline.evidence.wording import collapse, subscript, superscript

Element: TypeAlias = Any  # lxml ships no types

_SHIFTED = {"sup": superscript, "sub": subscript}

_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


def document(path: str, open_file: OpenFile) -> Element:
    """The root of a document that fits into memory."""
    with whole(path), opened(path, open_file) as stream:
        content = stream.read()
    try:
        root = etree.fromstring(content, etree.XMLParser(**_SAFE))
    except etree.XMLSyntaxError as error:
        raise _malformed(path, error) from error
    _refuse_entities(root, path)
    return root


def children(
    path: str, open_file: OpenFile, roots: tuple[str, ...], tags: tuple[str, ...]
) -> Iterator[Element]:
    """The root's children of some names, one after another; each is gone with the next one.

    Memory holds one child at a time. Roots of another name raise.
    """
    with whole(path), opened(path, open_file) as stream:
        events = etree.iterparse(stream, events=("start", "end"), tag=roots + tags, **_SAFE)
        try:
            yield from _streamed(events, path, roots)
        except etree.XMLSyntaxError as error:
            raise _malformed(path, error) from error
        if events.root is None or events.root.tag not in roots:
            found = "no root" if events.root is None else f"the root {events.root.tag}"
            raise EvidenceError(
                f"{path}:1: {found}, expected {' or '.join(roots)}; download it again"
            )


def _streamed(events: Element, path: str, roots: tuple[str, ...]) -> Iterator[Element]:
    root = None
    for event, element in events:
        if root is None:
            root = element.getroottree().getroot()
            _refuse_entities(root, path)
        if event == "start" or element.getparent() is not root or root.tag not in roots:
            continue
        yield element
        element.clear()
        while element.getprevious() is not None:
            del root[0]


def _refuse_entities(root: Element, path: str) -> None:
    """Raise when a document declares entities of its own: the files we read never do."""
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise EvidenceError(
            f"{path}:1: the document declares entities, which are not expanded; "
            "download it again from its source, or write the text out"
        )


def _malformed(path: str, error: Exception) -> EvidenceError:
    line = getattr(error, "lineno", None) or 1
    return EvidenceError(f"{path}:{line}: malformed XML ({error}); download it again")


def text_of(element: Element | None, path: str) -> str:
    """The text of an element and all inside it, in order, on one line.

    Inline markup goes, its text and what follows it stay where they are, so that words neither
    lose nor gain a space. Superscripts and subscripts become Unicode's (``10⁻³``, ``H₂O``).
    """
    pieces: list[str] = []
    if element is not None:
        _gather(element, path, pieces)
    return collapse("".join(pieces))


def _gather(element: Element, path: str, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if child.tag is etree.Entity:
            raise EvidenceError(
                f"{path}:{child.sourceline}: the entity {child.text} is not known; "
                "write the character itself"
            )
        if child.tag in _SHIFTED:
            before = next((piece for piece in reversed(pieces) if piece), "")
            pieces.append(_shifted(child, path, before))
        elif isinstance(child.tag, str):  # comments and processing instructions hold no text
            _gather(child, path, pieces)
        pieces.append(child.tail or "")


def _shifted(element: Element, path: str, before: str) -> str:
    """What is raised or lowered, between the white space that stands inside of the markup."""
    inner: list[str] = []
    _gather(element, path, inner)
    whole_text = "".join(inner)
    text = collapse(whole_text)
    start, end = (" " if edge.isspace() else "" for edge in (whole_text[:1], whole_text[-1:]))
    return start + _SHIFTED[element.tag](text, start or before) + end
