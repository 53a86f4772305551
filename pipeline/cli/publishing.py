"""The command that carries a release to where others find it."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.base import WRONG_REQUEST, Release, errors, fail

if TYPE_CHECKING:
    from pipeline.publish.outgoing import Outgoing
    from pipeline.publish.steps import Wish

commands = typer.Typer()


class Gated(StrEnum):
    """What becomes of a request for access to a gated repository."""

    AUTO = "auto"
    MANUAL = "manual"


@commands.command()
def publish(  # noqa: PLR0913, PLR0917 - one parameter an option
    release: Release,
    repo: Annotated[
        str, typer.Option(metavar="ORG/NAME", help="A dataset repository of the Hugging Face Hub.")
    ] = "",
    to: Annotated[
        str, typer.Option(metavar="URL", help="A folder instead: a path, s3://… or gs://….")
    ] = "",
    private: Annotated[
        bool, typer.Option("--private", help="Make the repository private.")
    ] = False,
    gated: Annotated[
        Gated | None, typer.Option(help="Let people ask for access; who asks gets it, or waits.")
    ] = None,
    create_pr: Annotated[
        bool, typer.Option("--create-pr", help="Leave the proposal for somebody else to merge.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen; write nothing.")
    ] = False,
) -> None:
    """Publish a release, if it has no fault and its profile allows it.

    One commit upon what is there, as a proposal (a pull request), which is read back and compared
    before it is merged and tagged with the version. After a failure the same command goes on from
    what it finds. The token is that of HF_TOKEN or of `hf auth login`.

    Example: mmed-bench publish build/sample/0.1.0 --repo my-org/mmed-bench-ir --dry-run
    """
    with errors():
        if bool(repo) == bool(to):
            fail("name either --repo ORG/NAME or --to URL", WRONG_REQUEST)

        from pipeline.publish.gate import require_publishable  # noqa: PLC0415
        from pipeline.publish.outgoing import read_outgoing  # noqa: PLC0415
        from pipeline.publish.steps import Wish  # noqa: PLC0415

        outgoing = read_outgoing(release)
        require_publishable(release, outgoing)
        if to:
            _to_folder(outgoing, to, dry_run=dry_run)
        else:
            wish = Wish(private, gated.value if gated else "", merging=not create_pr)
            _to_hub(outgoing, repo, wish, dry_run=dry_run)


def _to_folder(outgoing: "Outgoing", to: str, *, dry_run: bool) -> None:
    from pipeline.publish.folders import copy_release, missing_files  # noqa: PLC0415

    if not dry_run:
        typer.echo(copy_release(outgoing, to))
        return
    for file in missing_files(outgoing, to):
        typer.echo(f"copy {file.sha256} {file.size:>12,} {file.path}")


def _to_hub(outgoing: "Outgoing", repo: str, wish: "Wish", *, dry_run: bool) -> None:
    from pipeline.publish.publishing import publish as bring  # noqa: PLC0415
    from pipeline.publish.publishing import rehearse  # noqa: PLC0415

    try:
        from pipeline.publish.hub import Hub  # noqa: PLC0415
        from pipeline.publish.trouble import HUB  # noqa: PLC0415
    except ImportError:
        fail("publishing needs huggingface_hub: pip install 'mmed-bench-ir[hub]'", WRONG_REQUEST)
    hub = Hub(repo)
    if dry_run:
        for line in rehearse(outgoing, hub, wish, HUB):
            typer.echo(line)
    else:
        typer.echo(bring(outgoing, hub, wish, HUB))
        typer.echo(hub.address)
