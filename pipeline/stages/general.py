"""Concepts on too many passages or questions to tell one from another, found and listed."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Grounding
from pipeline.records import Passage, Question
from pipeline.release.layout import WORK
from pipeline.stages.lexicon import is_common

PASSAGES = "passages"
_FILE = "general_concepts.json"

Counted = tuple[str, str, int]  # CUI, collection, documents of it that the concept stands on


class GeneralConcepts(beam.PTransform):
    """Grounded passages and questions → CUIs on too many of them to tell one from another.

    All passages are counted together, questions by source: what is rare among a large source's
    questions may stand in a tenth of a small one's. The list is written for the manifest.
    """

    def __init__(self, grounding: Grounding, folder: str) -> None:
        super().__init__()
        self.grounding = grounding
        self.folder = folder

    @no_annotations
    def expand(self, grounded: tuple[beam.PCollection, beam.PCollection]) -> beam.PCollection:
        """Takes passages and questions; gives CUIs, each once."""
        passages, questions = grounded
        records = (
            passages | "Of passages" >> beam.Map(_in_corpus),
            questions | "Of questions" >> beam.Map(_in_source),
        ) | "Together" >> beam.Flatten()
        totals = records | "Collections" >> beam.Keys() | beam.combiners.Count.PerElement()
        general = (
            records
            | "CUIs" >> beam.FlatMap(_cuis_of)
            | "Document frequency" >> beam.combiners.Count.PerElement()
            | "Too general" >> beam.FlatMap(_if_general, beam.pvalue.AsDict(totals), self.grounding)
        )
        _ = (
            general
            | "List" >> beam.CombineGlobally(beam.combiners.ToListCombineFn())
            | "Write list" >> beam.Map(write_general, self.folder)
        )
        return general | "CUI" >> beam.Map(_cui) | "Once" >> beam.Distinct()


def write_general(counted: Iterable[Counted], folder: str) -> str:
    """Write the list where the build finds it; gives the file's path."""
    listed: dict[str, dict[str, int]] = {}
    for cui, collection, documents in sorted(counted):
        listed.setdefault(cui, {})[collection] = documents
    path = Path(folder, WORK, _FILE)
    path.write_text(json.dumps(listed), "utf-8")
    return str(path)


def read_general(folder: Path) -> dict[str, dict[str, int]]:
    """The list of a build: by CUI, the documents of each collection that it stands on."""
    found: dict[str, dict[str, int]] = json.loads((folder / WORK / _FILE).read_text("utf-8"))
    return found


def _in_corpus(passage: Passage) -> tuple[str, tuple[str, ...]]:
    return PASSAGES, passage.cuis


def _in_source(question: Question) -> tuple[str, tuple[str, ...]]:
    return f"{question.source} questions", question.cuis


def _cuis_of(record: tuple[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    collection, cuis = record
    for cui in cuis:
        yield collection, cui


def _if_general(
    pair: tuple[tuple[str, str], int], totals: Mapping[str, int], grounding: Grounding
) -> Iterator[Counted]:
    (collection, cui), documents = pair
    share, least = grounding.max_document_share, grounding.min_documents
    if is_common(documents, totals[collection], share, least):
        yield cui, collection, documents


def _cui(counted: Counted) -> str:
    return counted[0]
