"""Commands that run retrieval systems and score them."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.base import Release, errors

commands = typer.Typer()


@commands.command()
def retrieve(
    release: Release,
    system: Annotated[str, typer.Option(help="The retrieval system.")] = "bm25",
    output: Annotated[Path | None, typer.Option(help="Folder for the run files.")] = None,
    depth: Annotated[int, typer.Option(min=1, help="Documents a query, at most.")] = 100,
    change: Annotated[
        list[str], typer.Option("--set", metavar="KEY=VALUE", help="A setting of the system.")
    ] = [],  # noqa: B006
) -> None:
    """Run a retrieval system over every subset and write one TREC run file each.

    Example: mmed-bench retrieve build/sample/0.1.0 --system bm25
    """
    with errors():
        from pipeline.report import print_retrieved  # noqa: PLC0415
        from pipeline.systems.choice import build_system  # noqa: PLC0415
        from pipeline.systems.retrieve import retrieve as run_system  # noqa: PLC0415

        chosen = build_system(system, change)
        folder = output or Path("build") / "runs" / release.resolve().parent.name / system
        print_retrieved(run_system(release, chosen, folder, depth=depth), folder)


@commands.command(
    context_settings={
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "help_option_names": [],
    }
)
def score(context: typer.Context) -> None:
    """Score run files against a release; the same as `python scorer.pyz`."""
    from pipeline.scorer.cli import main as score_main  # noqa: PLC0415

    raise typer.Exit(score_main(context.args))
