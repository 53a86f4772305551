"""The open Metathesaurus as concepts, read once for all tests here."""

from collections import Counter
from pathlib import Path

import pytest

from pipeline.records import LANGUAGES, Concept
from umls_tools.concept_batches import concepts_of
from umls_tools.files import locate
from umls_tools.reading import Metathesaurus, Watch, assembly_of, read_concepts

OPEN_MAX_SRL = 0


@pytest.fixture(scope="session")
def open_concepts(shared_data: Path) -> list[Concept]:
    """Every concept, as the pipeline would see it."""
    tables = locate(str(path) for path in (shared_data / "openmeta" / "META").iterdir())
    assembly = assembly_of(tables, tuple(LANGUAGES), OPEN_MAX_SRL)
    left_out: Counter[str] = Counter()
    batches = read_concepts(Metathesaurus(tables, assembly), Watch(left_out.update))
    return [concept for batch in batches for concept in concepts_of(batch)]
