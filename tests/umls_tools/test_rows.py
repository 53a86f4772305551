import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from umls_tools.cuis import CUI, are_cuis
from umls_tools.rows import PADDING, Rows, split, texts_of, word_of, words_of

COLUMNS = ("A", "B", "C")
FIELD = st.text(st.characters(blacklist_characters="|\n", blacklist_categories=["Cs"]), max_size=12)


def parsed(text: str) -> Rows:
    found = split(text.encode() + PADDING, COLUMNS)
    assert found is not None
    return found


@settings(deadline=None)  # the first example imports what Arrow needs for arrays
@given(st.lists(st.tuples(FIELD, FIELD, FIELD), max_size=8), st.randoms())
def test_every_field_is_found(table: list[tuple[str, ...]], random: st.randoms) -> None:  # type: ignore[valid-type]
    rows = parsed("".join("|".join(row) + "|\n" for row in table))
    places = np.array(sorted(random.sample(range(len(table)), len(table) // 2)), np.int64)  # type: ignore[attr-defined]
    assert len(rows) == len(table)
    for number, column in enumerate(COLUMNS):
        values = [row[number] for row in table]
        assert rows.strings(column).to_pylist() == values
        assert rows.strings(column, places).to_pylist() == [values[place] for place in places]
        assert rows.encoded(column, places).to_pylist() == [values[place] for place in places]
        assert rows.lengths(column).tolist() == [len(value.encode()) for value in values]
        first = [int.from_bytes(value.encode()[:8].ljust(8, b"\0"), "big") for value in values]
        assert rows.words(column).tolist() == first
        later = [int.from_bytes(value.encode()[8:16].ljust(8, b"\0"), "big") for value in values]
        assert rows.words(column, skipped=8).tolist() == later
        backwards = places[::-1]
        assert rows.strings(column, backwards).to_pylist() == [values[place] for place in backwards]
    pairs = ["|".join(row[:2]) for row in table]
    assert rows.strings("A", places, last="B").to_pylist() == [pairs[place] for place in places]


@pytest.mark.parametrize(
    ("field", "place"),
    [("N", 1), ("", 0), ("ENG", 2), ("EN", -1), ("NN", -1), ("ENGL", -1), ("sevens7", 3)],
)
def test_short_fields_are_compared_whole(field: str, place: int) -> None:
    rows = parsed(f"x|{field}|y|\n|{field}|ENG|\n")
    texts = ("", "N", "ENG", "sevens7")
    assert rows.place_among("B", texts).tolist() == [place] * 2
    assert rows.is_one_of("B", texts, np.array([1])).tolist() == [place >= 0]


@pytest.mark.parametrize(
    "text",
    [
        "a|b|\n",  # too few
        "a|b|c|d|\n",  # too many
        "a|b|c|\na|b|\nc|\n",  # a row over two lines
        "a|b|c|\nx\n",
        "a|b|c|",  # no line end
        "a|b|c|\n\n",
        "\n",
        "a|b|c|x\n",
        "a|b\n|c|",
    ],
)
def test_what_does_not_fit_is_refused(text: str) -> None:
    assert split(text.encode() + PADDING, COLUMNS) is None


def test_no_bytes_no_rows() -> None:
    assert len(parsed("")) == 0


@given(st.lists(st.text(st.characters(min_codepoint=1, blacklist_categories=["Cs"]), max_size=8)))
def test_words_and_texts_are_each_others_inverse(texts: list[str]) -> None:
    short = [text for text in texts if len(text.encode()) <= 8]
    words = words_of(pa.array(short, pa.string()))
    assert words.tolist() == [int(word_of(text)) for text in short]
    assert texts_of(words).to_pylist() == short
    assert sorted(words.tolist()) == [int(word_of(text)) for text in sorted(short, key=str.encode)]


def test_later_words() -> None:
    texts = pa.array(["SNOMEDCT_US", "SNOMEDCT_VET", "MSH", ""])[1:]
    assert texts_of(words_of(texts, 8)).to_pylist() == ["_VET", "", ""]


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("C0000001", True),
        ("C9999999", True),
        ("CL123456", True),
        ("C000000", False),
        ("C00000A1", False),
        ("CL12345L", False),
        ("D0000001", False),
        ("c0000001", False),
        ("C000000:", False),
        ("C000000/", False),
        ("CM000001", False),
        ("CÄ00000", False),
        ("", False),
    ],
)
def test_cuis(text: str, fits: bool) -> None:
    assert bool(CUI.fullmatch(text.encode())) is fits
    assert are_cuis(np.array([word_of(text)])).tolist() == [fits]


@given(st.binary(min_size=8, max_size=8))
def test_cuis_by_word_are_cuis_by_pattern(raw: bytes) -> None:
    word = np.array([int.from_bytes(raw, "big")], np.uint64)
    assert bool(are_cuis(word)[0]) is bool(CUI.fullmatch(raw))
