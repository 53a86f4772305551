"""The measure of shortcuts finds those that are planted, and nothing where there is nothing."""

from collections.abc import Callable

import pytest

from pipeline.text import draw
from umls_tools.confusion.shortcuts import (
    SHORTCUTS,
    Face,
    Found,
    Sighted,
    shortcut_rates,
    times_shown,
)

SETS, SIZE = 400, 10


def face(number: int, lot: int) -> Face:
    name = "".join("abcdefghij"[int(digit)] for digit in str(lot))[: 4 + lot % 9]
    return Face(f"C{number:07d}", name.replace("j", " "), f"S{lot % 3}", f"T{lot % 4}", lot % 7)


def invented(plant: Callable[[Face], Face], reuse: int = 997) -> list[Sighted]:
    """Sets of drawn names; of the gold, `plant` makes another face."""
    sets = []
    for number in range(SETS):
        lots = [draw(7, "face", str(number), str(place)) for place in range(SIZE)]
        faces = [face(lot % reuse, lot) for lot in lots]
        gold = draw(7, "gold", str(number)) % SIZE
        faces[gold] = plant(faces[gold])
        sets.append(Sighted(tuple(faces), gold))
    return sets


def renamed(one: Face, **changes: object) -> Face:
    fields = {slot: getattr(one, slot) for slot in Face.__slots__}
    return Face(**(fields | changes))


PLANTED: dict[str, Callable[[Face], Face]] = {
    "longest name": lambda one: renamed(one, name=f"{one.name}zzzzzzzzzzzz"),
    "shortest name": lambda one: renamed(one, name="ab"),
    "most words": lambda one: renamed(one, name="a b c d e f"),
    "rarest source": lambda one: renamed(one, source="ELSE"),
    "rarest term type": lambda one: renamed(one, term_type="ELSE"),
    "most names": lambda one: renamed(one, names=99),
    "fewest names": lambda one: renamed(one, names=-1),
    "least often shown": lambda one: renamed(one, concept=f"D{one.concept}{one.name}{one.names}"),
    "highest CUI": lambda one: renamed(one, concept=f"Z{one.concept}"),
    "lowest CUI": lambda one: renamed(one, concept=f"A{one.concept}"),
    "capital letter": lambda one: renamed(one, name=f"Z{one.name}"),
    "least like the others": lambda one: renamed(one, name="qqqqqqqq"),
}


def rates(sets: list[Sighted]) -> dict[str, Found]:
    return {one.shortcut: one for one in shortcut_rates(sets, times_shown(sets))}


def test_nothing_tells_where_golds_are_drawn() -> None:
    found = rates(invented(lambda one: one))
    assert found.keys() == SHORTCUTS.keys()
    assert [one for one in found.values() if one.tells] == []


@pytest.mark.parametrize("shortcut", PLANTED)
def test_a_planted_shortcut_is_found(shortcut: str) -> None:
    found = rates(invented(PLANTED[shortcut]))[shortcut]
    assert found.tells, found


def test_common_words_are_seen() -> None:
    names = ["renal failure", "renal colic", "liver failure", "gout", ""]
    faces = [renamed(face(number, number), name=name) for number, name in enumerate(names)]
    assert list(SHORTCUTS["commonest words"](faces, {})) == [2.0, 1.5, 1.5, 1.0, 0.0]
    assert list(SHORTCUTS["rarest words"](faces, {})) == [-2.0, -1.5, -1.5, -1.0, -0.0]


def test_position_is_seen() -> None:
    first = [Sighted(one.faces, 0) for one in invented(lambda one: one)]
    assert rates(first)["first"].rate == 1.0
    assert rates(first)["last"].rate == 0.0


def test_whole_circles_are_at_chance_exactly() -> None:
    """Ten sets of the same ten candidates, each with another gold: no view tells them apart."""
    one = invented(lambda face: face)[0]
    circle = [Sighted(one.faces, gold) for gold in range(SIZE)]
    assert {round(found.rate, 9) for found in rates(circle).values()} == {0.1}


@pytest.mark.parametrize(
    ("sets", "rate", "tells"),
    [
        (70, 0.19, False),
        (70, 0.24, True),
        (4000, 0.129, False),
        (4000, 0.131, True),
        (0, 0.0, False),
    ],
)
def test_tolerance_is_what_so_few_sets_scatter_by(sets: int, rate: float, tells: bool) -> None:
    assert Found("it", sets, rate, 0.1).tells is tells
