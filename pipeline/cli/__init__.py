"""The command line: results on stdout, everything else on stderr.

Exit codes: 0 done, 1 the data fell short, 2 the request was wrong.
"""

import logging
import os
import sys

import typer

from pipeline.cli import (
    comparing,
    exporting,
    hydrating,
    judging,
    linting,
    looking,
    making,
    memories,
    publishing,
    scoring,
)

DEBUG = "MMED_BENCH_DEBUG"

app = typer.Typer(
    help="Build, check, score and describe releases of MMed-Bench-IR.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
# In the order of the help.
MODULES = (
    making,
    looking,
    linting,
    scoring,
    judging,
    memories,
    hydrating,
    comparing,
    exporting,
    publishing,
)
for module in MODULES:
    app.add_typer(module.commands)


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
