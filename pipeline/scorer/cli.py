"""The scorer's command line: results on stdout, everything else on stderr.

Exit codes: 0 done, 1 the data fell short, 2 the request was wrong.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.scorer import VERSION
from pipeline.scorer.errors import RequestError, ScorerError

if TYPE_CHECKING:
    from pipeline.scorer.score import Results

DONE, FELL_SHORT, WRONG_REQUEST = 0, 1, 2

EPILOG = """A RUN is a folder of SUBSET.trec or SUBSET.trec.gz files (qa-en.trec, ...), one such
file, or a Parquet file with the columns subset, query-id, corpus-id and score."""


def main(argv: Sequence[str]) -> int:
    """Score as ``mmed-bench score RELEASE RUN…`` does; returns the exit code."""
    parser = base_parser("mmed-bench score")
    parser.add_argument("release", type=Path, metavar="RELEASE", help="the folder of a release")
    return _run(parser, argv)


def main_beside(argv: Sequence[str], release: Path) -> int:
    """Score as ``scorer.pyz RUN…`` does, by the release that it lies in; returns the exit code."""
    parser = base_parser("scorer.pyz")
    parser.add_argument(
        "--release",
        type=Path,
        default=release,
        metavar="DIR",
        help="score against another release than the one this file lies in",
    )
    return _run(parser, argv)


def base_parser(program: str) -> argparse.ArgumentParser:
    """The options that both ways of calling have in common, for their help and the reference."""
    parser = argparse.ArgumentParser(
        prog=program, description="Score run files against a release.", epilog=EPILOG
    )
    parser.add_argument("--version", action="version", version=VERSION)
    parser.add_argument("--json", action="store_true", help="print JSON for a machine to read")
    parser.add_argument(
        "--per-query", type=Path, metavar="FILE", help="write each query's values, tab-separated"
    )
    parser.add_argument(
        "--subset", default="", metavar="NAME", help="what a TREC file of another name answers"
    )
    parser.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="NAME@K",
        help="a measure and a rank, such as ndcg@10; may be repeated",
    )
    parser.add_argument(
        "--intervals", action="store_true", help="the means' 95 %% intervals beside them"
    )
    parser.add_argument(
        "--compare", action="store_true", help="every pair of runs: ahead by how much, how surely"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="draws the samples of both, 0 without it"
    )
    parser.add_argument(
        "--compat",
        default="",
        metavar="TOOL",
        help="compute as trec_eval, mteb, beir, ir_measures or ranx does",
    )
    parser.add_argument(
        "--format", default="", metavar="FORM", help="print csv, latex or eval-results instead"
    )
    return parser


def _run(parser: argparse.ArgumentParser, argv: Sequence[str]) -> int:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="what to score")
    try:
        arguments = parser.parse_intermixed_args(argv)
    except SystemExit as stop:  # after help, version or a wrong option, already printed
        return int(stop.code or DONE)
    try:
        _score(arguments)
    except RequestError as error:
        return _fail(error, WRONG_REQUEST)
    except (ScorerError, OSError) as error:
        return _fail(error, FELL_SHORT)
    return DONE


def _score(arguments: argparse.Namespace) -> None:
    # Imported here: help and wrong options should not wait for numpy.
    from pipeline.scorer.score import score  # noqa: PLC0415

    if arguments.compat and (arguments.compare or arguments.intervals):
        raise RequestError("--compat reproduces a tool's means; leave out --compare, --intervals")
    results = score(
        arguments.release,
        arguments.runs,
        measures=arguments.measure,
        subset=arguments.subset,
        compat=arguments.compat,
    )
    if arguments.per_query:
        from pipeline.scorer.report import PER_QUERY_COLUMNS, per_query_rows  # noqa: PLC0415

        with arguments.per_query.open("w", encoding="utf-8", newline="\n") as file:
            file.write("\t".join(PER_QUERY_COLUMNS) + "\n")
            file.writelines("\t".join(row) + "\n" for row in per_query_rows(results))
    sys.stdout.write(_shown(arguments, results) + "\n")


def _shown(arguments: argparse.Namespace, results: "Results") -> str:
    from pipeline.scorer.errors import known  # noqa: PLC0415
    from pipeline.scorer.formats import FORMATS  # noqa: PLC0415
    from pipeline.scorer.report import render_table, to_json  # noqa: PLC0415

    name = arguments.format
    if name:
        if name not in FORMATS:
            raise RequestError(f"unknown format {name!r}; {known(name, sorted(FORMATS))}")
        return FORMATS[name](results)
    found = _statistics(arguments, results)
    if arguments.json:
        told = to_json(results) | {key: as_json for key, (_, as_json) in found.items()}
        return json.dumps(told, ensure_ascii=False, indent=2)
    return "\n\n".join([render_table(results), *(table for table, _ in found.values())])


def _statistics(arguments: argparse.Namespace, results: "Results") -> dict[str, tuple[str, Any]]:
    """What was asked for of intervals and comparisons: each as a table and for JSON."""
    if not (arguments.intervals or arguments.compare):
        return {}
    from pipeline.scorer import comparison_report as shown  # noqa: PLC0415
    from pipeline.scorer.comparing import compare, intervals  # noqa: PLC0415
    from pipeline.scorer.release import open_release  # noqa: PLC0415

    release, seed = open_release(arguments.release), arguments.seed
    found: dict[str, tuple[str, Any]] = {}
    if arguments.intervals:
        each = {run.name: intervals(release, run, seed) for run in results.runs}
        found["intervals"] = shown.render_intervals(each), shown.intervals_json(each)
    if arguments.compare:
        if len(results.runs) < 2:  # noqa: PLR2004 - one run is ahead of none
            raise RequestError("--compare: name at least two runs")
        pairs = compare(release, results.runs, arguments.measure, seed)
        found["comparison"] = shown.render_comparison(pairs), shown.comparison_json(pairs)
    return found


def _fail(error: Exception, code: int) -> int:
    sys.stderr.write(f"error: {error}\n")
    return code
