"""Memories that come from and go to spreadsheets and translators' programs."""

from dataclasses import replace
from pathlib import Path

import pytest

from translation.base import TranslationError
from translation.memory import Entry
from translation.memory_files import load_memory, read_entries
from translation.memory_tables import MORE_COLUMNS, TSV_COLUMNS, write_tsv
from translation.memory_tmx import project_language, read_tmx, write_tmx

OURS = Entry(
    '1 < 2 & "Stroke"', "en", "de", "„Schlaganfall“", "Stroke", "nllb", "m", "r", "nllb m@r", -0.5
)
ENTRIES = (
    OURS,
    replace(OURS, target="zh", translation="中风", flags=("length_limit", "unknown_token")),
    replace(OURS, text=" a ", engine="human", signature="", score=float("nan")),
    replace(OURS, text="void", translation="", back_translation="", flags=("empty",)),
)
TMX = """<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en-US" segtype="sentence"/><body>
<tu changeid="the clinic" changedate="20260101T000000Z" creationid="someone">
<tuv xml:lang="en-US"><seg>Wash <bpt i="1">&lt;b&gt;</bpt>your<ept i="1"/> hands.</seg></tuv>
<tuv xml:lang="de-DE"><seg>Waschen Sie sich die Hände.</seg></tuv>
<tuv xml:lang="zh-TW"><seg>請洗手。</seg></tuv>
<tuv xml:lang="it"><seg>Lavarsi le mani.</seg></tuv>
<tuv xml:lang="fr"><seg> </seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>Ohne Quelle</seg></tuv></tu>
</body></tmx>
"""


def shown(entries: object) -> list[str]:
    """As text, since no two NaN scores are equal."""
    return sorted(map(repr, entries))  # type: ignore[call-overload]


@pytest.mark.parametrize(("write", "name"), [(write_tsv, "a.tsv"), (write_tmx, "a.tmx")])
def test_what_goes_out_comes_back(tmp_path: Path, write: object, name: str) -> None:
    content = write(ENTRIES)  # type: ignore[operator]
    assert content == write(ENTRIES[::-1])  # type: ignore[operator]
    (tmp_path / name).write_bytes(content)
    assert shown(load_memory([str(tmp_path)]).entries) == shown(ENTRIES)
    assert shown(read_entries(str(tmp_path / name))) == shown(ENTRIES)


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\rb"])
def test_a_table_holds_no_break_but_tmx_does(text: str) -> None:
    entry = replace(OURS, text=text)
    with pytest.raises(TranslationError, match="holds no tab or line break"):
        write_tsv([entry])
    assert read_tmx("a.tmx", write_tmx([entry])).entries == (entry,)


def test_what_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(TranslationError, match="cannot stand in XML"):
        write_tmx([replace(OURS, text="a\x00b")])


def test_a_foreign_file_keeps_who_and_when_and_counts_what_it_leaves_out() -> None:
    found = read_tmx("theirs.tmx", TMX.encode())
    assert shown(found.entries) == shown(
        [
            Entry(
                *("Wash your hands.", "en", "de", "Waschen Sie sich die Hände.", "", "human"),
                *("the clinic", "20260101T000000Z"),
            )
        ]
    )
    assert found.left_out == {
        "empty translation": 1,
        "language it": 1,
        "language zh-TW": 1,
        "no source segment": 1,
    }


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", "en"),
        ("EN-us", "en"),
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("zh_Hans", "zh"),
        ("zh-Hant", None),
        ("zh-HK", None),
        ("es-LA", "es"),
        ("it", None),
        ("", None),
    ],
)
def test_codes_of_tmx(code: str, expected: str | None) -> None:
    assert project_language(code) == expected


@pytest.mark.parametrize("content", [b"", b"text", TMX.encode()[:300]])
def test_what_is_no_tmx_is_named(content: bytes) -> None:
    with pytest.raises(TranslationError, match=r"theirs\.tmx: no TMX"):
        read_tmx("theirs.tmx", content)


def test_nothing_outside_the_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    entity = f'<!DOCTYPE tmx [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    content = TMX.replace('<!DOCTYPE tmx SYSTEM "tmx14.dtd">', entity).replace("hands.", "&x;")
    assert "secret" not in repr(read_tmx("theirs.tmx", content.encode()))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("\t\thalf\t", "could not convert string to float: 'half'"),
        ("\t\t", "10 fields, expected 11"),
    ],
)
def test_a_damaged_extended_row_is_named(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "a.tsv"
    header = "\t".join((*TSV_COLUMNS, *MORE_COLUMNS))
    path.write_text(f"{header}\nen\tde\ta\tb\t\thuman\t\t{row}\n", "utf-8")
    with pytest.raises(TranslationError, match=message):
        read_entries(str(path))


def test_an_open_memory_is_read_whole(shared_data: Path) -> None:
    path = shared_data / "tico19" / "tmx" / "all.en-zh.tmx"
    found = read_tmx(str(path), path.read_bytes())
    assert len(found.entries) == 3071
    assert found.left_out == {}
    assert {entry.target for entry in found.entries} == {"zh"}
    assert found.entries[0].text == "about how long have these symptoms been going on?"
