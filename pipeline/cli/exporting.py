"""Commands that write a release for others' use."""

from pathlib import Path
from typing import Annotated

import typer
from typer.models import TyperInfo

from pipeline.cli.base import Release, errors

commands = typer.Typer()
export_app = typer.Typer(help="Write a release for others' use.", no_args_is_help=True)
commands.registered_groups = [TyperInfo(export_app, name="export")]


@export_app.command("hashes")
def export_hashes(
    release: Release,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A .tsv file.")],
) -> None:
    """Write hashes of every query text, by which others decontaminate without the text.

    Each row has the SHA-256 of the normalised text, a sketch by which near duplicates are told,
    and the language. Such a file may stand in a plan's overlap.external.

    Example: mmed-bench export hashes build/sample/0.1.0 -o hashes.tsv
    """
    with errors():
        from pipeline.export_hashes import export_hashes as write_hashes  # noqa: PLC0415

        typer.echo(f"{write_hashes(release, output)} texts in {output}")
