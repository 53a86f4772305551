"""Commands that look into a release, or into what one could be made of."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.base import DONE, FELL_SHORT, WRONG_REQUEST, AsJson, Release, errors, fail

commands = typer.Typer()


class Coincidence(StrEnum):
    """What a machine translation that equals a restricted name is counted as."""

    FAULT = "fault"
    NOTE = "note"


@commands.command()
def describe(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="A release's folder, or files and folders of evidence."
        ),
    ],
    reader: Annotated[
        str, typer.Option(help="Who reads evidence; without it, whom the content looks made for.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Say what a release contains, or what readers see in evidence and what they leave out.

    Questions and the passages that they are about may lie in several folders: name them all.

    Example: mmed-bench describe data/bioasq/training13b.json data/pubmed
    """
    with errors():
        from pipeline.evidence_report import is_release, look_at  # noqa: PLC0415
        from pipeline.report import print_described, print_evidence  # noqa: PLC0415

        if len(paths) == 1 and is_release(paths[0]) and not reader:
            print_described(Path(paths[0]), as_json=as_json)
        else:
            print_evidence(*look_at(paths, reader), as_json=as_json)


@commands.command()
def verify(
    release: Release,
    umls: Annotated[
        str, typer.Option(metavar="META", help="Your own META: find texts of restricted sources.")
    ] = "",
    coincidence: Annotated[
        Coincidence, typer.Option(help="What a machine translation like a restricted name counts.")
    ] = Coincidence.FAULT,
) -> None:
    """Recompute a release's certificate, hashes and licence levels; exits 1 on any fault.

    With --umls every name of your Metathesaurus is read, suppressed and restricted ones too, and
    so is every definition. A text of the release that only sources above its level give is a
    fault. A machine translation may come upon such a text by itself, and often will where it is
    right: --coincidence note tells these apart, without failing.

    With --umls retired CUIs are followed, too, and the relations and names of the concepts of
    different tasks compared; parents and children across tasks are told as notes.

    Example: mmed-bench verify build/sample/0.1.0 --umls /data/2025AB/META
    """
    with errors():
        from splits.audit import verify as find_faults  # noqa: PLC0415

        if not (release / "manifest.json").is_file():
            fail(f"{release}: no manifest.json; name the folder of a release", WRONG_REQUEST)
        faults, notes = find_faults(release), list[str]()
        if umls:
            from pipeline.licence_check import licence_findings  # noqa: PLC0415
            from pipeline.overlap_check import overlap_findings  # noqa: PLC0415

            found, coincidences = licence_findings(release, umls)
            faults += found
            overlap = overlap_findings(release, umls)
            faults += overlap.faults
            notes += overlap.notes
            (faults if coincidence is Coincidence.FAULT else notes).extend(coincidences)
        for line in [*(f"FAULT {one}" for one in faults), *(f"NOTE {one}" for one in notes)]:
            typer.echo(line)
        typer.echo(f"{len(faults)} faults")
        raise typer.Exit(FELL_SHORT if faults else DONE)


@commands.command()
def explain(
    release: Release,
    set_id: Annotated[
        str,
        typer.Argument(metavar="SET_ID", help="A query of a confusion set; or of all, nothing."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Say why a confusion set is as it is; of all sets, what gives their golds away.

    Of a set: its distractors, what ties each to the gold, how alike their names are, and what was
    left out because it would be right too. Without SET_ID: how often the gold is found by who
    never reads the question.

    Example: mmed-bench explain build/sample/0.1.0
    """
    with errors():
        from pipeline.confusion_report import explain_set, find_shortcuts  # noqa: PLC0415
        from pipeline.confusion_tables import print_set, print_shortcuts  # noqa: PLC0415

        if set_id:
            print_set(explain_set(release, set_id), as_json=as_json)
        else:
            print_shortcuts(find_shortcuts(release), as_json=as_json)
