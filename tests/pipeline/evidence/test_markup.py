import gzip
import io
from collections.abc import Callable

import pytest

from pipeline.evidence import EvidenceError
from pipeline.evidence.markup import children, document, text_of


def opener(content: bytes) -> Callable[[str], io.BytesIO]:
    return lambda path: io.BytesIO(content)


def text(content: str) -> str:
    return text_of(document("f.xml", opener(f"<a>{content}</a>".encode())), "f.xml")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("1.73 m<sup>2</sup> of body", "1.73 m² of body"),
        ("with <i>E. coli</i> and <i>S.</i> too", "with E. coli and S. too"),
        ("10<sup>-3</sup> and 10<sup>−3</sup>", "10⁻³ and 10⁻³"),
        ("10<sup><i>n</i></sup>", "10^n"),
        ("H<sub>2</sub>O, VO<sub>2</sub>max", "H₂O, VO₂max"),
        ("log<sub>10</sub>5, C<sub>max</sub>, PM<sub>2.5</sub>", "log₁₀5, Cmax, PM2.5"),
        ("x<sub>2<sup>3</sup></sub>", "x2³"),
        ("1<sub>2.5</sub>", "1_2.5"),
        ("1.73 m<sup>2 </sup>of body<sup> 3</sup>", "1.73 m² of body ³"),
        ("the 5<sup>th</sup> Seprafilm<sup>®</sup>", "the 5th Seprafilm®"),
        ("<b>p</b><i>H</i>", "pH"),
        ("a<!-- not text -->b<?also not?>c", "abc"),
        ("<b>nested <i>deep</i> tail</b> end", "nested deep tail end"),
        ("α&#946;&amp;&lt;", "αβ&<"),
        ("<![CDATA[a < b]]>", "a < b"),
        ("x<sup/> y", "x y"),
    ],
)
def test_text_keeps_order_and_neither_glues_nor_splits(content: str, expected: str) -> None:
    assert text(content) == expected


ATTACKS = {
    "external entity": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a><b>&x;</b></a>',
    "bomb": "<!DOCTYPE a [<!ENTITY x 'ha'><!ENTITY y '&x;&x;&x;'>]><a><b>&y;</b></a>",
    "bomb in an attribute": "<!DOCTYPE a [<!ENTITY x 'ha'>]><a><b c='&x;&x;'>d</b></a>",
    "parameter entity": '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://0.0.0.0/p">%p;]><a><b>d</b></a>',
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_entities_are_refused(attack: str) -> None:
    with pytest.raises(EvidenceError, match=r"f.xml:1: .*entities"):
        document("f.xml", opener(attack.encode()))
    with pytest.raises(EvidenceError, match=r"f.xml:1: .*entities"):
        list(children("f.xml", opener(attack.encode()), ("a",), ("b",)))


def test_a_document_type_that_names_its_definition_is_no_attack() -> None:
    content = '<!DOCTYPE a PUBLIC "-//NLM//DTD" "https://127.0.0.1/a.dtd"><a><b>d</b></a>'
    found = children("f.xml", opener(content.encode()), ("a",), ("b",))
    assert [text_of(child, "f.xml") for child in found] == ["d"]


def test_an_unknown_entity_is_an_error() -> None:
    content = b'<!DOCTYPE a SYSTEM "a.dtd">\n<a>\n<b>&eacute;</b></a>'
    with pytest.raises(EvidenceError, match=r"f.xml:3: .*eacute"):
        text_of(document("f.xml", opener(content)), "f.xml")


DAMAGED = {
    "cut": (b"<a>\n<b>c</b>\n<b>c", "f.xml:3: malformed XML"),
    "empty": (b"", "f.xml:1: malformed XML"),
    "no UTF-8": (b"<a>\n<b>c\xff</b></a>", "f.xml:2: malformed XML"),
    "two roots": (b"<a><b/></a><a/>", "f.xml:1: malformed XML"),
}


@pytest.mark.parametrize(("content", "message"), DAMAGED.values(), ids=DAMAGED.keys())
def test_damage_names_file_and_line(content: bytes, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        document("f.xml", opener(content))
    with pytest.raises(EvidenceError, match=message):
        list(children("f.xml", opener(content), ("a",), ("b",)))


def test_truncated_gzip_is_an_error(truncated: Callable[[bytes], bytes]) -> None:
    content = b"<a>" + b"<b>text</b>" * 50_000 + b"</a>"
    found = children("f.xml.gz", opener(truncated(content)), ("a",), ("b",))
    with pytest.raises(EvidenceError, match="gzip data is truncated"):
        list(found)
    assert sum(1 for _ in children("f.xml.gz", opener(gzip.compress(content)), ("a",), ("b",)))


def test_another_root_is_an_error() -> None:
    found = children("f.xml", opener(b"<html><b/></html>"), ("a",), ("b",))
    with pytest.raises(EvidenceError, match=r"f.xml:1: the root html, expected a"):
        list(found)


def test_children_that_were_read_are_gone() -> None:
    content = b"<a>" + b"<b><c>text</c><b>inner</b></b>" * 50_000 + b"</a>"
    counts = []
    for child in children("f.xml", opener(content), ("a",), ("b",)):
        counts.append(len(child.getparent()))
    assert len(counts) == 50_000
    assert max(counts) < 2_000  # those of the block that was parsed ahead
