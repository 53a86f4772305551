"""What MTEB asks of a task, filled from the release: languages, licence, origin, citation."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pipeline.export.source import Source, subset_rows
from pipeline.records import LANGUAGES
from pipeline.release.layout import AUDIT, CARD, ReleaseError, Subset

PAPER = "https://arxiv.org/abs/2606.24200"
YEAR = 2026  # of the benchmark's design, where the UMLS release is not named by a year
LISTED = ("apache-2.0", "cc-by-4.0", "cc-by-nc-4.0", "cc0-1.0", "mit")  # by MTEB, of the card's
VERIFIED = "machine-translated and verified"  # MTEB's words, in the audit file too
NAMES: Mapping[str, str] = {"qa": "QA", "concepts": "Concepts", "evidence": "Evidence"}
DESCRIPTIONS: Mapping[str, str] = {
    "qa": "Medical questions in many languages against English passages that answer them.",
    "concepts": "Telling a medical concept, asked for in many languages, from its look-alikes.",
    "evidence": "Clinical questions in many languages against English evidence for generation.",
}
PROMPTS: Mapping[str, str] = {
    "qa": "Given a medical question, retrieve English passages that answer it",
    "concepts": "Given a name of a medical concept, retrieve the English name of the same concept",
    "evidence": "Given a clinical question, retrieve English evidence that answers it",
}
SUBTYPES: Mapping[str, str] = {
    "qa": "Question Answering Retrieval",
    "concepts": "Cross-Lingual Semantic Discrimination",
    "evidence": "Article retrieval",
}
_CITATION = """\
@misc{mmed-bench-ir,
  archiveprefix = {arXiv},
  eprint = {2606.24200},
  note = {Release %s %s, build hash %s},
  title = {MMed-Bench-IR: A Heterogeneous Benchmark for Multilingual Medical Information Retrieval},
  year = {2026},
}
"""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where MTEB finds the release: a repository of the Hub at a revision, or a folder."""

    path: str
    revision: str
    is_hub: bool


def shared_metadata(source: Source, origin: Origin) -> dict[str, Any]:
    """The arguments of MTEB's TaskMetadata that are the same for every task of a release."""
    return {
        "dataset": {"path": origin.path, "revision": origin.revision},
        "reference": PAPER,
        "category": "t2t",
        "modalities": ["text"],
        "eval_splits": ["test"],
        "main_score": "ndcg_at_10",
        "date": _dates(source.umls_release),
        "domains": ["Medical"],
        "license": _licence(source.root, origin),
        "annotations_creators": "derived",
        "dialect": [],
        "bibtex_citation": _CITATION % (source.name, source.version, source.build_hash),
    }


def task_metadata(source: Source, task: str, tier: str) -> dict[str, Any]:
    """The arguments of a task's own, of concepts of a tier; its subsets are its languages."""
    found = source.of(task, tier)
    return {
        "name": f"MMedBenchIR{NAMES[task]}{tier.title()}",
        "type": "Reranking" if tier else "Retrieval",
        "description": DESCRIPTIONS[task] + (f" Tier: {tier}." if tier else ""),
        "prompt": {"query": PROMPTS[task]},
        "task_subtypes": [SUBTYPES[task]],
        "sample_creation": _creation(source, found),
        "eval_langs": {one.name: _languages(one) for one in found},
    }


def _languages(subset: Subset) -> list[str]:
    """The query's language and the documents', as ``spa-Latn``."""
    codes = dict.fromkeys((subset.language, "en"))
    return [LANGUAGES[code].nllb.replace("_", "-") for code in codes]


def _dates(umls_release: str) -> tuple[str, str]:
    """The year of the UMLS release; MTEB asks when the data was collected."""
    named = re.fullmatch(r"(\d{4})A[A-C]", umls_release)
    year = named[1] if named else YEAR
    return f"{year}-01-01", f"{year}-12-31"


def _licence(root: Path, origin: Origin) -> str:
    """The card's licence where MTEB lists it; else where the notices stand."""
    front = _front_matter(root / CARD)
    licence = str(front.get("license", "")) if isinstance(front, dict) else ""
    if licence in LISTED:
        return licence
    if origin.is_hub:
        page = f"{origin.path}/blob/{origin.revision}/LICENSE.md"
        return f"https://huggingface.co/datasets/{page}"
    return "multiple"


def _front_matter(card: Path) -> object:
    if not card.is_file():
        return None
    try:
        parts = card.read_text("utf-8").split("---\n", 2)
        return yaml.safe_load(parts[1]) if len(parts) > 2 else None  # noqa: PLR2004
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        told = " ".join(str(error).split())
        raise ReleaseError(f"{card}: no card ({told}); fetch the release again") from error


def _creation(source: Source, found: tuple[Subset, ...]) -> str:
    translated = {
        one.language
        for one in found
        if any(row["origin"] == "mt" for row in subset_rows(source, one, "queries", ("origin",)))
    }
    if not translated:
        return "found"
    return VERIFIED if translated <= _verified(source.root) else "machine-translated"


def _verified(root: Path) -> set[str]:
    """The languages that raters found good enough."""
    path = root / AUDIT
    rows = json.loads(path.read_text("utf-8"))["languages"] if path.is_file() else []
    return {row["language"] for row in rows if row["status"] == VERIFIED}
