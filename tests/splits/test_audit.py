import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from audited_release import (
    SHARD,
    Tables,
    document,
    qrel,
    query,
    seal,
    small_release,
    write,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.schemas import to_table
from pipeline.text import normalise
from splits.audit import AuditError, audit, verify
from splits.audit.similarity import near, plain
from splits.near_duplicates import pairs


def test_a_release_without_overlap_passes(tmp_path: Path) -> None:
    root = seal(write(tmp_path, small_release()))
    certificate = audit(root)
    assert certificate["passed"], certificate["faults"]
    assert certificate["tasks"]["concepts"]["concepts"]["count"] == 2  # the distractor too
    assert certificate["tasks"]["qa"]["languages"] == {"de": 1, "en": 1}
    assert certificate["pairs"]["concepts/qa"]["languages"]["de"]["compared"] == [1, 1]
    assert verify(root) == []
    assert json.loads(json.dumps(certificate)) == json.loads((root / "overlap.json").read_text())


QA, EVIDENCE = "data/qa/queries", "data/evidence/queries"


def shared_cui(tables: Tables) -> None:
    tables[f"{QA}/en"][0]["cuis"].append("C0000002")


def shared_distractor(tables: Tables) -> None:
    tables[f"{QA}/en"][0]["cuis"] = ["C0000001", "C0000004"]


def shared_source(tables: Tables) -> None:
    tables[f"{QA}/de"][0]["source_id"] = "source of evidence-1"


def other_form(tables: Tables) -> None:
    tables[f"{QA}/de"][0]["source_id"] = "source of evidence-1::described"


def equal_text(tables: Tables) -> None:
    tables[f"{QA}/de"][0]["text"] = "hilft ASPIRIN"


def equal_text_elsewhere(tables: Tables) -> None:
    tables[f"{QA}/de"][0]["text"] = "Does aspirin prevent stroke"


def equal_back_translation(tables: Tables) -> None:
    tables[f"{QA}/de"][0]["back_translation"] = "Does aspirin prevent stroke!"


def shown_name(tables: Tables) -> None:
    tables[f"{QA}/de"][0]["text"] = "Head-lice"


def near_text(tables: Tables) -> None:
    tables[f"{QA}/en"][0]["text"] = "Does aspirin prevent strokes?"


def shared_passage(tables: Tables) -> None:
    tables["data/qa/corpus"].append(document("p2", "Trials say little.", "C0000009"))
    tables["data/qa/qrels/en"].append(qrel("qa-1", "p2"))


def equal_passage(tables: Tables) -> None:
    tables["data/qa/corpus"][0]["text"] = "Trials say: little"


@pytest.mark.parametrize(
    ("plant", "pair", "kind", "where"),
    [
        (shared_cui, "evidence/qa", "concepts", "C0000002"),
        (shared_distractor, "concepts/qa", "concepts", "C0000004"),
        (shared_source, "evidence/qa", "sources", f"{QA}/de/{SHARD} qa-1"),
        (other_form, "evidence/qa", "sources", f"{QA}/de/{SHARD} qa-1"),
        (equal_text, "evidence/qa/de", "equal", f"{QA}/de/{SHARD} qa-1"),
        (equal_text_elsewhere, "evidence/qa", "texts", f"{QA}/de/{SHARD} qa-1"),
        (equal_back_translation, "evidence/qa", "texts", f"{QA}/de/{SHARD} qa-1"),
        (shown_name, "concepts/qa", "texts", "concept-C0000004"),
        (near_text, "evidence/qa/en", "near", f"{QA}/en/{SHARD} qa-1"),
        (shared_passage, "evidence/qa", "passages", f"data/qa/qrels/en/{SHARD} qa-1"),
        (equal_passage, "evidence/qa", "passages", f"data/qa/corpus/{SHARD} p1"),
    ],
)
def test_a_planted_leak_is_found(
    plant: Callable[[Tables], None], pair: str, kind: str, where: str, tmp_path: Path
) -> None:
    tables = small_release()
    plant(tables)
    root = seal(write(tmp_path, tables))
    certificate = audit(root)
    assert not certificate["passed"]
    found = [fault for fault in certificate["faults"] if fault.startswith(f"overlap {pair}: ")]
    assert any(f" {kind} in common" in fault and where in fault for fault in found), certificate
    assert set(certificate["faults"]) <= set(verify(root))
    entry = certificate["pairs"]["/".join(pair.split("/")[:2])]
    entry = entry["languages"][pair.split("/")[2]] if pair.count("/") > 1 else entry
    assert entry[kind]["shared"] == len(entry[kind]["examples"]) > 0


def strings_with_jaccard(shared: int, total: int) -> tuple[str, str]:
    """Two texts of different letters only, of which so many 5-grams of all are shared."""
    letters = [chr(ord("一") + n) for n in range(total + 9)]
    one = "".join(letters[: shared + 4])
    return one, "".join(letters[: total + 4])


@pytest.mark.parametrize(
    ("shared", "total", "found"), [(69, 100, False), (70, 100, True), (71, 100, True)]
)
def test_the_threshold_is_exact(shared: int, total: int, found: bool, tmp_path: Path) -> None:
    tables = small_release()
    tables[f"{QA}/en"][0]["text"], tables[f"{EVIDENCE}/en"][0]["text"] = strings_with_jaccard(
        shared, total
    )
    certificate = audit(write(tmp_path, tables))
    near_found = certificate["pairs"]["evidence/qa"]["languages"]["en"]["near"]
    assert (near_found["shared"] == 1) is found
    assert certificate["passed"] is not found
    if found:
        assert near_found["examples"][0]["key"] == f"{shared / total:.4f}"


@pytest.mark.parametrize("task", ["qa", "evidence", "concepts"])
def test_an_empty_task_proves_nothing(task: str, tmp_path: Path) -> None:
    tables = {k: rows for k, rows in small_release().items() if not k.startswith(f"data/{task}/")}
    certificate = audit(write(tmp_path, tables))
    assert not certificate["passed"]
    assert f"{task}: no concepts at all; an empty task proves nothing" in certificate["faults"]


def test_the_certificate_does_not_depend_on_shards_or_languages_order(tmp_path: Path) -> None:
    tables = small_release()
    tables[f"{QA}/en"].append(query("qa-2", "Is rest good for sprains?", "C0000005"))
    one = audit(write(tmp_path / "one", tables))
    root = write(tmp_path / "two", tables)
    (root / QA / "en" / SHARD).unlink()
    for place, row in enumerate(tables[f"{QA}/en"]):
        shard = root / QA / "en" / f"test-{place:05d}-of-00002.parquet"
        pq.write_table(to_table("queries", [row]), shard)
    assert audit(root) == one


def test_a_certificate_that_says_otherwise_is_found(tmp_path: Path) -> None:
    tables = small_release()
    shared_cui(tables)
    root = seal(write(tmp_path, tables))
    forged = json.loads((root / "overlap.json").read_text())
    forged["passed"] = True
    forged["pairs"]["evidence/qa"]["concepts"]["shared"] = 0
    (root / "overlap.json").write_text(json.dumps(forged))
    problems = verify(root)
    assert "overlap.json: passed is not what the released files give" in problems
    assert (
        "overlap.json: pairs.evidence/qa.concepts.shared is not what the released files give"
        in problems
    )
    assert any(line.startswith("overlap.json: sha256 is ") for line in problems)


def append_byte(root: Path) -> None:
    with (root / QA / "en" / SHARD).open("ab") as handle:
        handle.write(b"x")


def remove(root: Path) -> None:
    (root / QA / "en" / SHARD).unlink()


def add(root: Path) -> None:
    (root / "data" / "qa" / "more.txt").write_text("x")


def change_manifest(root: Path) -> None:
    manifest = json.loads((root / "manifest.json").read_text())
    manifest["files"][0]["rows"] = 77
    manifest["build_hash"] = "0" * 64
    (root / "manifest.json").write_text(json.dumps(manifest))


def lose(name: str) -> Callable[[Path], None]:
    return lambda root: (root / name).unlink()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (append_byte, f"{QA}/en/{SHARD}: sha256 is "),
        (append_byte, f"{QA}/en/{SHARD}: not a readable Parquet file"),
        (remove, f"{QA}/en/{SHARD}: listed in manifest.json, but not there"),
        (add, "data/qa/more.txt: not in manifest.json"),
        (change_manifest, "LICENSE.md: rows is 0, manifest.json says 77"),
        (change_manifest, "manifest.json: build_hash is not that of the files"),
        (lose("manifest.json"), "manifest.json: missing"),
        (lose("overlap.json"), "overlap.json: missing"),
    ],
)
def test_a_spoilt_release_is_named(
    spoil: Callable[[Path], None], message: str, tmp_path: Path
) -> None:
    root = seal(write(tmp_path, small_release()))
    spoil(root)
    assert any(problem.startswith(message) for problem in verify(root)), verify(root)


