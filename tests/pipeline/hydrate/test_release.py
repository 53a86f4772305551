"""A release of the profile ids holds no restricted string, and hydrates to the local release.

Both are built from the sample with every German name and every third English one restricted, and
marked by a word that nothing else holds.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipeline.build import build
from pipeline.cli import app
from pipeline.hydrate import Hydrated, hydrate
from pipeline.lint import lint
from pipeline.plan_file import load_plan
from pipeline.release.layout import ReleaseError
from pipeline.release.pictures import FUNNEL
from pipeline.settings import PlanError
from pipeline.stages.running import Engine
from splits.audit import verify

SAMPLE = Path(__file__).parents[3] / "pipeline" / "sample"
MARK = "verbatimix"
CUI, SAB, TTY, AUI, STR, SRL = 0, 11, 12, 7, 14, 15
SMALL = (
    *('languages=["en", "de"]', "concepts.golds=60", "umls.max_srl=3"),
    *("tasks.qa.quota=20", "tasks.evidence.quota=20"),
    *(f"tiers.{tier}.quota=8" for tier in ("easy", "medium", "hard")),
)

Change = Callable[[list[str]], list[str]]


def changed(meta: Path, target: Path, change: Change) -> Path:
    """The Metathesaurus with its atoms changed, still in order of CUI."""
    shutil.copytree(meta, target)
    (target / "MRFILES.RRF").unlink(missing_ok=True)
    path = target / "MRCONSO.RRF"
    rows = [change(line.split("|")) for line in path.read_text("utf-8").splitlines()]
    lines = sorted(("|".join(row) for row in rows), key=lambda line: line.partition("|")[0])
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return target


def restricted(row: list[str]) -> list[str]:
    is_held = row[SAB] == "MMSAMPLE" and int(row[CUI][1:]) % 3 == 0
    if row[TTY] == "PT" and (is_held or row[SAB] == "MMSAMPLEGER"):
        row[STR] += f" {MARK}"
        row[SAB], row[SRL] = row[SAB].replace("SAMPLE", "RESTRICTED"), "3"
    return row


@pytest.fixture(scope="module")
def meta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed(SAMPLE / "META", tmp_path_factory.mktemp("held") / "META", restricted)


def built(profile: str, meta: Path, output: Path) -> Path:
    plan = load_plan("sample", [f"profile={profile}", f"umls.meta={meta}", *SMALL])
    return build(plan, output, Engine()).folder


@pytest.fixture(scope="module")
def withheld(meta: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("ids", meta, tmp_path_factory.mktemp("ids"))


@pytest.fixture(scope="module")
def local(meta: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("local", meta, tmp_path_factory.mktemp("local"))


@pytest.fixture(scope="module")
def restored(withheld: Path, meta: Path, tmp_path_factory: pytest.TempPathFactory) -> Hydrated:
    return hydrate(withheld, str(meta), tmp_path_factory.mktemp("restored") / "release")


def files_with(root: Path, word: str) -> list[str]:
    """Files that hold a word anywhere: as they lie there, and in every value of a table.

    Parquet compresses values, but neither statistics nor the page index.
    """
    found = []
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        held = [path.read_bytes().decode("utf-8", "replace")]
        if path.suffix == ".parquet":
            held.append(str(pq.ParquetFile(path).read().to_pylist()))
        if any(word in text.lower() for text in held):
            found.append(path.relative_to(root).as_posix())
    return found


def placeholders(root: Path) -> dict[str, list[tuple[str, str]]]:
    """Ids and placeholders of the rows that withhold a text, by file."""
    found = {}
    for path in sorted(root.rglob("*.parquet")):
        table = pq.ParquetFile(path).read()
        if "text_sha256" in table.schema.names:
            rows = [tuple(row.values()) for row in table.select([0]).to_pylist()]
            texts = table.column("text").to_pylist()
            hashes = table.column("text_sha256").to_pylist()
            held = [
                (row[0], text) for row, text, one in zip(rows, texts, hashes, strict=True) if one
            ]
            if held:
                found[path.relative_to(root).as_posix()] = held
    return found


def test_no_file_holds_a_restricted_string(withheld: Path, local: Path) -> None:
    assert files_with(withheld, MARK) == []
    kinds = {path.split("/")[1] for path in files_with(local, MARK)}
    assert kinds >= {"concepts", "verdicts"}  # so that the scan would have seen it


def test_the_release_is_whole_and_sound(withheld: Path, meta: Path) -> None:
    assert verify(withheld) == []
    assert lint(withheld, str(meta)) == []
    manifest = json.loads((withheld / "manifest.json").read_text("utf-8"))
    assert manifest["sources"]["MMRESTRICTEDGER"] == 3
    assert manifest["counts"]["translate"]["rejected"].keys() <= {"restricted", "not_in_memory"}
    for name in ("README.md", "LICENSE.md"):
        assert "mmed-bench hydrate" in (withheld / name).read_text("utf-8")
    held = placeholders(withheld)
    folders = {"/".join(path.split("/")[:3]) for path in held}
    assert {
        "data/concepts/corpus",
        "data/concepts/queries",
        "quality/verdicts/de.parquet",
    } <= folders


def test_hydrating_gives_the_bytes_of_the_local_release(restored: Hydrated, local: Path) -> None:
    assert restored.unrestored == ()
    names = [path.relative_to(local) for path in sorted(local.rglob("*")) if path.is_file()]
    assert names == [
        path.relative_to(restored.folder)
        for path in sorted(restored.folder.rglob("*"))
        if path.is_file()
    ]
    differing = {
        name.as_posix()
        for name in names
        if (local / name).read_bytes() != (restored.folder / name).read_bytes()
    }
    assert differing <= {"README.md", "manifest.json", FUNNEL}  # which say how they came about
    built, hydrated = (
        json.loads((folder / "manifest.json").read_text("utf-8"))
        for folder in (local, restored.folder)
    )
    assert built["build_hash"] == restored.build_hash
    assert {key for key in built if built[key] != hydrated[key]} <= {
        *("plan", "inputs", "files", "manifest_hash"),
    }


def a_withheld_name(withheld: Path) -> tuple[str, str]:
    """CUI and AUI of a name that is shown in sets."""
    table = pq.ParquetFile(next(withheld.glob("data/concepts/corpus/*.parquet"))).read()
    rows = [row for row in table.to_pylist() if row["aui"]]
    return rows[0]["cuis"][0], rows[0]["aui"]


def test_a_changed_name_is_noticed(withheld: Path, meta: Path, tmp_path: Path) -> None:
    cui, aui = a_withheld_name(withheld)

    def rename(row: list[str]) -> list[str]:
        row[STR] = "Another name" if row[AUI] == aui else row[STR]
        return row

    newer = changed(meta, tmp_path / "META", rename)
    arguments = ["hydrate", str(withheld), "--umls", str(newer), "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 1
    first, *_ = done.stdout.splitlines()
    assert first.startswith(
        "not restored: data/concepts/corpus/test-00000-of-00001.parquet concept-"
    )
    assert f"{aui} of {cui}: the name has changed" in first
    assert verify(tmp_path / "out") == []
    (placeholder,) = {
        row["text"]
        for path in (tmp_path / "out").glob("data/concepts/corpus/*.parquet")
        for row in pq.ParquetFile(path).read().to_pylist()
        if row["_id"] == f"concept-{cui}"
    }
    assert placeholder == f"[{cui} {aui}]"


def test_a_retired_cui_is_followed(withheld: Path, meta: Path, local: Path, tmp_path: Path) -> None:
    cui, _ = a_withheld_name(withheld)

    def merge(row: list[str]) -> list[str]:
        row[CUI] = "C9999999" if row[CUI] == cui else row[CUI]
        return row

    newer = changed(meta, tmp_path / "META", merge)
    with (newer / "MRCUI.RRF").open("a", encoding="utf-8") as file:
        file.write(f"{cui}|2026AB|SY|||C9999999|Y|\n")
    done = hydrate(withheld, str(newer), tmp_path / "out")
    assert done.unrestored == ()
    path = "data/concepts/corpus/test-00000-of-00001.parquet"
    assert (done.folder / path).read_bytes() == (local / path).read_bytes()


def test_what_withholds_nothing_is_not_hydrated(
    local: Path, withheld: Path, meta: Path, tmp_path: Path
) -> None:
    with pytest.raises(PlanError, match="profile 'local' withholds nothing"):
        hydrate(local, str(meta), tmp_path / "out")
    with pytest.raises(PlanError, match="no manifest"):
        hydrate(tmp_path, str(meta), tmp_path / "out")
    broken = Path(shutil.copytree(withheld, tmp_path / "broken"))
    (broken / "eval.yaml").write_text("", "utf-8")
    with pytest.raises(ReleaseError, match=r"eval\.yaml: sha256 is"):
        hydrate(broken, str(meta), tmp_path / "out")
    assert not (tmp_path / "out").exists()
