"""The command that looks for what the users of a release would stumble over."""

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.base import DONE, FELL_SHORT, WRONG_REQUEST, AsJson, Release, errors, fail

if TYPE_CHECKING:
    from pipeline.lint import Finding

commands = typer.Typer()

SHOWN = 20  # of one check, without --json


@commands.command()
def lint(
    release: Release,
    umls: Annotated[
        str, typer.Option(metavar="META", help="Your own META: find texts of restricted sources.")
    ] = "",
    note: Annotated[
        list[str], typer.Option(metavar="CHECK", help="Tell a check's findings without failing.")
    ] = [],  # noqa: B006 - typer reads it, nobody writes to it
    as_json: AsJson = False,
) -> None:
    """Look for what a release's users would stumble over; exits 1 on any fault.

    The release may be anybody's, if it has the same layout. `mmed-bench verify` proves what a
    release says of itself; this asks whether loaders, viewers and scorers get along with it. The
    checks are listed in the reference.

    Example: mmed-bench lint build/sample/0.1.0 --umls /data/2025AB/META --note coincidences
    """
    with errors():
        from pipeline.lint import CHECKS  # noqa: PLC0415
        from pipeline.lint import lint as find  # noqa: PLC0415
        from pipeline.settings import known  # noqa: PLC0415

        for name in note:
            if name not in CHECKS:
                fail(f"--note: unknown check {name!r}; {known(name, CHECKS)}", WRONG_REQUEST)
        found = find(release, umls)
        faults = [one for one in found if one.check not in note]
        notes = [one for one in found if one.check in note]
        (_print_json if as_json else _print_text)(faults, notes)
        raise typer.Exit(FELL_SHORT if faults else DONE)


def _print_json(faults: list["Finding"], notes: list["Finding"]) -> None:
    told = {"faults": [asdict(one) for one in faults], "notes": [asdict(one) for one in notes]}
    typer.echo(json.dumps(told, ensure_ascii=False, indent=2))


def _print_text(faults: list["Finding"], notes: list["Finding"]) -> None:
    for label, findings in (("FAULT", faults), ("NOTE", notes)):
        told: Counter[str] = Counter()
        for one in findings:
            told[one.check] += 1
            if told[one.check] <= SHOWN:
                typer.echo(f"{label} {one}")
        for check, number in sorted(told.items()):
            if number > SHOWN:
                typer.echo(f"{label} {check}: {number - SHOWN} more; see all with --json")
    typer.echo(f"{len(faults)} faults, {len(notes)} notes")
