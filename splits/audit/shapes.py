"""Whether a JSON value has the shape that it should: every place where it has not is named."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Union

Shape = Union[type, "Text", "ListOf", "MapOf", "Fields"]

_NAMES = {str: "a string", int: "a whole number", list: "a list", dict: "an object"}


@dataclass(frozen=True, slots=True)
class Text:
    """A string of which a pattern matches the whole."""

    pattern: str
    meaning: str  # as the fault words it


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of which every item has one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with keys of any name, each value of one shape."""

    value: Shape


@dataclass(frozen=True, slots=True)
class Fields:
    """An object that has these keys at least."""

    fields: Mapping[str, Shape]


def misfits(value: object, shape: Shape, where: str = "") -> Iterator[str]:
    """What does not fit, each led by its place, such as ``files.3.rows``."""
    if isinstance(shape, Text):
        if not isinstance(value, str) or not re.fullmatch(shape.pattern, value):
            yield f"{where}: {value!r} is not {shape.meaning}"
    elif isinstance(shape, ListOf):
        yield from _kind(value, list, where) or _in_list(value, shape.item, where)
    elif isinstance(shape, MapOf):
        yield from _kind(value, dict, where) or _in_map(value, shape.value, where)
    elif isinstance(shape, Fields):
        yield from _kind(value, dict, where) or _in_fields(value, shape.fields, where)
    else:
        yield from _kind(value, shape, where)


def _kind(value: object, kind: type, where: str) -> list[str]:
    """A truth value is no number, though Python counts it as one."""
    if isinstance(value, kind) and not isinstance(value, bool) and _is_text_of_utf8(value):
        return []
    return [f"{where}: {_short(value)} is not {_NAMES[kind]}"]


def _is_text_of_utf8(value: object) -> bool:
    """JSON can spell half a character, which no file of UTF-8 can hold."""
    try:
        return not isinstance(value, str) or bool(value.encode()) or not value
    except UnicodeEncodeError:
        return False


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."  # noqa: PLR2004 - of a line


def _in_list(value: object, item: Shape, where: str) -> Iterator[str]:
    for place, one in enumerate(value if isinstance(value, list) else ()):
        yield from misfits(one, item, f"{where}.{place}")


def _in_map(value: object, shape: Shape, where: str) -> Iterator[str]:
    for key, one in sorted(value.items()) if isinstance(value, dict) else ():
        yield from misfits(one, shape, f"{where}.{key}")


def _in_fields(value: object, fields: Mapping[str, Shape], where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    for key, shape in fields.items():
        below = f"{where}.{key}" if where else key
        if key in value:
            yield from misfits(value[key], shape, below)
        else:
            yield f"{below}: missing"
