"""Commands that hold a release against another, or against itself made again."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.base import (
    DONE,
    FELL_SHORT,
    WRONG_REQUEST,
    AsJson,
    Changes,
    Release,
    errors,
    fail,
)

commands = typer.Typer()


@commands.command()
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The folder of the older release.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The folder of the newer one.")],
    as_json: AsJson = False,
) -> None:
    """Say what differs between two releases, and which version the newer one must bear.

    Exits 1 where its version says less than what happened.

    Example: mmed-bench diff build/umls/1.0.0 build/umls/1.1.0
    """
    with errors():
        from pipeline.diff.comparing import compare  # noqa: PLC0415
        from pipeline.diff.showing import as_json as to_json  # noqa: PLC0415
        from pipeline.diff.showing import as_lines  # noqa: PLC0415

        found = compare(old, new)
        for line in [to_json(found)] if as_json else as_lines(found):
            typer.echo(line)
        raise typer.Exit(DONE if found.is_right else FELL_SHORT)


@commands.command()
def rebuild(  # noqa: PLR0913, PLR0917 - one parameter an option
    release: Release,
    check: Annotated[
        bool, typer.Option("--check", help="Compare, and keep nothing of the second.")
    ] = False,
    output: Annotated[Path | None, typer.Option(help="Where the second release goes.")] = None,
    base: Annotated[
        str, typer.Option(help="The folder from which relative paths of its plan start.")
    ] = "",
    change: Changes = [],  # noqa: B006
    workers: Annotated[int, typer.Option(min=1, help="Local worker processes.")] = 1,
) -> None:
    """Repeat a release from its own manifest, and compare the two file by file.

    Its inputs must be where its plan says, or where --base or --set say; that they are the same
    files is checked by their hashes before anything is built. Exits 1 where data, verdicts,
    rejects or certificate are not the same bytes.

    Example: mmed-bench rebuild --check build/sample/0.1.0
    """
    with errors():
        if check == (output is not None):
            fail("say --check, or name an --output", WRONG_REQUEST)

        from pipeline.progress import shown_progress  # noqa: PLC0415
        from pipeline.rebuilding import rebuild as make_again  # noqa: PLC0415
        from pipeline.stages.running import Engine  # noqa: PLC0415

        with tempfile.TemporaryDirectory() as folder, shown_progress():
            made = make_again(
                release, output or Path(folder), Engine(workers=workers), change, base
            )
        for name, (before, now) in made.software.items():
            typer.echo(f"NOTE {name}: {before} then, {now} now")
        for path in made.beside:
            typer.echo(f"NOTE {path}: differs, and counts for no build hash")
        for path in made.differing:
            typer.echo(f"FAULT {path}: not the same bytes")
        typer.echo(f"build hash {made.build_hash}, expected {made.expected_hash}")
        raise typer.Exit(DONE if made.is_same else FELL_SHORT)
