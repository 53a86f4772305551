"""Running a piece of the graph on the in-process runner, and looking at what comes out."""

import os
import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.test_pipeline import TestPipeline

from pipeline.stages.tally import watch

LayOut = Callable[[beam.Pipeline], Mapping[str, beam.PCollection]]
Outputs = dict[str, list[Any]]
RunGraph = Callable[[LayOut], Outputs]
Counts = dict[tuple[str, str], int]


def _keep(element: object, folder: str) -> None:
    handle, _ = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as file:
        pickle.dump(element, file)


@pytest.fixture
def run_graph(tmp_path_factory: pytest.TempPathFactory) -> RunGraph:
    """Run what a function lays out; gives each of its collections, sorted by what repr shows."""

    def run(lay_out: LayOut) -> Outputs:
        pipeline = TestPipeline(runner=FnApiRunner())
        return _run(pipeline, lay_out, tmp_path_factory.mktemp("outputs"))

    return run


@pytest.fixture
def run_portably(tmp_path_factory: pytest.TempPathFactory) -> RunGraph:
    """The same on Beam's portable runner, which cuts bundles in its own way and order."""

    def run(lay_out: LayOut) -> Outputs:
        options = PipelineOptions(["--job_endpoint=embed", "--environment_type=LOOPBACK"])
        pipeline = beam.Pipeline("PortableRunner", options)
        return _run(pipeline, lay_out, tmp_path_factory.mktemp("outputs"))

    return run


def _run(pipeline: beam.Pipeline, lay_out: LayOut, root: Path) -> Outputs:
    with pipeline as graph:
        outputs = lay_out(graph)
        for name, collection in outputs.items():
            (root / name).mkdir()
            _ = collection | f"Keep {name}" >> beam.Map(_keep, str(root / name))
    return {name: _load(root / name) for name in outputs}


def _load(folder: Path) -> list[Any]:
    return sorted((pickle.loads(path.read_bytes()) for path in folder.iterdir()), key=repr)


@pytest.fixture
def counts() -> Iterator[Counts]:
    """What the stages count while a test runs, by stage and kind."""
    found: Counts = {}

    def add(stage: str, kind: str, number: int) -> None:
        found[stage, kind] = found.get((stage, kind), 0) + number

    watch(add)
    yield found
    watch(None)
