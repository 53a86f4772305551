"""Candidates in few words, and human translations from TICO-19."""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qa_filters.base import Candidate, ConceptNames
from qa_filters.filters import standard_filters

Pairs = list[tuple[str, str, str]]


def build_candidate(
    language: str,
    source: str,
    text: str,
    back: str = "",
    names: tuple[str, ...] = (),
    target_names: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    origin: str = "mt",
    kind: str = "question",
    rivals: tuple[ConceptNames, ...] = (),
    answer: str = "",
    log_probability: float | None = None,
) -> Candidate:
    concepts = (ConceptNames(names, target_names),) if names or target_names else ()
    return Candidate(
        *(source, "en", text, language, origin, kind, back, concepts, flags),
        *(rivals, answer, log_probability),
    )


def list_refusals(posed: Candidate) -> list[str]:
    refusing = []
    for name, filter_ in sorted(standard_filters().items()):
        score = filter_.score(posed)
        if not math.isnan(score) and not filter_.accepts(score, posed):
            refusing.append(name)
    return refusing


@cache
def read_pairs(path: Path) -> Pairs:
    rows = []
    for unit in ElementTree.parse(path).iter("tu"):
        english, translated = ("".join(seg.itertext()).strip() for seg in unit.iter("seg"))
        rows.append((unit.attrib["tuid"], english, translated))
    return rows


@pytest.fixture(scope="session")
def candidate() -> Callable[..., Candidate]:
    """Builds a candidate whose source is English."""
    return build_candidate


@pytest.fixture(scope="session")
def refusals() -> Callable[[Candidate], list[str]]:
    """Names the filters that refuse a candidate, all at their defaults."""
    return list_refusals


@pytest.fixture(scope="session")
def shifted_translations(shared_data: Path) -> Pairs:
    """French sentences beside English ones that they do not translate."""
    rows = read_pairs(shared_data / "tico19/tmx/all.en-fr.tmx")
    return [row for row in rows if row[0].startswith("PubMed_8:")]
