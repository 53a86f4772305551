"""Leaks of every kind, planted one by one into a copy of a release, and found by `verify`."""

import unicodedata
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.cli import app

Tables = dict[str, list[dict[str, Any]]]
Plant = Callable[[Tables], None]

QA, EVIDENCE, SETS = "data/qa/queries", "data/evidence/queries", "data/concepts/queries/hard"
SHARD = "test-00000-of-00001.parquet"
QA_EN, QA_DE = f"{QA}/en/{SHARD} qa-1", f"{QA}/de/{SHARD} qa-1"
ASKED = "Does vitamin B12 prévent stroke in 30 days?"


@pytest.fixture(scope="module")
def meta(write_meta: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The concepts of the small release; C0000007 and C0000008 are close to two of them."""
    atom, relation = write_meta.atom, write_meta.relation
    return Path(
        write_meta.write(
            tmp_path_factory.mktemp("meta"),
            MRSAB=[write_meta.source("MSH", "0"), write_meta.source("MDR", "3")],
            MRCONSO=[
                atom("C0000001", "ENG", "MSH", "Migraine"),
                atom("C0000002", "ENG", "MSH", "Aspirin"),
                atom("C0000003", "ENG", "MSH", "Scabies"),
                atom("C0000003", "GER", "MSH", "Milbenbefall"),
                atom("C0000004", "ENG", "MSH", "Head lice"),
                atom("C0000007", "ENG", "MSH", "Mite itch"),
                atom("C0000008", "ENG", "MSH", "Aspirin brand"),
                atom("C0000009", "ENG", "MSH", "Milbenbefall"),
                atom("C0000010", "GER", "MSH", "Milbenbefall"),
                atom("C0000010", "ENG", "MDR", "Scabies", "3"),
            ],
            MRREL=[
                relation("C0000003", "SY", "C0000007", "MSH"),
                relation("C0000008", "RO", "C0000002", "MSH") | {"RELA": "tradename_of"},
                relation("C0000001", "PAR", "C0000004", "MSH"),
                relation("C0000001", "SY", "C0000002", "MDR"),
                relation("C0000001", "SY", "C0000002", "MSH") | {"SUPPRESS": "O"},
            ],
            MRCUI=[
                {"CUI1": "C9000001", "REL": "SY", "CUI2": "C9000002"},
                {"CUI1": "C9000002", "REL": "SY", "CUI2": "C0000002"},
                {"CUI1": "C9000003", "REL": "SY", "CUI2": "C0000001"},
            ],
        )
    )


def put(folder: str, **values: Any) -> Plant:  # noqa: ANN401
    """Put values into the first row of a table."""
    return lambda tables: tables[folder][0].update(values)


def both(*plants: Plant) -> Plant:
    def plant(tables: Tables) -> None:
        for one in plants:
            one(tables)

    return plant


def letters(count: int) -> str:
    """A text whose 5-grams are all different."""
    return "".join(chr(ord("一") + n) for n in range(count + 4))


def near(shared: int) -> Plant:
    """Two queries of a hundred 5-grams together, of which they share so many."""
    return both(put(f"{QA}/en", text=letters(shared)), put(f"{EVIDENCE}/en", text=letters(100)))


asked = put(f"{EVIDENCE}/en", text=ASKED)
LEAKS: dict[str, tuple[Plant, str]] = {
    "same CUI": (put(f"{QA}/en", cuis=["C0000001", "C0000002"]), QA_EN),
    "retired CUI": (
        put(f"{QA}/en", cuis=["C0000001", "C9000001"]),
        f"the concept C0000002, under a retired CUI, in {EVIDENCE}/de/{SHARD} evidence-1 and in "
        f"{QA_EN}",
    ),
    "retired CUI of its own": (
        put(f"{QA}/en", cuis=["C9000003"]),
        f"{QA_EN}: C9000003 is retired, its concept is C0000001 now",
    ),
    "distractor that another task grounds": (put(f"{QA}/en", cuis=["C0000004"]), QA_EN),
    "name asked in another language": (put(f"{QA}/en", text="Krätze"), QA_EN),
    "name shown nowhere": (
        put(f"{QA}/de", text="Milbenbefall", origin="source"),
        f"the text of {QA_DE} is a name of C0000003 in {SETS}",
    ),
    "name in another language of a concept that is asked about": (
        put(f"{QA}/en", cuis=["C0000009"]),
        "a name in common of C0000003 in ",
    ),
    "synonym": (
        put(f"{QA}/en", cuis=["C0000001", "C0000007"]),
        f"an edge (SY of MSH) joins C0000003 in {SETS}/de/{SHARD} concepts-1 and C0000007 in "
        f"{QA_EN}",
    ),
    "trade name": (
        put(f"{QA}/en", cuis=["C0000008"]),
        f"an edge (tradename_of of MSH) joins C0000002 in {EVIDENCE}/de/{SHARD} evidence-1 and "
        f"C0000008 in {QA_EN}",
    ),
    "same question under another id": (both(asked, put(f"{QA}/en", text=ASKED)), QA_EN),
    "same source": (put(f"{QA}/en", source_id="source of evidence-1"), QA_EN),
    "full-width digits": (
        both(
            asked,
            put(f"{QA}/en", text=ASKED.replace("12", "\uff11\uff12").replace("30", "\uff13\uff10")),
        ),
        QA_EN,
    ),
    "NFD": (both(asked, put(f"{QA}/en", text=unicodedata.normalize("NFD", ASKED))), QA_EN),
    "punctuation and case": (
        both(asked, put(f"{QA}/en", text="DOES “vitamin B12” prévent\u00a0stroke — in 30 days")),
        QA_EN,
    ),
    "near duplicate of 0.71": (near(71), QA_EN),
    "translated copy": (put(f"{QA}/de", back_translation="Does aspirin prevent STROKE"), QA_DE),
    "same passage": (put("data/qa/corpus", text="Trials say: little."), f"{SHARD} p1"),
}


def verified(tables: Tables, meta: Path, root: Path, audited: ModuleType) -> tuple[int, list[str]]:
    """What the command says of a release whose every hash is right, to the code it exits with."""
    audited.seal(audited.write(root, tables), tables)
    result = CliRunner().invoke(app, ["verify", str(root), "--umls", str(meta)])
    return result.exit_code, result.stdout.splitlines()


@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_found(
    kind: str, meta: Path, audited: ModuleType, tmp_path: Path
) -> None:
    plant, where = LEAKS[kind]
    tables = audited.small_release()
    plant(tables)
    code, lines = verified(tables, meta, tmp_path / "release", audited)
    assert code == 1
    assert any(line.startswith("FAULT ") and where in line for line in lines), lines


@pytest.mark.parametrize("plant", [both(), near(69)])
def test_a_release_without_a_leak_passes(
    plant: Plant, meta: Path, audited: ModuleType, tmp_path: Path
) -> None:
    """A parent in another task is told, edges of suppressed rows and refused sources are not."""
    tables = audited.small_release()
    plant(tables)
    code, lines = verified(tables, meta, tmp_path / "release", audited)
    (note, end) = lines
    assert (code, end) == (0, "0 faults")
    assert note.startswith("NOTE 1 parent or child edges, e.g. overlap concepts/qa: an edge (PAR ")


def test_a_translation_like_a_name_is_told(meta: Path, audited: ModuleType, tmp_path: Path) -> None:
    tables = audited.small_release()
    tables[f"{QA}/de"][0]["text"] = "Milbenbefall"
    code, lines = verified(tables, meta, tmp_path / "release", audited)
    assert code == 0
    assert (
        f"NOTE overlap concepts/qa: the text of {QA_DE} is a name of C0000003 in "
        in lines[0] + (lines[1])
    )
