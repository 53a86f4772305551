"""The keys of a plan's table, read from the dataclass that the table becomes."""

import ast
import dataclasses
import inspect
import textwrap
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.reference.markdown import literal, prose, table

# What a plan's author writes, for each type that a field may have.
KINDS: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "true or false"}


def key_table(cls: type, without: tuple[str, ...] = ()) -> str:
    """A row for each field: key, type, default and what the comment beside it says."""
    comments = field_comments(cls)
    rows = [
        (f"`{name}`", kind, default, comments.get(name, ""))
        for name, kind, default in _keys(cls)
        if name not in without
    ]
    return table(("key", "type", "default", "meaning"), rows) if rows else ""


def field_comments(cls: type) -> dict[str, str]:
    """For each field, the comment that ends its line, or those right above it."""
    found: dict[str, str] = {}
    for owner in reversed(cls.__mro__):
        if dataclasses.is_dataclass(owner):
            found |= _own_comments(owner)
    return found


def _own_comments(cls: type) -> dict[str, str]:
    lines = textwrap.dedent(inspect.getsource(cls)).splitlines()
    (body,) = ast.parse("\n".join(lines)).body
    found = {}
    for node in typing.cast(ast.ClassDef, body).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            last = node.end_lineno or node.lineno
            beside = lines[last - 1].encode()[node.end_col_offset :].decode().strip()
            found[node.target.id] = prose(beside.lstrip("# ") or _above(lines, node.lineno - 1))
    return found


def _above(lines: list[str], place: int) -> str:
    start = place
    while start and lines[start - 1].strip().startswith("#"):
        start -= 1
    return " ".join(line.strip().lstrip("# ") for line in lines[start:place])


def _keys(cls: type) -> Iterator[tuple[str, str, str]]:
    kinds = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        yield field.name, kind_of(kinds[field.name]), _default(field)


def kind_of(kind: Any) -> str:  # noqa: ANN401
    """The name of a type in a plan; a registry's class is chosen by its name."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return f"list of {kind_of(inner[0])}s"
    if origin in (dict, Mapping):
        return f"table of {kind_of(inner[1])}s"
    if origin in (typing.Union, types.UnionType):
        return kind_of(next(one for one in inner if one is not type(None)))
    return KINDS.get(kind, "name")


def _default(field: "dataclasses.Field[Any]") -> str:
    if field.default is not dataclasses.MISSING:
        return literal(field.default)
    if field.default_factory is not dataclasses.MISSING:
        return literal(field.default_factory())
    return "required"
