import itertools
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.records import Reject, Translation, TranslationRequest
from translation.base import ANY_SIGNATURE, TranslationError
from translation.memory import Entry, TranslationMemory, fresh_entries
from translation.memory_files import (
    SCHEMA,
    encode_entries,
    load_memory,
    read_entries,
    write_entries,
)
from translation.memory_tables import TSV_COLUMNS

REQUEST = TranslationRequest("Stroke", "en", "de")
OURS = Entry("Stroke", "en", "de", "Hirnschlag", "Stroke", "nllb", "m", "r", "nllb m@r", -0.5)
THEIRS = replace(OURS, translation="Apoplex", signature="nllb m@other", flags=("length_limit",))
CURATED = Entry("Stroke", "en", "de", "Schlaganfall", "Stroke", "curated")
HUMAN = replace(CURATED, translation="Schlaganfall (m.)", engine="human")
EVERYTHING = (OURS, THEIRS, CURATED, HUMAN)


def answer(entries: tuple[Entry, ...], signature: str) -> str | None:
    found = TranslationMemory(entries).get(REQUEST, signature)
    return found.text if found else None


@pytest.mark.parametrize(
    ("entries", "signature", "expected"),
    [
        ((OURS,), "nllb m@r", "Hirnschlag"),
        ((OURS,), "nllb m@other", None),
        ((OURS,), ANY_SIGNATURE, "Hirnschlag"),
        ((OURS, CURATED), "nllb m@r", "Schlaganfall"),
        ((OURS, CURATED), "anything", "Schlaganfall"),
        ((OURS, CURATED, HUMAN), "nllb m@r", "Schlaganfall (m.)"),
        ((OURS, THEIRS), "nllb m@other", "Apoplex"),
        (EVERYTHING, ANY_SIGNATURE, "Schlaganfall (m.)"),
        ((), ANY_SIGNATURE, None),
    ],
)
def test_who_serves_whom(entries: tuple[Entry, ...], signature: str, expected: str | None) -> None:
    assert answer(entries, signature) == expected
    assert answer(entries[::-1], signature) == expected


def test_entries_that_disagree_are_told_apart_by_content() -> None:
    rivals = (OURS, THEIRS, *(replace(OURS, translation=text) for text in ("B", "A", "C")))
    for signature, expected in (("nllb m@r", "A"), (ANY_SIGNATURE, None)):
        answers = {answer(tuple(order), signature) for order in itertools.permutations(rivals)}
        assert len(answers) == 1
        assert expected is None or answers == {expected}


def test_requests_are_found_exactly() -> None:
    memory = TranslationMemory((OURS,))
    for other in (
        replace(REQUEST, text="stroke"),
        replace(REQUEST, source="fr"),
        replace(REQUEST, target="es"),
    ):
        assert memory.get(other, ANY_SIGNATURE) is None


def test_an_answer_carries_all_that_is_known() -> None:
    assert TranslationMemory((THEIRS,)).get(REQUEST, ANY_SIGNATURE) == Translation(
        text="Apoplex",
        language="de",
        origin="mt",
        engine="nllb",
        model="m",
        revision="r",
        back_translation="Stroke",
        score=-0.5,
        flags=("length_limit",),
    )


def test_only_new_translations_become_entries() -> None:
    known, new, refused = (TranslationRequest(text, "en", "de") for text in ("Stroke", "b", "c"))
    translation = Translation("B", "de", "mt", "nllb", "m", "r", "b", -1.0, ("empty",))
    entries = fresh_entries(
        [new, known, refused, new],
        [translation, translation, Reject("translate", "k", "not_in_memory"), translation],
        TranslationMemory((OURS,)),
        "nllb m@r",
    )
    expected = Entry("b", "en", "de", "B", "b", "nllb", "m", "r", "nllb m@r", -1.0, ("empty",))
    assert entries == [expected]
    assert TranslationMemory(tuple(entries)).get(new, "nllb m@r") == translation


def test_parquet_keeps_everything(tmp_path: Path) -> None:
    path = write_entries(str(tmp_path), EVERYTHING)
    back = read_entries(path)
    assert sorted(entry.order for entry in back) == sorted(entry.order for entry in EVERYTHING)
    table = pq.read_table(path)
    assert table.schema.equals(SCHEMA)
    assert table["key"].to_pylist() == sorted(entry.key for entry in EVERYTHING)


