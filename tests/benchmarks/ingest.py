"""How fast, and in how much memory, MRCONSO is read and put together into concepts."""

import math
from pathlib import Path
from typing import Any

from tests.benchmarks.harness import (
    Figure,
    Run,
    Workshop,
    process_figures,
    ratio,
    require_equal,
)
from tests.benchmarks.meta import made_meta

ROWS = 2_000_000
GROWN = 8 * ROWS
OPEN_GATE = 9  # lets every level through, as the peers do
GOAL_TO_POLARS, GOAL_TO_SCISPACY, GOAL_MEMORY = 1.5, 1 / 5, 400.0
GOAL_EXPONENT, GOAL_GROWTH = 1.05, 1.25
READ = "read"  # the part of a job that is no starting of Python and libraries


_found: list[tuple[int, ...]] = []  # what the graph of this process came to


def figures(workshop: Workshop) -> list[Figure]:
    """The stage on its runner beside its peers, then on eight times the rows."""
    meta, grown = workshop.prepare("ingest:prepare", workshop.folder)
    runs = workshop.measure(
        {
            "the stage": workshop.ours("ingest:read", meta),
            "polars": workshop.peer("peers:polars_ingest", f"{meta}/MRCONSO.RRF"),
            "scispacy": workshop.peer("peers:scispacy_ingest", meta),
            "the stage on eight times as much": workshop.ours("ingest:read", grown),
        }
    )
    ours, polars, scispacy, larger = runs.values()
    require_equal("ingest", ours.answer, polars.answer)
    peers = (("polars", polars, GOAL_TO_POLARS), ("scispacy", scispacy, GOAL_TO_SCISPACY))
    return [
        *process_figures(f"the stage, {ROWS:,} rows", ours, GOAL_MEMORY),
        Figure("the stage, Python and Beam started: CPU", ours.seconds[READ], "s"),
        *process_figures("polars", polars),
        *process_figures("scispacy's loader", scispacy),
        *(
            ratio(f"CPU, all started: to {name}", ours.seconds[READ], peer.seconds[READ], goal)
            for name, peer, goal in peers
        ),
        *(
            ratio(f"CPU of whole processes: to {name}", ours.cpu, peer.cpu, goal)
            for name, peer, goal in peers
        ),
        *_growth(ours, larger),
    ]


def prepare(folder: str) -> list[str]:
    """Write both Metathesauri, unless they are there; gives folders with their MRCONSO alone.

    The peers read nothing else, but for MRFILES, and no other table is to be joined.
    """
    return [_alone(made_meta(Path(folder), rows)) for rows in (ROWS, GROWN)]


def _alone(meta: str) -> str:
    folder = Path(f"{meta}-mrconso")
    folder.mkdir(exist_ok=True)
    for name in ("MRCONSO", "MRSAB", "MRRANK"):
        link = folder / f"{name}.RRF"
        link.unlink(missing_ok=True)
        link.symlink_to(Path(meta).resolve() / f"{name}.RRF")
    (folder / "MRSTY.RRF").write_text("C0000001|T047||||256|\n", "utf-8")  # it must hold something
    listed = Path(meta, "MRFILES.RRF").read_text("utf-8").splitlines(keepends=True)
    of_conso = [line for line in listed if line.startswith("MRCONSO.RRF|")]
    (folder / "MRFILES.RRF").write_text("".join(of_conso), "utf-8")
    return str(folder)


def read(meta: str) -> dict[str, int]:
    """Run the stage on the local runner, which hands its batches on to a count."""
    import apache_beam as beam

    from pipeline.inputs import find_meta
    from pipeline.plan_file import load_plan
    from pipeline.stages.concepts import ReadConcepts
    from pipeline.stages.running import Engine, empty_graph
    from tests.benchmarks.timing import timed

    _found.clear()
    changes = [f"umls.meta={meta}", f"umls.max_srl={OPEN_GATE}", "profile=local"]
    plan = load_plan("sample", changes)
    with timed(READ):
        opened = find_meta(plan)
        with empty_graph(Engine()) as graph:
            batches, _ = graph | ReadConcepts(opened)
            totals = batches | beam.Map(_count) | beam.CombineGlobally(_add).without_defaults()
            _ = totals | beam.Map(_keep)
            graph.run().wait_until_finish()
    [(concepts, names, characters)] = _found
    return {"concepts": concepts, "names": names, "characters": characters}


def _count(batch: Any) -> tuple[int, int, int]:  # noqa: ANN401 - Arrow, not loaded yet
    import pyarrow.compute as pc

    names = batch.column("names").flatten()
    return len(batch), len(names), pc.sum(pc.utf8_length(names.field("text"))).as_py()


def _add(counts: Any) -> tuple[int, ...]:  # noqa: ANN401
    return tuple(map(sum, zip(*counts, strict=True))) or (0, 0, 0)


def _keep(counts: tuple[int, ...]) -> None:
    _found.append(counts)


def _growth(ours: Run, larger: Run) -> list[Figure]:
    times = GROWN / ROWS
    exponent = math.log(larger.seconds[READ] / ours.seconds[READ]) / math.log(times)
    return [
        *process_figures(f"the stage, {GROWN:,} rows", larger, GOAL_MEMORY),
        Figure("CPU grows with the rows to the power of", exponent, "exponent", GOAL_EXPONENT),
        ratio(f"peak memory: {times:.0f} times the rows", larger.peak, ours.peak, GOAL_GROWTH),
    ]
