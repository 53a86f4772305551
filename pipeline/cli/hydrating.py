"""The command that puts back the texts which a release withholds."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.base import DONE, FELL_SHORT, AsJson, Release, errors

commands = typer.Typer()


@commands.command()
def hydrate(
    release: Release,
    umls: Annotated[str, typer.Option(metavar="META", help="Your own META folder.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where the release with its texts goes.")
    ],
    as_json: AsJson = False,
) -> None:
    """Restore the texts that a release of the profile ids withholds, from your own Metathesaurus.

    Writes the release that the same plan would have built under the profile local, which must not
    be published. Every text is checked by its hash. A concept that your META has retired is
    followed to its successor. What cannot be restored keeps its placeholder and is named, row by
    row; the exit code is then 1.

    Example: mmed-bench hydrate mmed-bench-ids --umls /data/2025AB/META --output build/restored
    """
    with errors():
        from pipeline.hydrate import hydrate as restore  # noqa: PLC0415

        done = restore(release, umls, output)
        if as_json:
            told = {**asdict(done), "folder": str(done.folder)}
            typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
        else:
            for one in done.unrestored:
                typer.echo(f"not restored: {one}")
            typer.echo(f"{done.texts} texts restored, {len(done.unrestored)} rows not")
            typer.echo(f"{done.folder}, build hash {done.build_hash}")
        raise typer.Exit(FELL_SHORT if done.unrestored else DONE)
