"""How long the sample takes from plan to release, with one worker process and with two."""

import tempfile
from pathlib import Path

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio, require_equal


def figures(workshop: Workshop) -> list[Figure]:
    """Whole processes; the peak memory is that of the largest of them."""
    one, two = workshop.measure(
        {
            "one worker": workshop.ours("build:build_sample", workshop.folder, 1),
            "two workers": workshop.ours("build:build_sample", workshop.folder, 2),
        }
    ).values()
    require_equal("builds with one worker and with two", one.answer, two.answer)
    return [
        *process_figures("build the sample", one),
        *process_figures("build the sample, two workers", two),
        ratio("wall: two workers, to one", two.wall, one.wall),
        ratio("CPU: two workers, to one", two.cpu, one.cpu),
        Figure("queries released, over all subsets", one.answer["queries"], "queries"),
    ]


def build_sample(folder: str, workers: str) -> dict[str, object]:
    """Build into a folder that is gone afterwards; gives what identifies the release."""
    from pipeline.build import build
    from pipeline.plan_file import load_plan
    from pipeline.stages.running import Engine

    with tempfile.TemporaryDirectory(dir=folder) as output:
        built = build(load_plan("sample"), Path(output), Engine(workers=int(workers)))
    queries = sum(entry.queries for entry in built.contents.subsets)
    return {"build_hash": built.build_hash, "queries": queries}
