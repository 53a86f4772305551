import json
import re
import shutil
from pathlib import Path

import pytest

from pipeline.inputs import find_inputs, measure_inputs
from pipeline.plan import Plan
from pipeline.plan_file import load_plan
from pipeline.settings import PlanError
from translation.memory import Entry
from translation.memory_files import write_entries

SAMPLE = Path(__file__).parents[2] / "pipeline" / "sample"


def write_corpus(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(json.dumps({"_id": "1", "text": "A."}) + "\n", "utf-8")
    return folder


def plan_with(*changes: str) -> Plan:
    return load_plan("sample", changes)


def test_inputs_have_names_that_hold_on_any_machine(tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(SAMPLE, moved)
    here = plan_with()
    there = plan_with(
        f"umls.meta={moved}/META",
        *(f"evidence.{at}.path={moved}/evidence/{Path(source.path).name}"
          for at, source in enumerate(here.evidence)),
        f'translation.reference=["{moved}/memory/curated.tsv"]',
    )  # fmt: skip
    measured = [measure_inputs(plan, find_inputs(plan)) for plan in (here, there)]
    assert measured[0] == measured[1]
    names = [entry.path for entry in measured[0]]
    assert names == sorted(set(names))
    assert {name.split("/")[0] for name in names} == {"umls", "evidence", "model", "reference"}
    assert "umls/MRCONSO.RRF" in names
    assert not any(str(SAMPLE) in name for name in names)


def test_a_file_that_serves_twice_is_one_input(tmp_path: Path) -> None:
    """Two readings of one folder share no name; one reading's units may share a file."""
    corpus = write_corpus(tmp_path / "shared")
    plan = plan_with(f"evidence.1.path={corpus}", f"evidence.2.path={corpus}")
    names = [entry.path for entry in measure_inputs(plan, find_inputs(plan))]
    assert [name for name in names if "corpus.jsonl" in name] == [
        "evidence/background/corpus.jsonl",
        "evidence/clinical/corpus.jsonl",
    ]


def test_a_cache_is_no_input(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    plan = plan_with(f"translation.cache={cache}")
    before = {entry.path for entry in measure_inputs(plan, find_inputs(plan))}
    assert before == {entry.path for entry in measure_inputs(plan, find_inputs(plan_with()))}
    write_entries(str(cache), [Entry("Why?", "en", "de", "Warum?", "For what reason?", "nllb")])
    assert before == {entry.path for entry in measure_inputs(plan, find_inputs(plan))}


def test_two_sources_may_not_give_the_same_ids(tmp_path: Path) -> None:
    one, other = write_corpus(tmp_path / "a" / "same"), write_corpus(tmp_path / "b" / "same")
    plan = plan_with(f"evidence.1.path={one}", f"evidence.2.path={other}")
    with pytest.raises(PlanError, match="would give the same ids; rename a folder"):
        find_inputs(plan)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("umls.meta=/nowhere", "/nowhere: no such file or folder; check the plan's path"),
        ("umls.meta=EMPTY", "umls.meta: EMPTY: no MRCONSO.RRF or MRCONSO.RRF.gz"),
        ("evidence.0.path=/nowhere", "/nowhere: no such file or folder"),
        ("evidence.0.path=EMPTY", "evidence medquad (EMPTY): medquad: no *.xml among 0 files"),
        ('translation.memory=["/nowhere"]', "translation.memory: /nowhere is not there"),
    ],
)
def test_what_is_not_there_is_named(tmp_path: Path, change: str, message: str) -> None:
    plan = plan_with(change.replace("EMPTY", str(tmp_path)))
    with pytest.raises(PlanError, match=re.escape(message.replace("EMPTY", str(tmp_path)))):
        find_inputs(plan)
