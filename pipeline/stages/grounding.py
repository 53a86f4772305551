"""Questions and passages get their current CUIs: given, from MeSH headings, or linked by name."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Grounding
from pipeline.records import Concept, Passage, Question, Reject
from pipeline.stages.tally import CountIn, SetAside
from umls_tools.linking import heading_key, lexicon_entries, longest_match, mentions
from umls_tools.semantic_types import group_of

STAGE = "ground"
CUI = re.compile(r"C[0-9L][0-9]{6}")  # "CL…" stands in the NCI Metathesaurus

Evidence = Passage | Question
Met = Mapping[str, tuple[str, ...]]  # key → the CUIs it stands for


class Lexicon(beam.PTransform):
    """Concepts and retired CUIs → (key, CUI) pairs: everything a text can be linked by.

    A text is linked by the names of concepts of some semantic groups only: "consumption" or
    "invasive" are names, too.
    """

    def __init__(self, retired: beam.PCollection, groups: tuple[str, ...]) -> None:
        super().__init__()
        self.retired = retired
        self.groups = groups

    def expand(self, concepts: beam.PCollection) -> beam.PCollection:
        """Takes concepts; `retired` holds (retired CUI, present CUI)."""
        present = concepts | "Entries" >> beam.FlatMap(entries_of, self.groups)
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
    """Grounded passages and questions → CUIs on too many of them to tell one from another.

    All passages are counted together, questions by source: what is rare among a large source's
    questions may stand in a tenth of a small one's.
    """

    def __init__(self, grounding: Grounding) -> None:
        super().__init__()
        self.grounding = grounding

    @no_annotations
    def expand(self, grounded: tuple[beam.PCollection, beam.PCollection]) -> beam.PCollection:
        """Takes passages and questions; gives CUIs, each once."""
        passages, questions = grounded
        records = (
            passages | "Of passages" >> beam.Map(_in_corpus),
            questions | "Of questions" >> beam.Map(_in_source),
        ) | "Together" >> beam.Flatten()
        totals = records | "Collections" >> beam.Keys() | beam.combiners.Count.PerElement()
        return (
            records
            | "CUIs" >> beam.FlatMap(_cuis_of)
            | "Document frequency" >> beam.combiners.Count.PerElement()
            | "Too general" >> beam.FlatMap(_if_general, beam.pvalue.AsDict(totals), self.grounding)
            | "Once" >> beam.Distinct()
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
    """The record with its current CUIs: given ones first, else by headings, else by its text.

    Headings say what a whole article is about, a question names some of it: those that it names
    come before the others. Names that no heading bears out are not taken where there are headings.
    A given CUI that the lexicon does not know is kept: nothing may be shown of its concept, but no
    other task may have it.
    """
    given = _cuis(met, (f"cui:{cui}" for cui in record.cuis))
    by_heading = _cuis(met, (heading_key(one) for one in record.headings))
    if isinstance(record, Passage):
        return dataclasses.replace(record, cuis=tuple(sorted({*given, *by_heading})))
    unseen = tuple(cui for cui in record.cuis if f"cui:{cui}" not in met and CUI.fullmatch(cui))
    linked = _linked(record, met, by_heading)
    named = tuple(cui for cui in linked if cui in by_heading)
    found = named or by_heading or (() if record.headings else linked)
    cuis = tuple(sorted({*given, *unseen})) if given or unseen else found
    return dataclasses.replace(record, cuis=cuis)


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


def entries_of(concept: Concept, groups: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What a concept can be linked by; by a name only if it is of one of the groups."""
    by_name = group_of(concept.semantic_types) in groups
    for key, cui in lexicon_entries(concept):
        if by_name or key.startswith(("cui:", "mesh:")):
            yield key, cui


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


def _in_corpus(passage: Passage) -> tuple[str, tuple[str, ...]]:
    return "", passage.cuis


def _in_source(question: Question) -> tuple[str, tuple[str, ...]]:
    return question.source, question.cuis


def _cuis_of(record: tuple[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    collection, cuis = record
    for cui in cuis:
        yield collection, cui


def _if_general(
    pair: tuple[tuple[str, str], int], totals: Mapping[str, int], grounding: Grounding
) -> Iterator[str]:
    (collection, cui), documents = pair
    share = grounding.max_document_share * totals[collection]
    if documents > max(grounding.min_documents, share):
        yield cui
