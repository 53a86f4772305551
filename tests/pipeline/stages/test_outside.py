import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest

from pipeline.overlap import Outside, Overlap
from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.records import Query, Wording
from pipeline.release.layout import WORK
from pipeline.stages.outside import CompareOutside, read_outside
from splits.sketches import sha256_of

RunGraph = Callable[..., dict[str, list[Any]]]
Counts = dict[tuple[str, str], int]


def query(query_id: str, text: str, *natives: str) -> Query:
    wordings = tuple(Wording(one, "de", (), 0) for one in natives)
    original = Wording(text, "en", (), 0)
    return Query(query_id, "qa", "", "s", "t", "source", original, wordings, (), (), "CC")


QUERIES = [
    query("qa-1", "What is gout?"),
    query("qa-2", "the itch", "Krätze"),
    query("qa-3", "How long does a migraine last?"),
    query("qa-4", "Does aspirin prevent a stroke?"),
]


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Two lists: one drops what it has, the other flags."""
    (tmp_path / WORK).mkdir()
    (tmp_path / "drop.txt").write_text(f"{sha256_of('KRÄTZE')}\nWhat is gout\nWhat is gout!\n")
    (tmp_path / "flag.jsonl").write_text(
        '{"q": "How long does a migraine last"}\n{"q": "Does aspirin prevent a stroke now?"}\n'
    )
    external = {
        "mine": Outside((str(tmp_path / "drop.txt"),)),
        "theirs": Outside((str(tmp_path / "flag.jsonl"),), "q", "flag"),
    }
    return dataclasses.replace(load_plan("sample"), overlap=Overlap(external=external))


def compared(run_graph: RunGraph, plan: Plan, folder: Path) -> dict[str, list[Any]]:
    def lay_out(graph: beam.Pipeline) -> dict[str, beam.PCollection]:
        queries, rejects = (
            graph | beam.Create(QUERIES) | "Compare" >> CompareOutside(plan, str(folder))
        )
        return {"queries": queries | beam.Map(lambda one: one.query_id), "rejects": rejects}

    return run_graph(lay_out)


def test_what_a_list_has_is_dropped_or_flagged(
    run_graph: RunGraph, plan: Plan, counts: Counts, tmp_path: Path
) -> None:
    outputs = compared(run_graph, plan, tmp_path)
    assert outputs["queries"] == ["qa-3", "qa-4"]
    assert [(one.key, one.reason, one.detail) for one in outputs["rejects"]] == [
        ("qa-1", "external_mine", "equal"),
        ("qa-2", "external_mine", "equal"),
    ]
    stage = "compare outside"
    assert counts == {
        (stage, "in"): 4,
        (stage, "out"): 2,
        (stage, "external_mine"): 2,
        (stage, "note: flagged, in theirs"): 2,
    }
    assert read_outside(tmp_path) == {
        "mine": {"found": "drop", "items": 3, "equal": 2, "near": 0, "flagged": []},
        "theirs": {
            **{"found": "flag", "items": 2, "equal": 1, "near": 1},
            "flagged": ["qa-3", "qa-4"],
        },
    }
    assert json.loads((tmp_path / WORK / "external.json").read_text())["mine"]["items"] == 3


def test_without_a_list_all_go_on(run_graph: RunGraph, counts: Counts, tmp_path: Path) -> None:
    outputs = compared(run_graph, load_plan("sample"), tmp_path)
    assert outputs == {"queries": [one.query_id for one in QUERIES], "rejects": []}
    assert counts == {}
    assert read_outside(tmp_path) == {}
