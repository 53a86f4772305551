"""Commands that run retrieval systems and score them."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.base import DONE, FELL_SHORT, AsJson, Release, errors

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


@commands.command()
def difficulty(
    release: Release,
    system: Annotated[
        list[str], typer.Option(help="A system that judges; without it and --run, bm25.")
    ] = [],  # noqa: B006
    run: Annotated[
        list[Path], typer.Option(metavar="RUN", help="A folder of run files that judges.")
    ] = [],  # noqa: B006
    write: Annotated[
        bool, typer.Option("--write", help="Put it into the card and quality/difficulty.json.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say whether the tiers of the confusion sets are as hard as they are called.

    Accuracy@1 by tier and language, with intervals over circles of concepts, by systems that the
    sets were not mined with; tiers dealt out anew; and what is found without reading the question.
    Exits 1 where accuracy does not fall from tier to tier in English, or a shortcut helps.

    Example: mmed-bench difficulty build/sample/0.1.0 --system bm25 --write
    """
    with errors():
        import json  # noqa: PLC0415

        from pipeline.difficulty import (  # noqa: PLC0415
            NOT_MINED_WITH,
            difficulty_json,
            difficulty_section,
            measure_difficulty,
            write_difficulty,
        )
        from pipeline.systems.choice import build_system  # noqa: PLC0415

        names = system or ([] if run else NOT_MINED_WITH)
        found = measure_difficulty(release, [build_system(name) for name in names], run)
        told = difficulty_json(found)
        typer.echo(json.dumps(told, indent=2) if as_json else difficulty_section(found))
        if write:
            write_difficulty(release, found)
        raise typer.Exit(FELL_SHORT if found.faults else DONE)


@commands.command()
def leaderboard(
    release: Release,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="A folder of run files, or one file.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder to write into.")
    ] = None,
) -> None:
    """Write a page that ranks runs, with intervals, and lets one look through every query.

    One self-contained index.html; board.md for papers and, with the extra `plots`, board.png.
    Systems that no test tells apart share a rank group.

    Example: mmed-bench leaderboard build/sample/0.1.0 build/runs/sample/bm25 -o site
    """
    with errors():
        from pipeline.leaderboard.writing import write_leaderboard  # noqa: PLC0415

        folder = output or Path("build") / "site" / release.resolve().parent.name
        for path in write_leaderboard(release, runs, folder):
            typer.echo(f"wrote  {path}")


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
