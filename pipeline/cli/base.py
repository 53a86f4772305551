"""What every command shares: common options, and how it fails."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer

DONE, FELL_SHORT, WRONG_REQUEST = 0, 1, 2

PlanName = Annotated[str, typer.Argument(metavar="PLAN", help="A bundled plan's name, or a file.")]
Changes = Annotated[
    list[str], typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the plan.")
]
Release = Annotated[Path, typer.Argument(metavar="RELEASE", help="The folder of a release.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a machine to read.")]


@contextmanager
def errors() -> Iterator[None]:
    """Turn what is known to go wrong into one line and an exit code."""
    try:
        yield
    except (typer.Exit, typer.Abort):
        raise
    except (ValueError, OSError, RuntimeError) as error:
        fail(_message(error), _code(error))


def _code(error: Exception) -> int:
    """A wrong plan or path is the request's fault; what the files hold is the data's."""
    from pipeline.settings import PlanError  # noqa: PLC0415

    return WRONG_REQUEST if isinstance(error, (PlanError, FileNotFoundError)) else FELL_SHORT


def _message(error: Exception) -> str:
    message = str(error)
    if isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if os.strerror(errno.ENOSPC) in message:
        message += "; free some space or name another --output"
    return message


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong, on stderr, and end."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(code)
