import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evidence import READERS, EvidenceError
from pipeline.evidence.units import passage_id, place, source_id

parts = st.lists(st.text(min_size=1, max_size=6), min_size=2, max_size=2)


@given(parts, parts)
def test_passage_ids_are_safe_and_differ_when_a_part_does(one: list[str], other: list[str]) -> None:
    first, second = passage_id("beir", *one), passage_id("beir", *other)
    assert re.fullmatch(r"[A-Za-z0-9._-]+", first)
    assert (first == second) == (one == other)


@pytest.mark.parametrize(
    ("given_parts", "expected"),
    [
        (("nfcorpus", "MED-10"), "beir-nfcorpus-MED-10"),
        (("trec-covid", "ug7v899j"), "beir-trec.2dcovid-ug7v899j"),
        (("a", "b-c"), "beir-a-b-c"),
        (("a-b", "c"), "beir-a.2db-c"),
        (("x", "1.5 µ"), "beir-x-1.2e5.20.c2.b5"),
    ],
)
def test_passage_ids_stay_readable(given_parts: tuple[str, ...], expected: str) -> None:
    assert passage_id("beir", *given_parts) == expected


def test_ids_do_not_depend_on_where_the_data_is_kept() -> None:
    paths = ["/data/medquad/1_X/7.xml", "gs://bucket/medquad/1_X/7.xml", "1_X/7.xml.gz"]
    assert {place(path) for path in paths} == {"1_X/7"}
    assert source_id("medquad", paths[0], "2") == "medquad:1_X/7:2"


@pytest.mark.parametrize("name", sorted(READERS))
def test_nothing_to_read_is_an_error_that_names_the_reader(name: str) -> None:
    with pytest.raises(EvidenceError, match=rf"{name}: no \*\.\w+ among 2 files"):
        READERS[name]().units(["a/readme.txt", "a/.hidden.xml"])


@pytest.mark.parametrize("name", ["medquad", "pubmed", "pubmedqa", "bioasq", "mmedbench", "beir"])
def test_files_that_would_share_ids_are_refused(name: str) -> None:
    endings = {"medquad": "x.xml", "pubmed": "x.xml", "mmedbench": "en.jsonl", "beir": "x.jsonl"}
    file = endings.get(name, "x.json")
    with pytest.raises(EvidenceError, match="would give the same ids"):
        READERS[name]().units([f"one/data/{file}", f"two/data/{file}"])


def test_units_come_in_order_of_path_without_hidden_files() -> None:
    listing = ["d/b.xml", "d/._a.xml", "d/a.xml.gz", "d/readme.txt"]
    assert READERS["pubmed"]().units(listing) == ("d/a.xml.gz", "d/b.xml")


def test_readers_travel_to_workers() -> None:
    readers = [reader() for reader in READERS.values()]
    assert pickle.loads(pickle.dumps(readers)) == readers


def test_every_reader_is_its_own_configuration() -> None:
    assert all(reader(licence="X").licence == "X" for reader in READERS.values())  # type: ignore[call-arg]
