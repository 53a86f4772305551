import json
from pathlib import Path

import pyarrow.parquet as pq
from typer.testing import CliRunner

from pipeline.cli import app
from umls_tools.concept_batches import CONCEPT_SCHEMA, concepts_of


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["concepts", "sample", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_concepts_of_a_plan_are_written_alone(tmp_path: Path) -> None:
    folder = tmp_path / "concepts"
    code, printed, _ = run("--output", str(folder), "--json")
    assert code == 0
    told = json.loads(printed)
    assert told["files"] == [path.name for path in sorted(folder.iterdir())]
    [stage] = told["stages"]
    tables = [pq.read_table(folder / name) for name in told["files"]]
    assert all(table.schema.equals(CONCEPT_SCHEMA) for table in tables)
    concepts = [
        one for table in tables for batch in table.to_batches() for one in concepts_of(batch)
    ]
    assert len(concepts) == stage["given"] > 500
    assert {name.language for one in concepts for name in one.names} > {"en", "de", "ja"}
    assert any(one.definitions and one.relations and one.semantic_types for one in concepts)


def test_a_second_reading_takes_the_place_of_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "concepts"
    assert run("--output", str(folder))[0] == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, printed, _ = run("--output", str(folder))
    assert (code, {path.name: path.read_bytes() for path in folder.iterdir()}) == (0, before)
    assert "in order of CUI: read stretch by stretch" in printed


def test_what_stands_there_already_stays(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    code, _, complaint = run("--output", str(tmp_path))
    assert code == 2
    assert "something else than files of concepts stands there" in complaint
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
