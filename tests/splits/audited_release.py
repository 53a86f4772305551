"""Write small whole releases, and seal them again after they were doctored."""

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pipeline.schemas import to_table
from splits.audit import audit, build_hash, manifest_hash

Row = dict[str, Any]
Tables = dict[str, list[Row]]
SHARD = "test-00000-of-00001.parquet"
PLAN = """name = "small"
version = "1.0.0"
seed = 7
profile = "open"
languages = ["en"]

[umls]
release = "2025AB"

[filters.copy]

# --set languages=["en", "de"]"""


def query(_id: str, text: str, cui: str, language: str = "en", back: str = "") -> Row:
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
        "sabs": ["MSH"] if _id.startswith("concepts") else [],
        "max_srl": 0,
        "parallel_core": True,
    }


def document(_id: str, text: str, cui: str) -> Row:
    is_name = _id.startswith("concept-")
    return {
        "_id": _id,
        "title": "",
        "text": text,
        "cuis": [cui],
        "source": "MSH" if is_name else "test",
        "licence": "UMLS SRL 0" if is_name else "CC0-1.0",
        "url": "",
    }


def qrel(query_id: str, document_id: str) -> Row:
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
    """Write the tables as they are given, in one shard each."""
    for folder, rows in tables.items():
        path = root / folder / SHARD
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(to_table(folder.split("/")[2], rows), path)
    return root


def verdicts_of(tables: Tables) -> dict[str, list[Row]]:
    """One verdict on each query, by language."""
    found: dict[str, list[Row]] = {}
    for folder, rows in tables.items():
        _, task, kind, *place = folder.split("/")
        for row in rows if kind == "queries" else ():
            same = {key: row[key] for key in ("text", "origin", "back_translation")}
            verdict = {"task": task, "tier": "/".join(place[:-1]), "query-id": row["_id"], **same}
            judged = {"filter": "copy", "score": 0.5, "accepted": True, "released": True}
            found.setdefault(place[-1], []).append(verdict | judged)
    return found


def seal(root: Path, tables: Tables | None = None) -> Path:
    """Write all that stands beside the data: verdicts, rejects, certificate, manifest."""
    quality = root / "quality"
    (quality / "verdicts").mkdir(parents=True, exist_ok=True)
    for language, rows in verdicts_of(small_release() if tables is None else tables).items():
        pq.write_table(to_table("verdicts", rows), quality / "verdicts" / f"{language}.parquet")
    reject = {"stage": "judge", "key": "qa-9/de", "reason": "copy", "detail": ""}
    pq.write_table(to_table("rejects", [reject]), quality / "rejects.parquet")
    (quality / "report.html").write_text("<p>report</p>", "utf-8")
    for name in ("LICENSE.md", "README.md", "eval.yaml", "scorer.pyz"):
        (root / name).write_text(name, "utf-8")
    (root / "croissant.json").write_text("{}", "utf-8")
    (root / "overlap.json").write_text(json.dumps(audit(root), sort_keys=True), "utf-8")
    return reseal(root, fields(root))


def fields(root: Path) -> dict[str, Any]:
    """What the manifest says besides its files and hashes."""
    absent = [f"concepts-{tier}-{one}" for tier in ("easy", "medium") for one in ("en", "de")]
    tables = sorted(root.rglob("*.parquet"))
    written = sum(pq.read_metadata(path).num_rows for path in tables)
    judged = {"in": 7, "out": 6, "rejected": {"copy": 1}, "notes": {}}
    wrote = {"in": written, "out": written, "rejected": {}, "notes": {}}
    return {
        "name": "small",
        "title": "Small",
        "version": "1.0.0",
        "profile": "open",
        "umls_release": "2025AB",
        "languages": ["en", "de"],
        "seed": 7,
        "plan": PLAN,
        "shortfall": {},
        "sources": {"MSH": 0},
        "software": {"python": "3.11"},
        "inputs": [{"name": "umls/MRCONSO.RRF", "bytes": 1, "sha256": "0" * 64}],
        "counts": {"judge": judged, "write": wrote},
        "absent": dict.fromkeys(absent, "the plan has no such tier"),
    }


def reseal(root: Path, said: dict[str, Any]) -> Path:
    """Write a manifest that lists the files as they are, with every hash right."""
    entries = []
    for path in sorted(p for p in root.rglob("*") if p.is_file() and p.name != "manifest.json"):
        rows = pq.read_metadata(path).num_rows if path.suffix == ".parquet" else 0
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        name = path.relative_to(root).as_posix()
        entries.append({"path": name, "rows": rows, "bytes": path.stat().st_size, "sha256": digest})
    total = build_hash({entry["path"]: entry["sha256"] for entry in entries})
    write_manifest(root, {**said, "files": entries, "build_hash": total})
    return root


def write_manifest(root: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest under a hash of its own."""
    rest = {key: value for key, value in manifest.items() if key != "manifest_hash"}
    sealed = {**rest, "manifest_hash": manifest_hash(rest)}
    (root / "manifest.json").write_text(json.dumps(sealed), "utf-8")


def doctored(root: Path, spoil: Callable[[Path], None]) -> Path:
    """Spoil the files, then make certificate and manifest agree with what they are now."""
    said = json.loads((root / "manifest.json").read_text("utf-8"))
    spoil(root)
    with contextlib.suppress(ValueError):  # what cannot be read gives no certificate
        (root / "overlap.json").write_text(json.dumps(audit(root), sort_keys=True), "utf-8")
    written = sum(pq.read_metadata(path).num_rows for path in root.rglob("*.parquet"))
    said["counts"]["write"]["out"] = written
    return reseal(root, said)
