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
def audit_import(
    release: Release,
    sheets: Annotated[
        list[Path], typer.Argument(metavar="SHEET", help="Judged sheets, one a rater.")
    ],
    corrections: Annotated[
        Path | None, typer.Option(help="Where corrections go, as a translation memory (.tsv).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read judged sheets back: accuracy by language, agreement of raters, and corrections.

    A row that makes no sense stops it, with its number.

    Example: mmed-bench audit import build/sample/0.1.0 anna.csv boris.xlsx --corrections fixed.tsv
    """
    with errors():
        from qa_filters.audit.items import read_items  # noqa: PLC0415
        from qa_filters.audit.outcome import corrections as settle  # noqa: PLC0415
        from qa_filters.audit.outcome import measure, memory_table  # noqa: PLC0415
        from qa_filters.audit.page import as_json as show_json  # noqa: PLC0415
        from qa_filters.audit.page import as_text  # noqa: PLC0415
        from qa_filters.audit.sheet import read_sheets  # noqa: PLC0415

        judgements = read_sheets(sheets, {one.item_id: one for one in read_items(release)})
        agreed, disputed = settle(judgements)
        rows = measure(judgements)
        typer.echo((show_json if as_json else as_text)(rows, len(agreed), disputed))
        if corrections:
            corrections.write_text(memory_table(agreed), "utf-8")
