"""The command line: results on stdout, everything else on stderr.

Exit codes: 0 done, 1 the data fell short, 2 the request was wrong.
"""

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.models import TyperInfo

DEBUG = "MMED_BENCH_DEBUG"
DONE, FELL_SHORT, WRONG_REQUEST = 0, 1, 2


class Coincidence(StrEnum):
    """What a machine translation that equals a restricted name is counted as."""

    FAULT = "fault"
    NOTE = "note"


class Backs(StrEnum):
    """What stands for the back-translation that a human translation has not."""

    PERFECT = "perfect"
    NONE = "none"


class Into(StrEnum):
    """Where the result of an audit goes besides the screen."""

    CARD = "card"
    NOTHING = "nothing"


class Exchange(StrEnum):
    """Into a memory, or out of it."""

    IMPORT = "import"
    EXPORT = "export"


app = typer.Typer(
    help="Build, check, score and describe releases of MMed-Bench-IR.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

PlanName = Annotated[str, typer.Argument(metavar="PLAN", help="A bundled plan's name, or a file.")]
Changes = Annotated[
    list[str], typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the plan.")
]
Release = Annotated[Path, typer.Argument(metavar="RELEASE", help="The folder of a release.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a machine to read.")]


@app.command()
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
    with _errors():
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


@app.command()
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
    with _errors():
        from pipeline.plan_file import load_plan  # noqa: PLC0415

        loaded = load_plan(plan, change)

        from pipeline.concept_files import write_concepts  # noqa: PLC0415
        from pipeline.progress import shown_progress  # noqa: PLC0415
        from pipeline.report import print_concepts  # noqa: PLC0415
        from pipeline.stages.running import Engine  # noqa: PLC0415

        with shown_progress():
            written = write_concepts(loaded, output, Engine(workers=workers))
        print_concepts(written, as_json=as_json)


@app.command()
def check(plan: PlanName, change: Changes = [], as_json: AsJson = False) -> None:  # noqa: B006
    """Validate a plan and its inputs and lay out the graph; runs nothing.

    Reads MRCONSO once and says, by language and by source, what the licence gate leaves and takes.

    Example: mmed-bench check my-plan.toml --set umls.meta=/data/2025AB/META
    """
    with _errors():
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


@app.command()
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
    with _errors():
        from pipeline.evidence_report import is_release, look_at  # noqa: PLC0415
        from pipeline.report import print_described, print_evidence  # noqa: PLC0415

        if len(paths) == 1 and is_release(paths[0]) and not reader:
            print_described(Path(paths[0]), as_json=as_json)
        else:
            print_evidence(*look_at(paths, reader), as_json=as_json)


@app.command()
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

    Example: mmed-bench verify build/sample/0.1.0 --umls /data/2025AB/META
    """
    with _errors():
        from splits.audit import verify as find_faults  # noqa: PLC0415

        if not (release / "manifest.json").is_file():
            _fail(f"{release}: no manifest.json; name the folder of a release", WRONG_REQUEST)
        faults, notes = find_faults(release), list[str]()
        if umls:
            from pipeline.licence_check import licence_findings  # noqa: PLC0415

            found, coincidences = licence_findings(release, umls)
            faults += found
            (faults if coincidence is Coincidence.FAULT else notes).extend(coincidences)
        for line in [*(f"FAULT {one}" for one in faults), *(f"NOTE {one}" for one in notes)]:
            typer.echo(line)
        typer.echo(f"{len(faults)} faults")
        raise typer.Exit(FELL_SHORT if faults else DONE)


@app.command()
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
    with _errors():
        from pipeline.confusion_report import explain_set, find_shortcuts  # noqa: PLC0415
        from pipeline.confusion_tables import print_set, print_shortcuts  # noqa: PLC0415

        if set_id:
            print_set(explain_set(release, set_id), as_json=as_json)
        else:
            print_shortcuts(find_shortcuts(release), as_json=as_json)


@app.command()
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
    with _errors():
        from pipeline.report import print_retrieved  # noqa: PLC0415
        from pipeline.systems.choice import build_system  # noqa: PLC0415
        from pipeline.systems.retrieve import retrieve as run_system  # noqa: PLC0415

        chosen = build_system(system, change)
        folder = output or Path("build") / "runs" / release.resolve().parent.name / system
        print_retrieved(run_system(release, chosen, folder, depth=depth), folder)


@app.command()
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
    with _errors():
        from qa_filters.calibrate import calibrate as fit_filters  # noqa: PLC0415
        from qa_filters.calibrate import measure, read_pairs, without_backs  # noqa: PLC0415
        from qa_filters.trials import draw_trials  # noqa: PLC0415

        pairs, left_out = read_pairs(parallel)
        draw_all = draw_trials if backs is Backs.PERFECT else without_backs
        calibrated = (fit_filters if output else measure)(draw_all(pairs, size, seed), left_out)
        typer.echo(calibrated.as_json() if as_json else calibrated.as_text())
        if output:
            output.write_text(calibrated.as_fragment(), "utf-8")


audit_app = typer.Typer(help="Let people judge a sample of the translations.", no_args_is_help=True)
app.registered_groups = [TyperInfo(audit_app, name="audit")]


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
    with _errors():
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
    with _errors():
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


@app.command()
def memory(
    exchange: Annotated[Exchange, typer.Argument(metavar="import|export", help="Which way.")],
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Files that end in .tmx, .tsv or .parquet, or folders."
        ),
    ],
    to: Annotated[
        str, typer.Option(help="A folder to import to, a .tmx or .tsv file to export to.")
    ],
) -> None:
    """Exchange a translation memory with people and programs; who made an entry stays with it.

    What is imported goes into a folder, for a plan's translation.memory. Units of a TMX file that
    say nothing of an engine count as human translations, which serve every engine.

    Example: mmed-bench memory import corrected.tmx --to data/ours
    """
    with _errors():
        from translation.exchange import export_memory, import_memory  # noqa: PLC0415

        carry = import_memory if exchange is Exchange.IMPORT else export_memory
        carried = carry(paths, to)
        typer.echo(f"{carried.entries:,} entries in {carried.path}")
        for reason, number in carried.left_out.items():
            typer.echo(f"{number:,} left out: {reason}")


@app.command(
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


def main() -> None:
    """Run the command line."""
    # Before Beam is imported: it would install a handler of its own on the root logger.
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s", stream=sys.stderr)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_is_news)
    logging.getLogger("mmed-bench").setLevel(logging.INFO)
    # What stops a build is told in one line; MMED_BENCH_DEBUG=1 shows where it came from.
    if not os.environ.get(DEBUG):
        logging.getLogger("apache_beam").setLevel(logging.CRITICAL)
    app()


def _is_news(record: logging.LogRecord) -> bool:
    """Beam says at every import that its Google Cloud parts are not installed."""
    return "apitools not found" not in record.getMessage()


@contextmanager
def _errors() -> Iterator[None]:
    """Turn what is known to go wrong into one line and an exit code."""
    try:
        yield
    except (typer.Exit, typer.Abort):
        raise
    except (ValueError, OSError, RuntimeError) as error:
        _fail(_message(error), _code(error))


def _code(error: Exception) -> int:
    """A wrong plan or path is the request's fault; what the files hold is the data's."""
    from pipeline.settings import PlanError  # noqa: PLC0415

    return WRONG_REQUEST if isinstance(error, (PlanError, FileNotFoundError)) else FELL_SHORT


def _message(error: Exception) -> str:
    message = str(error)
    if isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if os.strerror(errno.ENOSPC) in message:
        message += "; free some space or name another --output"
    return message


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(code)


if __name__ == "__main__":
    main()
