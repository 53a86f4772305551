"""The command that exchanges translation memories with people and programs."""

from enum import StrEnum
from typing import Annotated

import typer

from pipeline.cli.base import errors

commands = typer.Typer()


class Exchange(StrEnum):
    """Into a memory, or out of it."""

    IMPORT = "import"
    EXPORT = "export"


@commands.command()
def memory(
    exchange: Annotated[Exchange, typer.Argument(metavar="import|export", help="Which way.")],
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Files that end in .tmx, .tsv or .parquet, or folders."
        ),
    ],
    to: Annotated[
        str, typer.Option(help="A folder to import to, a .tmx or .tsv file to export to.")
    ],
) -> None:
    """Exchange a translation memory with people and programs; who made an entry stays with it.

    What is imported goes into a folder, for a plan's translation.memory. Units of a TMX file that
    say nothing of an engine count as human translations, which serve every engine.

    Example: mmed-bench memory import corrected.tmx --to data/ours
    """
    with errors():
        from translation.exchange import export_memory, import_memory  # noqa: PLC0415

        carry = import_memory if exchange is Exchange.IMPORT else export_memory
        carried = carry(paths, to)
        typer.echo(f"{carried.entries:,} entries in {carried.path}")
        for reason, number in carried.left_out.items():
            typer.echo(f"{number:,} left out: {reason}")