def test_hidden_files_are_no_part_of_a_release(tmp_path: Path) -> None:
    root = seal(write(tmp_path, small_release()))
    (root / ".cache").mkdir()
    (root / ".cache" / "download.lock").touch()
    assert verify(root) == []


@pytest.mark.parametrize(
    ("folder", "change", "message"),
    [
        (f"{QA}/en", {"_id": "qa 1"}, f"{QA}/en/{SHARD} qa 1: the id has characters"),
        (f"{QA}/en", {"_id": "query-1"}, f"{QA}/en/{SHARD} query-1: the id does not begin with qa"),
        (f"{QA}/en", {"_id": "qa-9"}, f"data/qa/qrels/en/{SHARD} qa-1: no such query"),
        (f"{QA}/en", {"_id": "qa-9"}, f"{QA}/en/{SHARD} qa-9: no relevant document"),
        (f"{QA}/en", {"text": "?!"}, f"{QA}/en/{SHARD} qa-1: text without a letter"),
        (f"{QA}/en", {"cuis": []}, f"{QA}/en/{SHARD} qa-1: grounded in no concept"),
        ("data/qa/corpus", {"_id": "qa-1"}, f"{QA}/en/{SHARD} qa-1: the id of a document too"),
        ("data/qa/corpus", {"text": " "}, f"data/qa/corpus/{SHARD} p1: blank text"),
        ("data/qa/corpus", {"_id": "p9"}, f"data/qa/qrels/de/{SHARD} qa-1: document p1 is not in"),
        ("data/qa/qrels/en", {"score": 0}, f"data/qa/qrels/en/{SHARD} qa-1: score 0 for p1"),
        (
            "data/concepts/queries/hard/de",
            {"text": "Scabies!"},
            f"data/concepts/queries/hard/de/{SHARD} concepts-1: is the name under",
        ),
        (
            "data/concepts/top_ranked/hard/en",
            {"corpus-ids": ["concept-C0000004"]},
            f"data/concepts/top_ranked/hard/en/{SHARD} concepts-1: the gold is not among",
        ),
        (
            "data/concepts/top_ranked/hard/en",
            {"corpus-ids": ["concept-C0000003"] * 2},
            f"data/concepts/top_ranked/hard/en/{SHARD} concepts-1: a candidate stands twice",
        ),
        (
            "data/concepts/top_ranked/hard/en",
            {"query-id": "concepts-2"},
            f"data/concepts/queries/hard/en/{SHARD} concepts-1: no candidates to rank",
        ),
    ],
)
def test_rows_against_the_contract_are_named(
    folder: str, change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    tables = small_release()
    tables[folder][0] |= change
    problems = verify(seal(write(tmp_path, tables)))
    assert any(problem.startswith(message) for problem in problems), problems


def test_a_query_may_not_be_a_name_shown_for_it(tmp_path: Path) -> None:
    """The gold's own name would answer it; a distractor's would have two answers right."""
    tables = small_release()
    tables["data/concepts/queries/hard/de"][0]["text"] = "Head-lice"
    problems = verify(seal(write(tmp_path, tables), tables))
    place = f"data/concepts/queries/hard/de/{SHARD} concepts-1"
    assert problems == [f"{place}: is the name under which concept-C0000004 is shown for it"]


def test_a_subset_may_not_ask_twice(tmp_path: Path) -> None:
    tables = small_release()
    tables[f"{QA}/en"].append(query("qa-2", "How long does a MIGRAINE last", "C0000001"))
    tables["data/qa/qrels/en"].append(qrel("qa-2", "p1"))
    problems = verify(seal(write(tmp_path, tables), tables))
    assert problems == [f"{QA}/en/{SHARD} qa-2: asks the same as qa-1 of its subset"]


@pytest.mark.parametrize("folder", [f"{QA}/en", "data/qa/corpus", "data/qa/qrels/en"])
def test_rows_that_stand_twice_are_named(folder: str, tmp_path: Path) -> None:
    tables = small_release()
    tables[folder] *= 2
    problems = verify(seal(write(tmp_path, tables)))
    assert any("already" in problem or "judged twice" in problem for problem in problems)


def test_what_is_no_release_stops(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="no folder data/"):
        audit(tmp_path)
    root = write(tmp_path, small_release())
    table = pq.read_table(root / QA / "en" / SHARD)
    pq.write_table(table.drop_columns(["cuis"]), root / QA / "en" / SHARD)
    with pytest.raises(AuditError, match=f"{QA}/en/{SHARD}: no column cuis"):
        audit(root)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text("ab c糖尿病", max_size=12), max_size=10),
    st.lists(st.text("ab c糖尿病", max_size=12), max_size=10),
)
def test_two_ways_to_near_duplicates_agree(left: list[str], right: list[str]) -> None:
    mine, theirs = ({plain(text): 0 for text in texts} for texts in (left, right))
    texts = {f"l{text}": ("l", text) for text in mine} | {
        f"r{text}": ("r", text) for text in theirs
    }
    expected = [(one[1:], other[1:], score) for one, other, score in pairs(texts)]
    assert near(mine, theirs) == expected


@given(st.text(max_size=20))
def test_two_ways_to_compare_texts_agree(text: str) -> None:
    assert plain(text) == normalise(text)


def test_the_audit_shares_no_code_with_the_claim() -> None:
    package = Path(__file__).parents[2] / "splits" / "audit"
    for path in sorted(package.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                root, _, rest = name.partition(".")
                assert root not in ("pipeline", "umls_tools", "translation", "qa_filters"), path
                assert root != "splits" or rest.startswith("audit"), path
