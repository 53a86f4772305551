"""The table of benchmarks, and how the asked ones are run."""

import sys
from collections.abc import Callable, Sequence

from tests.benchmarks import (
    build,
    claim,
    claim_open,
    evidence,
    ingest,
    ingest_whole,
    judging,
    linking,
    mining,
    near_duplicates,
    scoring,
    translation,
)
from tests.benchmarks.harness import (
    OUTPUT,
    BenchmarkError,
    Figure,
    Workshop,
    render_table,
    write_json,
)

BENCHMARKS: dict[str, Callable[[Workshop], list[Figure]]] = {
    "ingest": ingest.figures,
    "ingest_whole": ingest_whole.figures,
    "evidence": evidence.figures,
    "mining": mining.figures,
    "linking": linking.figures,
    "translation": translation.figures,
    "judging": judging.figures,
    "claim": claim.figures,
    "claim_open": claim_open.figures,
    "near_duplicates": near_duplicates.figures,
    "scoring": scoring.figures,
    "build": build.figures,
}
DONE, FELL_SHORT, WRONG_REQUEST = 0, 1, 2


def main(names: Sequence[str]) -> int:
    """Run the named benchmarks, or all; a goal that is missed is told, not failed."""
    if unknown := [name for name in names if name not in BENCHMARKS]:
        sys.stderr.write(f"no benchmark {unknown[0]!r}; known are {', '.join(BENCHMARKS)}\n")
        return WRONG_REQUEST
    try:
        for name in names or BENCHMARKS:
            _run(name)
    except BenchmarkError as error:
        sys.stderr.write(f"error: {error}\n")
        return FELL_SHORT
    return DONE


def _run(name: str) -> None:
    sys.stderr.write(f"{name}\n")
    folder = OUTPUT / "data" / name
    folder.mkdir(parents=True, exist_ok=True)
    figures = BENCHMARKS[name](Workshop(folder))
    path = write_json(name, figures, OUTPUT)
    print(render_table(name, figures), f"written to {path}", sep="\n", end="\n\n")
