"""How long a Metathesaurus of the size of a full release takes to become files of concepts."""

from pathlib import Path

from tests.benchmarks.harness import MEGABYTE, Figure, Workshop, process_figures
from tests.benchmarks.meta import made_meta

ATOMS, RELATIONS = 17_144_356, 60_000_000  # of release 2025AA
WORKERS = 2
GOAL_WALL, GOAL_MEMORY = 360.0, 8_000.0


def figures(workshop: Workshop) -> list[Figure]:
    """``mmed-bench concepts``, with one worker and with two, and all that it writes."""
    meta = workshop.prepare("ingest_whole:prepare", workshop.folder)
    runs = workshop.measure(
        {
            f"{workers} workers": workshop.ours("ingest_whole:write", meta, workers)
            for workers in (1, WORKERS)
        }
    )
    return [
        figure
        for name, run in runs.items()
        for figure in (
            Figure(f"{name}: wall", run.wall, "s", GOAL_WALL),
            *process_figures(name, run, GOAL_MEMORY)[1:],
            Figure(f"{name}: written", run.answer["bytes"] / MEGABYTE, "MB"),
            Figure(f"{name}: concepts", run.answer["concepts"], "concepts"),
        )
    ]


def prepare(folder: str) -> str:
    """Write the Metathesaurus, unless it is there; gives its folder."""
    return made_meta(Path(folder), ATOMS, RELATIONS)


def write(meta: str, workers: str) -> dict[str, int]:
    """Write the concepts in all languages that the open gate lets be seen, relations and all."""
    from pipeline.concept_files import write_concepts
    from pipeline.plan_file import load_plan
    from pipeline.stages.running import Engine

    plan = load_plan("sample", [f"umls.meta={meta}"])
    written = write_concepts(plan, Path(meta).with_name("concepts"), Engine(workers=int(workers)))
    sizes = [(written.folder / name).stat().st_size for name in written.files]
    given = next(count.given for count in written.counts if count.stage == "read concepts")
    return {"concepts": given, "bytes": sum(sizes)}
