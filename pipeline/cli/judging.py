"""Commands by which translations are judged: thresholds, and what people say."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from typer.models import TyperInfo

from pipeline.cli.base import AsJson, Release, errors

commands = typer.Typer()
audit_app = typer.Typer(help="Let people judge a sample of the translations.", no_args_is_help=True)
commands.registered_groups = [TyperInfo(audit_app, name="audit")]


class Backs(StrEnum):
    """What stands for the back-translation that a human translation has not."""

    PERFECT = "perfect"
    NONE = "none"


class Into(StrEnum):
    """Where the result of an audit goes besides the screen."""

    CARD = "card"
    NOTHING = "nothing"


@commands.command()
def calibrate(  # noqa: PLR0913, PLR0917 - one parameter an option
    parallel: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="Human translations: .tmx, term lists (.csv), tables (.tsv)."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option(help="Where the fitted thresholds go, as a plan's fragment.")
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="Texts of a kind and language, at most.")] = 300,
    seed: Annotated[int, typer.Option(help="Draws texts and places of errors.")] = 0,
    backs: Annotated[
        Backs, typer.Option(help="Let human texts come back perfectly, or not at all.")
    ] = Backs.PERFECT,
    as_json: AsJson = False,
) -> None:
    """Measure the filters on human translations and planted errors, and fit their thresholds.

    Prints what is refused, by kind and by filter: with --output by the fitted thresholds, else by
    the defaults.

    Example: mmed-bench calibrate all.en-ru.tmx f_en-ru_RU.csv --output filters.toml
    """
    with errors():
        from qa_filters.calibrate import calibrate as fit_filters  # noqa: PLC0415
        from qa_filters.calibrate import measure, read_pairs, without_backs  # noqa: PLC0415
        from qa_filters.trials import draw_trials  # noqa: PLC0415

        pairs, left_out = read_pairs(parallel)
        draw_all = draw_trials if backs is Backs.PERFECT else without_backs
        calibrated = (fit_filters if output else measure)(draw_all(pairs, size, seed), left_out)
        typer.echo(calibrated.as_json() if as_json else calibrated.as_text())
        if output:
            output.write_text(calibrated.as_fragment(), "utf-8")


@audit_app.command("export")
def audit_export(
    release: Release,
    output: Annotated[Path, typer.Option(help="Folder for audit.csv and audit.xlsx.")],
    size: Annotated[
        int, typer.Option(min=1, help="Translations of each language, task and tier, at most.")
    ] = 30,
    seed: Annotated[int, typer.Option(help="Draws them.")] = 0,
) -> None:
    """Write a sheet of machine translations for people to judge, as .csv and .xlsx.

    It shows source, translation and back-translation alone: no task, no tier, no engine, no filter.
    Give each rater a copy under his own name.

    Example: mmed-bench audit export build/sample/0.1.0 --output audit
    """
    with errors():
        from qa_filters.audit.items import choose_items, read_items  # noqa: PLC0415
        from qa_filters.audit.sheet import write_csv, write_xlsx  # noqa: PLC0415

        items = choose_items(read_items(release), size, seed)
        output.mkdir(parents=True, exist_ok=True)
        write_csv(output / "audit.csv", items)
        write_xlsx(output / "audit.xlsx", items)
        typer.echo(f"{len(items)} translations in {output}")


@audit_app.command("import")
def audit_import(  # noqa: PLR0913, PLR0917 - one parameter an option
    release: Release,
    sheets: Annotated[
        list[Path], typer.Argument(metavar="SHEET", help="Judged sheets, one a rater.")
    ],
    corrections: Annotated[
        Path | None, typer.Option(help="A translation memory (.tsv) to add corrections to.")
    ] = None,
    min_items: Annotated[
        int, typer.Option(min=1, help="Judged rows that a language needs to count as verified.")
    ] = 30,
    min_accuracy: Annotated[
        float, typer.Option(help="Where the interval of its accuracy must begin, at least.")
    ] = 0.8,
    into: Annotated[
        Into, typer.Option(help="Write the result into the release's card, or only print it.")
    ] = Into.CARD,
    as_json: AsJson = False,
) -> None:
    """Read judged sheets back: accuracy by language, agreement of raters, and corrections.

    The result goes into the release: a section of its card, quality/audit.json and the manifest,
    which lists both; data and build hash stay. A later import takes its place, so name the sheets
    of all raters. A row that makes no sense stops it, with its number, before anything is written.

    Example: mmed-bench audit import build/sample/0.1.0 anna.csv boris.xlsx --corrections fixed.tsv
    """
    with errors():
        from pipeline.audited import keep_corrections, read_audit, show_in_card  # noqa: PLC0415
        from qa_filters.audit.card import Standard  # noqa: PLC0415
        from qa_filters.audit.page import as_json as show_json  # noqa: PLC0415
        from qa_filters.audit.page import as_text  # noqa: PLC0415

        standard = Standard(min_items, min_accuracy)
        audited = read_audit(release, sheets)
        show = show_json if as_json else as_text
        typer.echo(show(audited.rows, len(audited.agreed), audited.disputed, standard))
        if corrections:
            keep_corrections(corrections, audited.agreed)
        if into is Into.CARD:
            show_in_card(release, audited, standard)