def test_files_are_named_by_content_whatever_the_order(tmp_path: Path) -> None:
    first = write_entries(str(tmp_path), [OURS, THEIRS])
    assert write_entries(str(tmp_path), [THEIRS, OURS, OURS]) == first
    unscored = [replace(CURATED, score=float(text)) for text in ("nan", "nan")]
    assert encode_entries(unscored) == encode_entries([CURATED])
    assert encode_entries([THEIRS, OURS])[0] == Path(first).name
    second = write_entries(str(tmp_path), [CURATED])
    assert sorted(tmp_path.iterdir()) == sorted([Path(first), Path(second)])
    assert set(load_memory([str(tmp_path)]).entries) >= {OURS, THEIRS}
    assert orders([second, first]) == orders([first, second, first])


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_entries(str(tmp_path), [OURS])
    assert list(tmp_path.iterdir()) == []


def test_unfinished_and_foreign_files_are_not_read(tmp_path: Path) -> None:
    write_entries(str(tmp_path), [OURS])
    (tmp_path / ".half.parquet").write_bytes(b"PAR1")
    (tmp_path / ".x.tmp").write_bytes(b"")
    (tmp_path / "README.md").write_text("notes")
    assert load_memory([str(tmp_path)]).entries == (OURS,)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.xlsx")
    with pytest.raises(TranslationError, match=r"memory\.xlsx: expected a folder, or a file in"):
        load_memory([path], list_files=lambda one: [one])


def test_damaged_parquet_is_named(tmp_path: Path) -> None:
    path = Path(write_entries(str(tmp_path), EVERYTHING))
    content = path.read_bytes()
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), other)
    assert_refused(other, "other.parquet: no translation memory.*delete the file")
    for damaged in (content[:-20], content[:4] + content[40:], b"", b"text"):
        path.write_bytes(damaged)
        assert_refused(path, rf"{path.name}: no translation memory")


def test_a_row_under_a_foreign_key_is_refused(tmp_path: Path) -> None:
    path = Path(write_entries(str(tmp_path), [OURS]))
    rows = pq.read_table(path).to_pylist()
    rows[0]["text"] = "Gout"
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), path)
    assert_refused(path, "row 1: key .* is not its own")


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    for missing in ("nowhere", "nowhere.tsv", "nowhere.parquet"):
        with pytest.raises(TranslationError, match=missing):
            load_memory([str(tmp_path / missing)])


HEADER = "\t".join(TSV_COLUMNS)
ROW = 'en\tde\t"Stroke\tSchlaganfall\tStroke\tcurated\t\t'


@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_table_is_read_without_quoting(
    tmp_path: Path, ending: str, newline: str, mark: str
) -> None:
    path = tmp_path / "curated.tsv"
    content = mark + newline.join([HEADER, ROW, ROW.replace('"Stroke', "A\u2028B")]) + ending
    path.write_bytes(content.encode())
    first, second = read_entries(str(path))
    # As text, since no two NaN scores are equal (nor, from Python 3.13 on, what holds them).
    assert repr(first) == repr(replace(CURATED, text='"Stroke'))
    assert second.text == "A\u2028B"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("en\tde\tStroke", "3 fields, expected 8"),
        (ROW + "\tmore", "9 fields, expected 8"),
        (ROW.replace("Schlaganfall", " "), "translation must not be empty"),
        (ROW.replace("curated", ""), "engine must not be empty"),
        (ROW.replace("de\t", "xx\t"), "unknown language 'xx'"),
    ],
)
def test_a_damaged_row_is_named_by_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "curated.tsv"
    path.write_text(f"{HEADER}\n{ROW}\n{line}\n", encoding="utf-8")
    assert_refused(path, rf"curated\.tsv:3: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ":1: the header must be source_language"),
        (ROW.encode(), ":1: the header must be"),
        (f"{HEADER}\nen\tde\tGrippe\xe9".encode("latin-1"), ":2: not UTF-8"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "curated.tsv"
    path.write_bytes(content)
    assert_refused(path, message)


def orders(paths: list[str]) -> list[tuple[str | int, ...]]:
    return [entry.order for entry in load_memory(paths).entries]


def assert_refused(path: Path, message: str) -> None:
    with pytest.raises(TranslationError, match=message):
        read_entries(str(path))
