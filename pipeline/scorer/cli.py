"""The scorer's command line: results on stdout, everything else on stderr.

Exit codes: 0 done, 1 the data fell short, 2 the request was wrong.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.scorer import VERSION
from pipeline.scorer.errors import RequestError, ScorerError

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
        help="accuracy, map, mrr, ndcg or recall, such as ndcg@10; may be repeated",
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
    from pipeline.scorer.report import render_table, to_json  # noqa: PLC0415
    from pipeline.scorer.score import score  # noqa: PLC0415

    results = score(
        arguments.release, arguments.runs, measures=arguments.measure, subset=arguments.subset
    )
    if arguments.per_query:
        from pipeline.scorer.report import PER_QUERY_COLUMNS, per_query_rows  # noqa: PLC0415

        with arguments.per_query.open("w", encoding="utf-8", newline="\n") as file:
            file.write("\t".join(PER_QUERY_COLUMNS) + "\n")
            file.writelines("\t".join(row) + "\n" for row in per_query_rows(results))
    if arguments.json:
        text = json.dumps(to_json(results), ensure_ascii=False, indent=2)
    else:
        text = render_table(results)
    sys.stdout.write(text + "\n")


def _fail(error: Exception, code: int) -> int:
    sys.stderr.write(f"error: {error}\n")
    return code
