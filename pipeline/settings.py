"""Strict construction of frozen dataclasses from TOML: every mistake is named before a run."""

import dataclasses
import difflib
import typing
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class PlanError(ValueError):
    """The plan asks for something that is not there, or in the wrong form."""


def construct(cls: type[T], values: Mapping[str, Any], where: str) -> T:
    """Build `cls` from a TOML table; `where` is the table's name, for the messages.

    Raises PlanError for an unknown key, a missing one or a value of the wrong type.
    """
    kinds = typing.get_type_hints(cls)
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}  # type: ignore[arg-type]
    for key in values:
        if key not in fields:
            raise PlanError(f"{where}: unknown key {key!r}; {known(key, fields)}")
    for name, field in fields.items():
        if name not in values and not _has_default(field):
            raise PlanError(f"{where}: {name!r} is missing")
    try:
        return cls(
            **{key: _convert(value, kinds[key], f"{where}.{key}") for key, value in values.items()}
        )
    except PlanError:
        raise
    except ValueError as error:
        raise PlanError(f"{where}: {error}") from error


def choose(table: Mapping[str, type[T]], name: str, where: str) -> type[T]:
    """The class that a registry holds under `name`; raises PlanError for any other value."""
    if not isinstance(name, str):
        raise PlanError(f"{where}: {name!r} is no name; {known('', table)}")
    if name not in table:
        raise PlanError(f"{where}: unknown name {name!r}; {known(name, table)}")
    return table[name]


def known(name: str, names: Iterable[str]) -> str:
    """The names there are, and the one that was probably meant."""
    ordered = sorted(names)
    close = difflib.get_close_matches(name, ordered, n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    return f"{guess}known: {', '.join(ordered) or 'none'}"


def _has_default(field: "dataclasses.Field[Any]") -> bool:
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


def _convert(value: Any, kind: Any, where: str) -> Any:  # noqa: ANN401
    origin = typing.get_origin(kind)
    if origin is tuple:
        return _convert_tuple(value, kind, where)
    if origin in (dict, Mapping):
        return _convert_dict(value, kind, where)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return (
            value
            if isinstance(value, kind)
            else construct(kind, _expect(value, dict, kind, where), where)
        )
    if kind is float and type(value) is int:
        return float(value)
    return value if not isinstance(kind, type) else _expect(value, kind, kind, where)


def _convert_dict(value: Any, kind: Any, where: str) -> dict[str, Any]:  # noqa: ANN401
    inner = typing.get_args(kind)[1]
    table = _expect(value, dict, kind, where)
    return {key: _convert(item, inner, f"{where}.{key}") for key, item in table.items()}


def _convert_tuple(value: Any, kind: Any, where: str) -> tuple[Any, ...]:  # noqa: ANN401
    inner = typing.get_args(kind)[0]
    items = value if isinstance(value, tuple) else _expect(value, list, kind, where)
    return tuple(_convert(item, inner, f"{where}[{place}]") for place, item in enumerate(items))


def _expect(value: Any, wanted: type, kind: Any, where: str) -> Any:  # noqa: ANN401
    # bool is an int to Python, not to a reader of the plan.
    if isinstance(value, wanted) and not (isinstance(value, bool) and wanted is not bool):
        return value
    shown = getattr(kind, "__name__", kind) if typing.get_origin(kind) is None else kind
    raise PlanError(f"{where}: {value!r} is {type(value).__name__}, expected {shown}")
