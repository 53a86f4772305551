"""The commands and their options, read from the command line itself."""

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

import typer

from pipeline.cli import app
from pipeline.reference.markdown import literal, prose, table
from pipeline.scorer.cli import EPILOG, base_parser

_EXAMPLE = "Example: "
_SCORE = "score"  # hands all that it is given to the scorer, whose options it has
_REPEATED = "none; may be repeated"


def command_names() -> list[str]:
    """Every command, in the order of the help."""
    return list(_commands())


def command_sections() -> Iterator[str]:
    """A section for each command."""
    for name, command in _commands().items():
        if name == _SCORE:
            yield from _score_section(_described(command.help))
            continue
        arguments = [one for one in command.params if not _is_option(one)]
        options = [one for one in command.params if _is_option(one)]
        named = ["[OPTIONS]"] * bool(options) + [_placeholder(one) for one in arguments]
        usage = " ".join(["mmed-bench", name, *named])
        yield f"## {name}\n\n{_described(command.help)}\n\nUsage: `{usage}`"
        yield from _parameters("argument", arguments)
        yield from _parameters("option", options)


def _score_section(described: str) -> Iterator[str]:
    usage = f"mmed-bench {_SCORE} [OPTIONS] RELEASE RUN…"
    yield f"## {_SCORE}\n\n{described}\n\n{prose(EPILOG)}\n\nUsage: `{usage}`"
    actions = base_parser(_SCORE)._actions  # argparse has no public list of them
    rows = [
        (
            f"`{' '.join(filter(None, (one.option_strings[-1], str(one.metavar or ''))))}`",
            _REPEATED if isinstance(one.default, list) else "",
            one.help or "",
        )
        for one in actions
        if not isinstance(one, argparse._HelpAction)
    ]
    yield table(("option", "default", "meaning"), rows)


def _commands() -> dict[str, Any]:
    """By name; those of a group after its own."""
    group: Any = typer.main.get_command(app)
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        found |= {f"{name} {one}": inner[one] for one in inner} if inner else {name: command}
    return found


def _is_option(parameter: Any) -> bool:  # noqa: ANN401 - typer names no type for these
    return bool(parameter.opts[0].startswith("-"))


def _described(text: str | None) -> str:
    """The help, with its example as one to be copied."""
    paragraphs = prose(text).split("\n\n")
    return "\n\n".join(
        f"```console\n$ {one.removeprefix(_EXAMPLE)}\n```" if one.startswith(_EXAMPLE) else one
        for one in paragraphs
    )


def _parameters(kind: str, parameters: Iterable[Any]) -> Iterator[str]:
    rows = [(f"`{_written(one)}`", _default(one), one.help or "") for one in parameters]
    if rows:
        yield table((kind, "default", "meaning"), rows)


def _placeholder(parameter: Any) -> str:  # noqa: ANN401
    return str(parameter.metavar or parameter.name.upper())


def _written(parameter: Any) -> str:  # noqa: ANN401
    if not _is_option(parameter):
        return _placeholder(parameter)
    value = "" if parameter.is_flag else " " + _placeholder(parameter)
    return "/".join(parameter.opts) + value


def _default(parameter: Any) -> str:  # noqa: ANN401
    if parameter.required:
        return "required"
    if parameter.multiple:
        return _REPEATED
    if parameter.default is None or parameter.is_flag:
        return ""
    plain = isinstance(parameter.default, (int, float))
    return literal(parameter.default if plain else str(parameter.default))
