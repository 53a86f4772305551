"""Questions and passages get their current CUIs: given, from MeSH headings, or linked by name."""

import dataclasses
from collections.abc import Collection, Iterable

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Grounding
from pipeline.records import Passage, Question, Reject
from pipeline.stages.lexicon import CUI, STAGE, Evidence, is_linked, texts_of
from pipeline.stages.tally import CountIn, SetAside, note
from umls_tools.linking import AMBIGUOUS, Lexicon, Link, heading_key


class Ground(beam.PTransform):
    """Passages or questions → the same with the current CUIs that they are about."""

    def __init__(self, lexicon: beam.PCollection, grounding: Grounding) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.grounding = grounding

    @no_annotations
    def expand(self, evidence: beam.PCollection) -> beam.PCollection:
        """Keeps every record; what could not be resolved is left out of its CUIs."""
        lexicon = beam.pvalue.AsSingleton(self.lexicon)
        grounding = beam.Map(ground, lexicon, self.grounding)
        return evidence | "Ground" >> grounding.with_output_types(evidence.element_type)


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


def ground(record: Evidence, lexicon: Lexicon, grounding: Grounding) -> Evidence:
    """The record with its current CUIs: given ones first, else by headings, else by its text.

    Headings say what a whole article is about, a question names some of it: those that it names
    come before the others. Names that no heading bears out are not taken where there are headings.
    A question's given CUI that the lexicon does not know is kept: nothing may be shown of its
    concept, but no other task may have it.
    """
    given = _resolved(lexicon, (f"cui:{cui}" for cui in record.cuis))
    by_heading = _resolved(lexicon, map(heading_key, record.headings))
    linked = _linked(record, lexicon, by_heading) if is_linked(record, grounding) else ()
    if isinstance(record, Passage):
        return dataclasses.replace(record, cuis=tuple(sorted({*given, *by_heading, *linked})))
    unseen = (c for c in record.cuis if f"cui:{c}" not in lexicon.senses and CUI.fullmatch(c))
    if told := {*given, *unseen}:
        return dataclasses.replace(record, cuis=tuple(sorted(told)))
    named = tuple(cui for cui in linked if cui in by_heading)
    found = named or by_heading or (() if record.headings else linked)
    return dataclasses.replace(record, cuis=found)


def without_general(question: Question, general: list[str]) -> Question | Reject:
    """The question without concepts that are too general; a Reject when none is left."""
    excluded = frozenset(general)
    cuis = tuple(cui for cui in question.cuis if cui not in excluded)
    if cuis:
        return dataclasses.replace(question, cuis=cuis)
    reason = "only_general_concepts" if question.cuis else "not_grounded"
    return Reject(STAGE, question.source_id, reason, " ".join(question.cuis))


def _linked(record: Evidence, lexicon: Lexicon, prefer: Collection[str]) -> tuple[str, ...]:
    """The concepts that a record names, sorted; how each name was told from others is counted."""
    links = [link for text in texts_of(record) for link in lexicon.links(text, prefer)]
    for link in links:
        note(STAGE, _told(link))
    return tuple(sorted({link.cui for link in links if link.cui}))


def _told(link: Link) -> str:
    if link.how == AMBIGUOUS:
        return "ambiguous names dropped"
    return "names of one concept" if link.how == "only" else f"ambiguous names told by {link.how}"


def _resolved(lexicon: Lexicon, keys: Iterable[str]) -> tuple[str, ...]:
    """The concepts that keys stand for; a key of several says nothing."""
    return tuple(sorted({cui for key in keys if (cui := lexicon.cui(key))}))
