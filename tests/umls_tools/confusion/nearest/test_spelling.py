"""Grams, words and pairs of many names at once, against the same letter by letter."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text import normalise
from umls_tools.confusion.nearest.spelling import Held, Letters, pairs


def spelt(key: int) -> str:
    points = (key >> 42, key >> 21 & 0x1FFFFF, key & 0x1FFFFF)
    return "".join(chr(point) for point in points if point)


def grams_of(texts: list[str]) -> list[Counter[str]]:
    held = Letters.of(texts).grams()
    return [
        Counter(spelt(int(key)) for row, key in zip(*held, strict=True) if row == place)
        for place in range(len(texts))
    ]


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("", []),
        ("ab", [" ab", "ab "]),
        ("a", [" a "]),
        ("abc d", [" ab", "abc", "bc ", " d "]),
        ("aaaa", [" aa", "aaa", "aaa", "aa "]),
        ("anämie", [" an", "anä", "näm", "ämi", "mie", "ie "]),
        ("боль", [" бо", "бол", "оль", "ль "]),
        ("糖尿病", ["糖", "尿", "病", "糖尿", "尿病"]),
        ("病", ["病"]),
        ("hiv感染", [" hi", "hiv", "iv ", "感", "染", "感染"]),
        ("감염", ["감", "염", "감염"]),
        ("がん 病", ["が", "ん", "がん", "病"]),
    ],
)
def test_grams_of_one_name(text: str, grams: list[str]) -> None:
    assert grams_of([text]) == [Counter(grams)]


@given(st.lists(st.text(max_size=12).map(normalise), max_size=6))
def test_names_side_by_side_do_not_touch(texts: list[str]) -> None:
    assert grams_of(texts) == [grams_of([text])[0] for text in texts]


def numbered(held: Held) -> list[tuple[int, int]]:
    return [(int(row), int(key)) for row, key in zip(*held, strict=True)]


@given(st.lists(st.text(alphabet="ab ä病", max_size=9).map(normalise), max_size=6))
def test_equal_words_have_equal_keys(texts: list[str]) -> None:
    words = [(row, word) for row, text in enumerate(texts) for word in text.split()]
    found = Letters.of(texts).words()
    assert [row for row, _ in numbered(found)] == [row for row, _ in words]
    assert len({key for _, key in numbered(found)}) == len({word for _, word in words})
    assert len({*zip(found.keys.tolist(), (word for _, word in words), strict=True)}) == len(
        {word for _, word in words}
    )


@given(st.lists(st.text(alphabet="ab ", max_size=9).map(normalise), max_size=6))
def test_pairs_are_of_one_name_and_in_order(texts: list[str]) -> None:
    expected = [(row, pair) for row, text in enumerate(texts) for pair in pairwise(text.split())]
    found = numbered(pairs(Letters.of(texts).words()))
    assert [row for row, _ in found] == [row for row, _ in expected]
    assert len({key for _, key in found}) == len({pair for _, pair in expected})


def test_grams_are_no_words() -> None:
    letters = Letters.of(["abc 糖尿病"])
    assert not np.isin(letters.grams().keys, letters.words().keys).any()
