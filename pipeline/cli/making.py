"""Commands that make a release: from a plan, or a part of the way."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.base import AsJson, Changes, PlanName, errors

commands = typer.Typer()


@commands.command()
def build(  # noqa: PLR0913, PLR0917 - one parameter an option
    plan: PlanName,
    output: Annotated[
        Path | None, typer.Option(help="Where releases go; by default what the plan says.")
    ] = None,
    change: Changes = [],  # noqa: B006 - typer reads it, nobody writes to it
    runner: Annotated[str, typer.Option(help="local, or the name of a Beam runner.")] = "local",
    workers: Annotated[int, typer.Option(min=1, help="Local worker processes.")] = 1,
    option: Annotated[
        list[str], typer.Option(metavar="--NAME=VALUE", help="An option for the Beam runner.")
    ] = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """Build a release from a plan.

    Example: mmed-bench build sample --workers 2
    """
    with errors():
        from pipeline.plan_file import load_plan  # noqa: PLC0415

        loaded = load_plan(plan, change)  # first: a misspelt plan need not wait for Beam to load

        from pipeline.build import build as run_build  # noqa: PLC0415
        from pipeline.progress import shown_progress  # noqa: PLC0415
        from pipeline.report import print_built  # noqa: PLC0415
        from pipeline.stages.running import Engine  # noqa: PLC0415

        with shown_progress():
            built = run_build(
                loaded, output or Path(loaded.output), Engine(runner, workers, tuple(option))
            )
        print_built(built, as_json=as_json)


@commands.command()
def concepts(
    plan: PlanName,
    output: Annotated[Path, typer.Option(help="Folder for the files; it must be new or theirs.")],
    change: Changes = [],  # noqa: B006
    workers: Annotated[int, typer.Option(min=1, help="Local worker processes.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Read the plan's Metathesaurus alone: its concepts as Parquet files.

    Only what the plan's languages and licence level let be seen is written.

    Example: mmed-bench concepts umls --set umls.meta=/data/2025AB/META --output concepts
    """
    with errors():
        from pipeline.plan_file import load_plan  # noqa: PLC0415

        loaded = load_plan(plan, change)

        from pipeline.concept_files import write_concepts  # noqa: PLC0415
        from pipeline.progress import shown_progress  # noqa: PLC0415
        from pipeline.report import print_concepts  # noqa: PLC0415
        from pipeline.stages.running import Engine  # noqa: PLC0415

        with shown_progress():
            written = write_concepts(loaded, output, Engine(workers=workers))
        print_concepts(written, as_json=as_json)


@commands.command()
def check(plan: PlanName, change: Changes = [], as_json: AsJson = False) -> None:  # noqa: B006
    """Validate a plan and its inputs and lay out the graph; runs nothing.

    Reads MRCONSO once and says, by language and by source, what the licence gate leaves and takes.

    Example: mmed-bench check my-plan.toml --set umls.meta=/data/2025AB/META
    """
    with errors():
        from pipeline.plan_file import load_plan  # noqa: PLC0415

        loaded = load_plan(plan, change)

        from pipeline.inputs import find_inputs, measure_inputs  # noqa: PLC0415
        from pipeline.licence_check import survey  # noqa: PLC0415
        from pipeline.report import print_checked  # noqa: PLC0415
        from pipeline.stages.running import lay_out  # noqa: PLC0415

        inputs = find_inputs(loaded)
        transforms = lay_out(loaded, inputs.meta, inputs.units)
        measured, gate = measure_inputs(loaded, inputs), survey(inputs.meta)
        print_checked(loaded, measured, gate, transforms, as_json=as_json)
