"""What linking finds in MedQuAD's questions by the names of the open Metathesaurus."""

import dataclasses
from pathlib import Path
from typing import Protocol

import pytest

from pipeline.evidence import READERS, open_local
from pipeline.records import Concept, Passage, Question
from pipeline.text import normalise
from umls_tools.files import TableFile
from umls_tools.linking import KeyTable, Lexicon, lexicon_entries, text_fingerprints
from umls_tools.retired import histories, resolve, successors
from umls_tools.semantic_types import group_of


@dataclasses.dataclass(frozen=True)
class Asked:
    text: str
    focus: str
    cuis: frozenset[str]


class OpenMeta(Protocol):
    """As much as is needed of the fixture ``openmeta``."""

    concepts: list[Concept]


@pytest.fixture(scope="module")
def open_concepts(openmeta: OpenMeta) -> list[Concept]:
    return openmeta.concepts


@pytest.fixture(scope="module")
def asked(shared_data: Path, openmeta_paths: dict[str, TableFile]) -> list[Asked]:
    """Every answered question with the name and the present CUIs of its document's focus."""
    reader = READERS["medquad"]()
    fates = successors(histories(openmeta_paths))
    present = resolve(dict(fate for fate in fates if isinstance(fate, tuple)))
    units = reader.units([str(path) for path in (shared_data / "medquad").rglob("*.xml")])
    records = [record for unit in units for record in reader.read(unit, open_local)]
    focus = {one.passage_id: one.title for one in records if isinstance(one, Passage)}
    return [
        Asked(
            one.text,
            normalise(focus[one.relevant[0].passage_id]),
            frozenset(present.get(cui, cui) for cui in one.cuis),
        )
        for one in records
        if isinstance(one, Question)
    ]


@pytest.fixture(scope="module")
def lexicon(asked: list[Asked], open_concepts: list[Concept]) -> Lexicon:
    table = KeyTable.empty()
    for one in asked:
        table.add(text_fingerprints(one.text))
    typed = [one for one in open_concepts if group_of(one.semantic_types)]
    return Lexicon.of(entry for one in typed for entry in lexicon_entries(one, table))


def test_the_focus_is_found_in_most_questions(
    asked: list[Asked], lexicon: Lexicon, open_concepts: list[Concept]
) -> None:
    named: dict[str, set[str]] = {}
    for concept in open_concepts:
        for name in concept.names_in("en"):
            named.setdefault(normalise(name.text), set()).add(concept.cui)
    known = [one for one in asked if one.cuis and one.focus in named]
    found = [one for one in known if one.cuis & {link.cui for link in lexicon.links(one.text)}]
    own = [one for one in known if one.cuis & named[one.focus]]
    assert len(known) > 13_000
    assert len(found) / len(known) >= 0.86
    assert len(set(own) & set(found)) / len(set(own)) >= 0.97


def test_the_lexicon_is_a_small_part_of_all_names(
    lexicon: Lexicon, open_concepts: list[Concept]
) -> None:
    names = sum(len(concept.names_in("en")) for concept in open_concepts)
    assert len(lexicon.senses) < names / 10
