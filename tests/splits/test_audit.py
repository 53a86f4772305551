import ast
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.schemas import to_table
from pipeline.text import normalise
from splits.audit import AuditError, audit, build_hash, verify
from splits.audit.similarity import near, plain
from splits.near_duplicates import pairs

Tables = dict[str, list[dict[str, Any]]]
SHARD = "test-00000-of-00001.parquet"


def query(_id: str, text: str, cui: str, language: str = "en", back: str = "") -> dict[str, Any]:
    return {
        "_id": _id,
        "text": text,
        "language": language,
        "cuis": [cui],
        "source_id": f"source of {_id}",
        "origin": "mt" if back else "source",
        "engine": "",
        "model": "",
        "revision": "",
        "back_translation": back,
        "sabs": [],
        "max_srl": 0,
        "parallel_core": True,
    }


def document(_id: str, text: str, cui: str) -> dict[str, Any]:
    return {
        "_id": _id,
        "title": "",
        "text": text,
        "cuis": [cui],
        "source": "test",
        "licence": "CC0",
        "url": "",
    }


def qrel(query_id: str, document_id: str) -> dict[str, Any]:
    return {"query-id": query_id, "corpus-id": document_id, "score": 1}


def small_release() -> Tables:
    """Three tasks in English and German that share nothing."""
    tables: Tables = {
        "data/qa/corpus": [document("p1", "Rest helps.", "C0000001")],
        "data/evidence/corpus": [document("p2", "Trials say little.", "C0000002")],
        "data/concepts/corpus": [
            document("concept-C0000003", "scabies", "C0000003"),
            document("concept-C0000004", "head lice", "C0000004"),
        ],
    }
    wordings = {
        "qa": ("How long does a migraine last?", "Wie lange dauert Migräne?", "p1", "C0000001"),
        "evidence": ("Does aspirin prevent stroke?", "Hilft Aspirin?", "p2", "C0000002"),
        "concepts": ("the itch", "Krätze", "concept-C0000003", "C0000003"),
    }
    for task, (english, german, relevant, cui) in wordings.items():
        tier = "/hard" if task == "concepts" else ""
        for language, text, back in (("en", english, ""), ("de", german, f"back: {english}")):
            place = f"{tier}/{language}"
            rows = [query(f"{task}-1", text, cui, language, back)]
            tables[f"data/{task}/queries{place}"] = rows
            tables[f"data/{task}/qrels{place}"] = [qrel(f"{task}-1", relevant)]
            if tier:
                candidates = ["concept-C0000004", "concept-C0000003"]
                ranked = {"query-id": f"{task}-1", "corpus-ids": candidates}
                tables[f"data/{task}/top_ranked{place}"] = [ranked]
    return tables


def write(root: Path, tables: Tables) -> Path:
    for folder, rows in tables.items():
        kind = folder.split("/")[2]
        path = root / folder / SHARD
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(to_table(kind, rows), path)
    return root


def seal(root: Path) -> Path:
    """Write certificate and manifest."""
    (root / "overlap.json").write_text(json.dumps(audit(root), sort_keys=True), "utf-8")
    entries = []
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        rows = pq.read_metadata(path).num_rows if path.suffix == ".parquet" else 0
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        name = path.relative_to(root).as_posix()
        entries.append({"path": name, "rows": rows, "bytes": path.stat().st_size, "sha256": digest})
    total = build_hash({entry["path"]: entry["sha256"] for entry in entries})
    manifest = {"files": entries, "build_hash": total}
    (root / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return root


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
    manifest["build_hash"] = "0"
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
        (change_manifest, f"data/concepts/corpus/{SHARD}: 2 rows, manifest.json says 77"),
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
            f"data/concepts/queries/hard/de/{SHARD} concepts-1: asks for concept-C0000003 by the",
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


def test_a_query_may_be_the_name_of_another_candidate(tmp_path: Path) -> None:
    """Only the gold's own name answers the query; a distractor's misleads, which is its task."""
    tables = small_release()
    tables["data/concepts/queries/hard/de"][0]["text"] = "head lice"
    assert verify(seal(write(tmp_path, tables))) == []


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
