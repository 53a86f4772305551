import gzip
import json
import random
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splits.near_duplicates import jaccard
from splits.outside import Entry, Match, Ours
from splits.outside_files import OutsideError, read_list
from splits.sketches import ORDERS, estimate, sha256_of, sketch_of

ASKED = "What are the symptoms of scabies in children?"
TEXTS = {"qa-1": [ASKED, "¿Qué es la sarna?"], "qa-2": ["疥癬の症状は何ですか"]}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (Entry("what are the SYMPTOMS of scabies, in children"), {"qa-1": "equal"}),
        (Entry("que es la sarna"), {}),
        (Entry("What are the symptoms of scabies in children then?"), {"qa-1": "near 0.8889"}),
        (Entry("What are the symptoms of gout?"), {}),
        (Entry("疥癬の症状は何ですか。"), {"qa-2": "equal"}),
        (Entry(sha256=sha256_of("¿Qué es la sarna")), {"qa-1": "equal"}),
        (Entry(sha256=sha256_of("gout")), {}),
        (Entry(sha256=sha256_of(ASKED), sketch=sketch_of(ASKED)), {"qa-1": "equal"}),
        (Entry(sha256="0" * 64, sketch=sketch_of("gout")), {}),
    ],
)
def test_what_a_list_has_of_ours(entry: Entry, expected: dict[str, str]) -> None:
    assert {key: str(match) for key, match in Ours(TEXTS).find([entry]).items()} == expected


def test_the_nearest_item_is_told() -> None:
    near, nearer = (Entry(f"{ASKED} {more}") for more in ("Please tell me", "Now"))
    found = Ours(TEXTS).find([near, nearer, near])
    assert found == {"qa-1": Match(jaccard(ASKED, nearer.text), "near")}


def test_near_items_are_found_by_their_sketches() -> None:
    entry = Entry(sha256="0" * 64, sketch=sketch_of(f"{ASKED} Now"))
    (match,) = Ours(TEXTS).find([entry]).values()
    assert match.kind == "near"
    assert abs(match.similarity - jaccard(ASKED, f"{ASKED} Now")) < 0.1


def test_a_sketch_estimates_what_texts_share() -> None:
    """Within four standard errors, over texts of any likeness."""
    dice = random.Random(3)
    for shared in range(0, 101, 5):
        common = "".join(chr(0x4E00 + dice.randrange(20000)) for _ in range(shared + 4))
        one, other = (
            common + "".join(chr(0x4E00 + dice.randrange(20000)) for _ in range(50))
            for _ in range(2)
        )
        true = jaccard(one, other)
        error = (true * (1 - true) / ORDERS) ** 0.5
        assert abs(estimate(sketch_of(one), sketch_of(other)) - true) < 4 * error + 0.02


WORDS = st.lists(st.sampled_from(["gout", "and", "scabies", "糖尿病", "1"]), max_size=8)


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8), st.sampled_from([0.3, 0.7, 1.0]))
def test_none_that_brute_force_finds_is_missed(
    mine: list[list[str]], theirs: list[list[str]], threshold: float
) -> None:
    ours = {f"q{n}": [" ".join(words)] for n, words in enumerate(mine)}
    items = [" ".join(words) for words in theirs if words]
    found = Ours(ours, threshold).find(Entry(one) for one in items)
    expected = {
        key: max(jaccard(text, item) for item in items)
        for key, (text,) in ours.items()
        if any(jaccard(text, item) >= threshold for item in items)
    }
    assert {key: match.similarity for key, match in found.items()} == expected


HASHES = f"sha256\tsketch\tlanguage\n{'a' * 64}\t{'b' * 256}\ten\n"
LISTS = {
    "queries.txt": ("text", "What is gout?\n\nIs it rare?\n"),
    "queries.tsv": ("question", 'id\tquestion\n1\tWhat is "gout?\n2\tIs it rare?\n'),
    "topics.tsv": ("2", "1\tWhat is gout?\n2\tIs it rare?\n"),
    "queries.csv": ("text", 'text,n\n"What is gout?",1\nIs it rare?,2\n'),
    "queries.jsonl": ("text", '{"text": "What is gout?"}\n\n{"text": "Is it rare?"}\n'),
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("zipped", ["", ".gz"])
def test_lists_of_every_format(name: str, zipped: str, tmp_path: Path) -> None:
    column, text = LISTS[name]
    path = tmp_path / f"{name}{zipped}"
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    texts = [one.text.replace('"', "") for one in read_list(str(path), column, open_)]
    assert texts == ["What is gout?", "Is it rare?"]


def open_(path: str) -> BinaryIO:
    return Path(path).open("rb")


def test_a_list_may_be_parquet(tmp_path: Path) -> None:
    path = tmp_path / "queries.parquet"
    pq.write_table(pa.table({"query": ["What is gout?"], "n": [1]}), path)
    assert list(read_list(str(path), "query", open_)) == [Entry("What is gout?")]
    with pytest.raises(OutsideError, match=r"parquet:1: no column 'text'.*n, query"):
        list(read_list(str(path), "text", open_))


def test_hashes_stand_for_texts(tmp_path: Path) -> None:
    expected = Entry(sha256="a" * 64, sketch=bytes.fromhex("b" * 256))
    (tmp_path / "h.tsv").write_text(HASHES)
    assert list(read_list(str(tmp_path / "h.tsv"), "text", open_)) == [expected]
    (tmp_path / "h.txt").write_text("a" * 64)
    assert list(read_list(str(tmp_path / "h.txt"), "text", open_)) == [Entry(sha256="a" * 64)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.doc", b"x", r"a list ends in \.csv, \.jsonl"),
        ("a.jsonl", b"\n", "holds nothing"),
        ("a.txt", b"\xff\xfe\x00", "cannot be read"),
        ("a.txt.gz", b"plain", "cannot be read"),
        ("a.parquet", b"PAR1", "cannot be read"),
        ("a.jsonl", b"[1]\n", "a.jsonl:1: a JSON list, expected an object"),
        ("a.jsonl", b'{"text": 1}\n', "'text' is a int, expected a text"),
        ("a.jsonl", b"{\n", "a.jsonl:1: no JSON"),
        ("a.tsv", b"id\tquery\n1\tx\n", r"a.tsv:2: no column 'text'; .*: id, query"),
        ("a.tsv", b"sha256\nzz\n", "a.tsv:2: no hash; expected 64"),
    ],
)
def test_lists_that_cannot_be_read(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(OutsideError, match=message):
        list(read_list(str(tmp_path / name), "text", open_))


def test_a_text_of_numbers_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "12"}))
    assert list(read_list(str(tmp_path / "a.jsonl"), "text", open_)) == [Entry("12")]
