import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from pipeline.settings import PlanError, choose, construct, known


@dataclass(frozen=True)
class Inner:
    depth: int = 1


@dataclass(frozen=True)
class Settings:
    size: int
    share: float = 0.5
    label: str = ""
    on: bool = True
    names: tuple[str, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    inner: Inner = field(default_factory=Inner)
    derived: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.size > 100:
            raise ValueError("size: too large")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"size": 3}, Settings(3)),
        ({"size": 3, "share": 1}, Settings(3, share=1.0)),
        ({"size": 3, "names": ["a", "b"]}, Settings(3, names=("a", "b"))),
        ({"size": 3, "names": ("a",)}, Settings(3, names=("a",))),
        ({"size": 3, "on": False, "label": "x"}, Settings(3, on=False, label="x")),
        ({"size": 3, "numbers": {"de": 2}}, Settings(3, numbers={"de": 2})),
        ({"size": 3, "inner": {"depth": 4}}, Settings(3, inner=Inner(4))),
        ({"size": 3, "inner": Inner(4)}, Settings(3, inner=Inner(4))),
    ],
)
def test_a_table_becomes_its_dataclass(values: dict[str, Any], expected: Settings) -> None:
    built = construct(Settings, values, "here")
    assert built == expected
    assert type(built.share) is float
    assert isinstance(built.names, tuple)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "here: 'size' is missing"),
        ({"size": 1, "lable": ""}, "here: unknown key 'lable'; did you mean 'label'?"),
        ({"size": 1, "zzz": ""}, "here: unknown key 'zzz'; known: inner, label, names,"),
        ({"size": 1, "derived": 2}, "here: unknown key 'derived'"),
        ({"size": True}, "here.size: True is bool, expected int"),
        ({"size": 1.0}, "here.size: 1.0 is float, expected int"),
        ({"size": "1"}, "here.size: '1' is str, expected int"),
        ({"size": 1, "share": True}, "here.share: True is bool, expected float"),
        ({"size": 1, "share": "0.5"}, "here.share: '0.5' is str, expected float"),
        ({"size": 1, "on": 1}, "here.on: 1 is int, expected bool"),
        ({"size": 1, "label": 1}, "here.label: 1 is int, expected str"),
        ({"size": 1, "names": "ab"}, "here.names: 'ab' is str, expected tuple[str, ...]"),
        ({"size": 1, "names": ["a", 2]}, "here.names[1]: 2 is int, expected str"),
        ({"size": 1, "numbers": [1]}, "here.numbers: [1] is list, expected"),
        ({"size": 1, "numbers": {"de": True}}, "here.numbers.de: True is bool, expected int"),
        ({"size": 1, "inner": {"deep": 1}}, "here.inner: unknown key 'deep'; did you mean 'depth'"),
        ({"size": 1, "inner": 3}, "here.inner: 3 is int, expected Inner"),
        ({"size": 101}, "here: size: too large"),
    ],
)
def test_every_mistake_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(PlanError, match=re.escape(message)):
        construct(Settings, values, "here")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("innr", "here: unknown name 'innr'; did you mean 'inner'? known: inner, other"),
        ("x", "here: unknown name 'x'; known: inner, other"),
        (3, "here: 3 is no name; known: inner, other"),
    ],
)
def test_a_registry_names_what_it_knows(name: object, message: str) -> None:
    with pytest.raises(PlanError, match=re.escape(message)):
        choose({"other": Settings, "inner": Inner}, cast(str, name), "here")


def test_a_registry_gives_the_class() -> None:
    assert choose({"inner": Inner}, "inner", "here") is Inner
    assert known("x", ()) == "known: none"
