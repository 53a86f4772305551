"""Running the graph on an engine, and reading back what it counted."""

import builtins
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import apache_beam as beam
from apache_beam.metrics.metric import MetricsFilter
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from pipeline.dag import build_graph
from pipeline.plan import Plan
from pipeline.release.manifest import StageCount
from pipeline.stages.concepts import WriteConcepts
from pipeline.stages.evidence import Unit
from pipeline.stages.meta import Meta
from pipeline.stages.tally import GIVEN, NOTE, TAKEN

LOCAL = "local"
# The order in which a reader of the counts meets the stages.
STAGES = (
    "read concepts",
    "follow retired CUIs",
    "read evidence",
    "merge passages",
    "find relevant passages",
    "resolve relevance",
    "unite questions",
    "ground",
    "mine",
    "pose",
    "compare outside",
    "claim",
    "translate",
    "judge",
    "select",
    "fill corpora",
    "write",
)
_LAST_EXCEPTION = re.compile(r"^[\w.]*?(\w+(?:Error|Exception|Interrupt)): (.*)$", re.MULTILINE)
_WHERE_IN_GRAPH = re.compile(r" \[while running '([^']*)'\]")


class RunError(RuntimeError):
    """The graph stopped: what went wrong, without the engine's own layers."""


@dataclass(frozen=True, slots=True)
class Engine:
    """Which Beam runner, with how many local worker processes and which options of its own."""

    runner: str = LOCAL
    workers: int = 1
    options: tuple[str, ...] = ()


def lay_out(plan: Plan, meta: Meta, units: Sequence[Unit]) -> int:
    """Build the graph without running it; gives the number of its transforms."""
    with empty_graph(Engine()) as graph:
        build_graph(graph, plan, meta, units, "unused")
        return len(graph.to_runner_api().components.transforms)


def run(
    plan: Plan, meta: Meta, units: Sequence[Unit], folder: str, engine: Engine
) -> list[StageCount]:
    """Run the whole graph; raises RunError with the one line that matters."""
    return _run(engine, lambda graph: build_graph(graph, plan, meta, units, folder))


def run_concepts(meta: Meta, folder: str, engine: Engine) -> list[StageCount]:
    """Run the reading of a Metathesaurus alone, into Parquet files in a folder."""
    return _run(engine, lambda graph: graph | "Write concepts" >> WriteConcepts(meta, folder))


def _run(engine: Engine, lay: Callable[[beam.Pipeline], object]) -> list[StageCount]:
    with empty_graph(engine) as graph:
        lay(graph)
        try:
            result = graph.run()
            result.wait_until_finish()
        except Exception as error:  # whatever a stage raised, as itself or as an engine's report
            raise RunError(explain(f"{type(error).__name__}: {error}")) from error
    counters = result.metrics().query(MetricsFilter())["counters"]
    return gather(
        (c.key.metric.namespace, c.key.metric.name, c.committed or c.attempted) for c in counters
    )


def gather(counters: Iterable[tuple[str, str, int]]) -> list[StageCount]:
    """Counters as (stage, kind, number) of any order → counts by stage, in the graph's order."""
    found: dict[str, dict[str, int]] = {}
    for stage, kind, number in counters:
        kinds = found.setdefault(stage, {})
        kinds[kind] = kinds.get(kind, 0) + number
    order = {stage: place for place, stage in enumerate(STAGES)}
    return [
        _stage_count(stage, found[stage])
        for stage in sorted(found, key=lambda one: (order.get(one, len(order)), one))
    ]


def explain(traceback: str) -> str:
    """The last exception of an engine's report, with the place in the graph behind it."""
    found = _LAST_EXCEPTION.findall(traceback)
    *_, last_line = ["the engine gave no reason", *traceback.strip().splitlines()]
    name, message = found[-1] if found else ("", last_line)
    where = _WHERE_IN_GRAPH.search(message)
    plain = _WHERE_IN_GRAPH.sub("", message)
    if not hasattr(builtins, name):  # one of the project's own, which says all there is to say
        return plain
    return f"{name}: {plain}" + (f" (in {where.group(1)})" if where else "")


@contextmanager
def empty_graph(engine: Engine) -> Iterator[beam.Pipeline]:
    """An empty graph for an engine, to be filled and run by the block.

    Beam removes the folder that it makes only of a graph that ran well; here it always goes.
    """
    graph = _made_graph(engine)
    try:
        yield graph
    finally:
        shutil.rmtree(graph.local_tempdir, ignore_errors=True)


def _made_graph(engine: Engine) -> beam.Pipeline:
    options = list(engine.options)
    if engine.runner != LOCAL:
        return beam.Pipeline(options=PipelineOptions([f"--runner={engine.runner}", *options]))
    # Named outright: Beam's DirectRunner would first look for another one on the network.
    if engine.workers > 1:
        options += [
            "--direct_running_mode=multi_processing",
            f"--direct_num_workers={engine.workers}",
        ]
    return beam.Pipeline(runner=FnApiRunner(), options=PipelineOptions(options))


def _stage_count(stage: str, kinds: dict[str, int]) -> StageCount:
    rejected = {
        kind: number
        for kind, number in kinds.items()
        if kind not in (TAKEN, GIVEN) and not kind.startswith(NOTE)
    }
    notes = {kind.removeprefix(NOTE): n for kind, n in kinds.items() if kind.startswith(NOTE)}
    return StageCount(stage, kinds.get(TAKEN, 0), kinds.get(GIVEN, 0), rejected, notes)
