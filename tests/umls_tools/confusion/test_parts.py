"""Parts of the index: whoever makes them, and in whatever order they come, the index is one."""

import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.records import Concept, Name, Relation
from umls_tools.confusion.arrays import ConfusionError
from umls_tools.confusion.building import arrays_of
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.mine import Rules, mine
from umls_tools.confusion.nearest.names import Reach
from umls_tools.confusion.parts import natural, part_of, read_part, write_part
from umls_tools.confusion.tiers import TIERS, Hard

SYLLABLES = ("bal", "dor", "fen", "gil", "hum", "kor", "lim", "nar")
KINDS = ("parent", "child", "synonym", "family", "broader", "narrower")


def spell(number: int) -> str:
    return "".join(SYLLABLES[int(digit)] for digit in f"{number:o}")


def invented(seed: int, size: int = 60) -> list[Concept]:
    chance = Random(seed)
    cuis = [f"C{number:07d}" for number in range(size)]

    def relations() -> tuple[Relation, ...]:
        drawn = [(chance.choice(KINDS), chance.choice([*cuis, "C9999999"])) for _ in range(3)]
        return tuple(Relation(kind, cui, chance.choice(["ONE", "TWO"])) for kind, cui in drawn)

    def name(language: str) -> Name:
        text = " ".join(spell(chance.randrange(64)) for _ in range(2))
        code = f"{chance.choice('AB')}{chance.randrange(30)}"
        source = chance.choice(["ICD10", "ATC"])
        return Name(text, language, source, "PT", f"A{text}", 0, preferred=False, code=code)

    return [
        Concept(cui, (name("en"), name("en"), name("de")), ("T047",), (), relations())
        for cui in cuis
    ]


def same(left: dict[str, Any], right: dict[str, Any]) -> bool:
    lists = ({name: a.tolist() for name, a in arrays.items()} for arrays in (left, right))
    first, second = lists
    return first == second


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 7), st.randoms(use_true_random=False))
def test_parts_in_any_order_make_one_index(seed: int, parts: int, chance: Random) -> None:
    concepts = invented(seed, 25)
    whole = arrays_of([part_of(concepts)], {"C0000003", "C9999999"})
    chance.shuffle(concepts)
    cut = [part_of(concepts[place::parts]) for place in range(parts)]
    assert same(arrays_of(cut, ["C9999999", "C0000003"]), whole)


def test_a_part_survives_its_file(tmp_path: Path) -> None:
    concepts = invented(1)
    paths = [str(tmp_path / name) for name in ("one", "two")]
    write_part(paths[0], part_of(concepts))
    write_part(paths[1], part_of(reversed(concepts)))
    assert Path(paths[0]).read_bytes() == Path(paths[1]).read_bytes()
    assert same(dict(read_part(paths[0])), dict(part_of(concepts)))


def test_empty_parts_are_nothing() -> None:
    concepts = invented(2)
    assert len(ConceptIndex.from_parts([])) == len(ConceptIndex.build([])) == 0
    whole = arrays_of([part_of(concepts)])
    assert same(arrays_of([part_of([]), part_of(concepts), part_of([])]), whole)


def test_a_concept_in_two_parts_is_refused() -> None:
    concepts = invented(3)
    parts = [part_of(concepts), part_of(concepts[7:8])]
    with pytest.raises(ConfusionError, match="C0000007: given twice; merge its names"):
        arrays_of(parts)


@pytest.mark.parametrize(
    "codes",
    [
        ["A9", "A10"],
        ["A09.9", "A10"],
        ["9", "10", "011", "A"][:3],
        ["A", "A1", "A1B", "A1B2", "AB"][:4],
        ["A", "AB"],
        ["A5", "AB"],
        ["C10.5", "C10.A", "C10.AB"][1:],
        ["1.2", "1.10"],
        ["99999999999", "100000000000"],
    ],
)
def test_codes_sort_as_their_makers_count(codes: list[str]) -> None:
    assert sorted(codes, key=natural) == codes
    assert len({natural(code) for code in codes}) == len(codes)


def parted(code: str) -> tuple[tuple[int, str], ...]:
    parts = re.findall(r"[0-9]+|[^0-9]+", code)
    return tuple((int(part), "") if part[0].isdigit() else (-1, part) for part in parts)


@given(st.lists(st.text(alphabet="0019.AB-", max_size=8), min_size=2, max_size=8))
def test_natural_order_is_that_of_numbers_and_letters(codes: list[str]) -> None:
    ordered = sorted(codes, key=lambda code: (natural(code), code))
    assert ordered == sorted(codes, key=lambda code: (parted(code), code))
    for left, right in pairwise(ordered):
        assert (natural(left) == natural(right)) == (parted(left) == parted(right))


def test_a_hot_parent_and_a_hot_word_bound_what_is_looked_at() -> None:
    """Two thousand siblings whose names have a word in common: the work is that of the caps."""
    edge = (Relation("parent", "C9000000", "ONE"),)

    def child(number: int) -> Concept:
        texts = (f"tablet {spell(number + 64)}", f"{spell(number + 9_999)} pill")
        names = (Name(text, "en", "ONE", "PT", f"A{text}", 0, preferred=False) for text in texts)
        return Concept(f"C{number:07d}", tuple(names), ("T121",), (), edge)

    children = [child(number) for number in range(2_000)]
    reach = Reach(300, 50, 0.0)
    index = ConceptIndex.from_arrays(arrays_of([part_of(children)], reach=reach))
    assert index.names.sampled >= 7  # the word and its grams, at least
    assert (index.names.holder_starts[1:] - index.names.holder_starts[:-1]).max() == 300
    tiers = {name: tier() for name, tier in TIERS.items()} | {"hard": Hard(cap=40)}
    mined = mine(index, "C0000005", tiers, Rules(size=9, seed=1))
    (hard,) = (one for one in mined.circles if one.tier == "hard")
    counts = dict(mined.excluded)
    assert len(hard.members) == 10
    # children of the one parent that the sample leaves out, and holders of the name's keys
    assert counts["beyond_cap"] > 2_000 - 40
