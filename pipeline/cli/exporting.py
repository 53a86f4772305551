"""Commands that write a release for others' use."""

from pathlib import Path
from typing import Annotated

import typer
from typer.models import TyperInfo

from pipeline.cli.base import Release, errors

commands = typer.Typer()
export_app = typer.Typer(help="Write a release for others' use.", no_args_is_help=True)
commands.registered_groups = [TyperInfo(export_app, name="export")]

NewFolder = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="A folder that is not there yet.")
]


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


@export_app.command("beir")
def export_beir(release: Release, output: NewFolder) -> None:
    """Write BEIR's folders, one a subset: corpus.jsonl, queries.jsonl and qrels/test.tsv.

    Subsets of concepts have candidates.trec besides: the documents to rank for each query.

    Example: mmed-bench export beir build/sample/0.1.0 -o beir
    """
    with errors():
        from pipeline.export import export_beir as write_beir  # noqa: PLC0415

        _say(write_beir(release, output), output)


@export_app.command("trec")
def export_trec(release: Release, output: NewFolder) -> None:
    """Write topics.tsv and qrels.txt a subset, and a task's documents as JSON lines.

    Topics are an id and a text between a tab; tabs and line breaks within a text become blanks.
    Subsets of concepts have candidates.trec besides: the documents to rank for each query.

    Example: mmed-bench export trec build/sample/0.1.0 -o trec
    """
    with errors():
        from pipeline.export import export_trec as write_trec  # noqa: PLC0415

        _say(write_trec(release, output), output)


@export_app.command("mteb")
def export_mteb(
    release: Release,
    output: NewFolder,
    repo: Annotated[
        str, typer.Option(metavar="ORG/NAME", help="Where it is published, instead of its folder.")
    ] = "",
) -> None:
    """Write a Python module of MTEB's tasks, which load the release as it is.

    One task class a task and tier, its languages as subsets. With --repo they load the Hub's
    dataset at the tag of this version, without it the folder of the release.

    Example: mmed-bench export mteb build/sample/0.1.0 -o mteb
    """
    with errors():
        from pipeline.export import export_mteb as write_mteb  # noqa: PLC0415

        _say(write_mteb(release, output, repo), output)


@export_app.command("ir-datasets")
def export_ir_datasets(release: Release, output: NewFolder) -> None:
    """Write a Python module that registers every subset with ir_datasets, and its data.

    Example: mmed-bench export ir-datasets build/sample/0.1.0 -o ir_datasets
    """
    with errors():
        from pipeline.export import export_ir_datasets as write_module  # noqa: PLC0415

        _say(write_module(release, output), output)


def _say(subsets: int, output: Path) -> None:
    typer.echo(f"{subsets} subsets in {output}")
