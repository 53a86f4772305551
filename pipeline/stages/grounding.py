"""Questions and passages get their current CUIs: given, from MeSH headings, or linked by name."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Grounding
from pipeline.records import Passage, Question, Reject
from pipeline.stages.tally import CountIn, SetAside
from umls_tools.linking import heading_key, lexicon_entries, longest_match, mentions

STAGE = "ground"

Evidence = Passage | Question
Met = Mapping[str, tuple[str, ...]]  # key → the CUIs it stands for


class Lexicon(beam.PTransform):
    """Concepts and retired CUIs → (key, CUI) pairs: everything a text can be linked by."""

    def __init__(self, retired: beam.PCollection) -> None:
        super().__init__()
        self.retired = retired

    def expand(self, concepts: beam.PCollection) -> beam.PCollection:
        """Takes concepts; `retired` holds (retired CUI, present CUI)."""
        present = concepts | "Entries" >> beam.FlatMap(lexicon_entries)
        past = self.retired | "Retired" >> beam.Map(_retired_entry)
        return (present, past) | "All" >> beam.Flatten()


class Ground(beam.PTransform):
    """Passages or questions → the same with the current CUIs that they are about.

    Only the keys that some text asks for meet the lexicon; nothing grows with the UMLS but the
    lexicon itself.
    """

    def __init__(self, lexicon: beam.PCollection, link_text: bool) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.link_text = link_text

    def expand(self, evidence: beam.PCollection) -> beam.PCollection:
        """Keeps every record; what could not be resolved is left out of its CUIs."""
        wanted = evidence | "Keys" >> beam.FlatMap(wanted_keys, self.link_text)
        met = (
            {"wanted": wanted, "lexicon": self.lexicon}
            | "Meet" >> beam.CoGroupByKey()
            | "Met" >> beam.FlatMap(_met)
        )
        records = evidence | "By id" >> beam.Map(_by_id)
        return (
            {"records": records, "met": met}
            | "Gather" >> beam.CoGroupByKey()
            | "Resolve" >> beam.FlatMap(_grounded)
        )


class GeneralConcepts(beam.PTransform):
    """Grounded passages → CUIs that are on too many of them to tell one from another."""

    def __init__(self, grounding: Grounding) -> None:
        super().__init__()
        self.grounding = grounding

    def expand(self, passages: beam.PCollection) -> beam.PCollection:
        """Gives CUIs, each once."""
        total = passages | "Documents" >> beam.combiners.Count.Globally()
        return (
            passages
            | "CUIs" >> beam.FlatMap(_cuis_of)
            | "Document frequency" >> beam.combiners.Count.PerElement()
            | "Too general"
            >> beam.FlatMap(_if_general, beam.pvalue.AsSingleton(total), self.grounding)
        )


class KeepGrounded(beam.PTransform):
    """Grounded questions → those about concepts that can tell something, with rejects set aside."""

    def __init__(self, general: beam.PCollection) -> None:
        super().__init__()
        self.general = general

    @no_annotations
    def expand(self, questions: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        """Gives `.main` and `.rejects`."""
        return (
            questions
            | CountIn(STAGE)
            | "Specific" >> beam.Map(without_general, beam.pvalue.AsList(self.general))
            | SetAside(STAGE)
        )


def wanted_keys(record: Evidence, link_text: bool) -> Iterator[tuple[str, str]]:
    """(key, record id) for everything by which a record could be linked, each once."""
    keys = {f"cui:{cui}" for cui in record.cuis} | {heading_key(one) for one in record.headings}
    if link_text and isinstance(record, Question) and record.language == "en" and not record.cuis:
        keys.update(mention.key for mention in mentions(record.text))
    for key in sorted(keys):
        yield key, _id(record)


def ground(record: Evidence, met: Met) -> Evidence:
    """The record with its CUIs: given ones first, else (of a question) linked, else by headings.

    Headings say what a whole article is about; a question is about what it names. They only decide
    between the concepts that an ambiguous name may stand for, unless nothing else was found.
    """
    given = _cuis(met, (f"cui:{cui}" for cui in record.cuis))
    by_heading = _cuis(met, (heading_key(one) for one in record.headings))
    if isinstance(record, Passage):
        return dataclasses.replace(record, cuis=tuple(sorted({*given, *by_heading})))
    return dataclasses.replace(record, cuis=given or _linked(record, met, by_heading) or by_heading)


def without_general(question: Question, general: list[str]) -> Question | Reject:
    """The question without concepts that are too general; a Reject when none is left."""
    excluded = frozenset(general)
    cuis = tuple(cui for cui in question.cuis if cui not in excluded)
    if cuis:
        return dataclasses.replace(question, cuis=cuis)
    reason = "only_general_concepts" if question.cuis else "not_grounded"
    return Reject(STAGE, question.source_id, reason, " ".join(question.cuis))


def _linked(question: Question, met: Met, prefer: tuple[str, ...]) -> tuple[str, ...]:
    found = [(one, met[one.key]) for one in mentions(question.text) if one.key in met]
    return longest_match(found, prefer)


def _cuis(met: Met, keys: Iterable[str]) -> tuple[str, ...]:
    """The CUIs that keys stand for; a key of several concepts says nothing."""
    return tuple(sorted({met[key][0] for key in keys if len(met.get(key, ())) == 1}))


def _retired_entry(pair: tuple[str, str]) -> tuple[str, str]:
    retired, present = pair
    return f"cui:{retired}", present


def _id(record: Evidence) -> str:
    return record.passage_id if isinstance(record, Passage) else record.source_id


def _by_id(record: Evidence) -> tuple[str, Evidence]:
    return _id(record), record


def _met(
    group: tuple[str, Mapping[str, Iterable[str]]],
) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    key, sides = group
    cuis = tuple(sorted(set(sides["lexicon"])))
    if cuis:
        for record_id in sorted(set(sides["wanted"])):
            yield record_id, (key, cuis)


def _grounded(group: tuple[str, Mapping[str, Iterable[Any]]]) -> Iterator[Any]:
    _, sides = group
    met = dict(sorted(sides["met"]))
    for record in sides["records"]:
        yield ground(record, met)


def _cuis_of(passage: Passage) -> tuple[str, ...]:
    return passage.cuis


def _if_general(pair: tuple[str, int], total: int, grounding: Grounding) -> Iterator[str]:
    cui, documents = pair
    if documents > max(grounding.min_documents, grounding.max_document_share * total):
        yield cui
