"""Real and sample data for benchmarks, read with the project's own readers."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.records import Concept

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "pipeline" / "sample"


def open_data(name: str) -> Path | None:
    """A folder of the real open data, from MMED_SHARED or beside the checkout, if it is there."""
    shared = Path(os.environ.get("MMED_SHARED") or ROOT.parent / "shared")
    folder = shared / "data" / name
    return folder if folder.is_dir() else None


def concepts_of(meta: str) -> "list[Concept]":
    """Every concept of a small, free Metathesaurus, with all that is known of it."""
    from collections import Counter

    from pipeline.records import LANGUAGES
    from umls_tools.concept_batches import concepts_of as records_of
    from umls_tools.files import locate
    from umls_tools.reading import Metathesaurus, Watch, assembly_of, read_concepts

    tables = locate(str(path) for path in Path(meta).iterdir())
    left_out: Counter[str] = Counter()
    opened = Metathesaurus(tables, assembly_of(tables, tuple(LANGUAGES), 0))
    batches = read_concepts(opened, Watch(left_out.update))
    return [concept for batch in batches for concept in records_of(batch)]
