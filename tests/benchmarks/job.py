"""Runs one job in a process of its own: ``python -m tests.benchmarks.job MODULE:FUNCTION …``.

Needs the standard library alone, so that it runs among the peers too. A job takes strings and
returns what it found; the times of its parts that it took with ``timed`` are printed with that.
"""

import importlib
import json
import sys

from tests.benchmarks.timing import seconds


def main(arguments: list[str]) -> None:
    """Run the named job; the last line printed is the outcome."""
    name, *rest = arguments
    module, _, function = name.partition(":")
    job = getattr(importlib.import_module(f"tests.benchmarks.{module}"), function)
    answer = job(*rest)
    print(json.dumps({"seconds": seconds, "answer": answer}))


if __name__ == "__main__":
    main(sys.argv[1:])
