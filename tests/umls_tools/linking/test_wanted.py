import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from umls_tools.linking import KeyTable, fingerprint, text_fingerprints


def table(*keys: str) -> KeyTable:
    made = KeyTable.empty()
    made.add(map(fingerprint, keys))
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "What is type 2 diabetes?",
            "name:type|name:type 2|name:type 2 diabetes|name:type 2 diabete|name:2|"
            "name:2 diabetes|name:2 diabete|name:diabetes|name:diabete",
        ),
        ("all of ALL", "name:all|name:all of all|acronym:ALL"),
        ("Ménière's", "name:ménière|name:ménière s|name:s"),
        ("what is it of", ""),
        ("", ""),
    ],
)
def test_a_text_asks_for_what_could_be_a_name(text: str, expected: str) -> None:
    keys = {fingerprint(key) for key in expected.split("|") if key}
    assert set(text_fingerprints(text)) == keys


@pytest.mark.parametrize(("longest", "expected"), [(1, 3), (2, 5), (3, 6), (9, 6)])
def test_no_stretch_is_longer_than_asked(longest: int, expected: int) -> None:
    assert len(set(text_fingerprints("alpha beta gamma", longest))) == expected


@given(st.lists(st.text(min_size=1)), st.text(min_size=1))
def test_what_was_added_is_held(keys: list[str], other: str) -> None:
    plain = [key.encode("utf-8", "replace").decode() for key in (*keys, other)]
    held = table(*plain[:-1])
    assert all(key in held for key in plain[:-1])
    assert plain[-1] in table(*plain)


def test_few_keys_are_taken_for_others() -> None:
    held = table(*(f"name:word {number}" for number in range(100_000)))
    wrong = sum(f"name:other {number}" in held for number in range(10_000))
    assert wrong < 50  # 15 expected: 100,000 of 67 million bits are set


def test_united_tables_hold_what_any_of_them_did() -> None:
    parts = [table("name:asthma"), table("name:cold", "mesh:D001"), KeyTable.empty()]
    united = KeyTable.united(pickle.loads(pickle.dumps(part)) for part in parts)
    assert united == table("name:asthma", "name:cold", "mesh:D001")


def test_a_table_of_nothing_holds_nothing() -> None:
    assert "name:asthma" not in KeyTable.empty()
    assert not any(KeyTable.empty().bits)
