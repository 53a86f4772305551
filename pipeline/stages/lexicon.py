"""Names, MeSH headings and CUIs that some passage or question asks for, gathered in a lexicon."""

import re
from collections.abc import Iterable, Iterator, Mapping

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Grounding, Plan
from pipeline.records import Concept, Passage, Question
from pipeline.stages.tally import note
from umls_tools.linking import (
    EDGE_WORDS,
    KeyTable,
    Lexicon,
    Sense,
    fingerprint,
    heading_key,
    lexicon_entries,
    singular,
    text_fingerprints,
    words_of,
)
from umls_tools.semantic_types import group_of

STAGE = "ground"
CUI = re.compile(r"C[0-9L][0-9]{6}")  # "CL…" stands in the NCI Metathesaurus

Evidence = Passage | Question
Entry = tuple[str, Sense]


class GatherLexicon(beam.PTransform):
    """Concepts → one lexicon of all the keys that some passage or question asks for.

    What is asked for travels to the concepts as a table of bits, so that of millions of names
    only those go on that some text may hold. A text is linked by the names of concepts of the
    plan's semantic groups only: "consumption" or "invasive" are names, too.
    """

    def __init__(
        self,
        plan: Plan,
        retired: beam.PCollection,
        evidence: tuple[beam.PCollection, beam.PCollection],
    ) -> None:
        super().__init__()
        self.plan = plan
        self.retired = retired
        self.evidence = evidence

    @no_annotations
    def expand(self, concepts: beam.PCollection) -> beam.PCollection:
        """Takes concepts; `retired` holds (retired CUI, present CUI). Gives one lexicon."""
        grounding = self.plan.grounding
        records = self.evidence | "Evidence" >> beam.Flatten()
        asked = records | "Ask" >> beam.CombineGlobally(_Asked(grounding))
        wanted = beam.pvalue.AsSingleton(asked)
        stop_words = records | "Find stop words" >> StopWords(grounding)
        present = concepts | "Entries" >> beam.FlatMap(
            entries_of, self.plan.concepts.groups, wanted
        )
        past = self.retired | "Retired" >> beam.FlatMap(retired_entries, wanted)
        return (
            (present, past)
            | "All" >> beam.Flatten()
            | "Together" >> beam.CombineGlobally(beam.combiners.ToListCombineFn())
            | "Lexicon" >> beam.Map(_lexicon, beam.pvalue.AsList(stop_words))
        )


class StopWords(beam.PTransform):
    """Passages and questions → words in so many linked texts of a source that they name nothing.

    "Symptoms" and "treatment" are names of concepts, and stand in every other question.
    """

    def __init__(self, grounding: Grounding) -> None:
        super().__init__()
        self.grounding = grounding

    @no_annotations
    def expand(self, records: beam.PCollection) -> beam.PCollection:
        """Gives words, each once."""
        linked = records | "Linked" >> beam.Filter(is_linked, self.grounding)
        totals = linked | "Sources" >> beam.Map(_source) | beam.combiners.Count.PerElement()
        return (
            linked
            | "Words" >> beam.FlatMap(words_in)
            | "Texts of a word" >> beam.combiners.Count.PerElement()
            | "Common" >> beam.FlatMap(_if_common, beam.pvalue.AsDict(totals), self.grounding)
            | "Once" >> beam.Distinct()
            | "Note" >> beam.Map(_noted)
        )


class _Asked(beam.CombineFn):
    """The table of all that the records of parts could be grounded by."""

    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding

    def create_accumulator(self) -> KeyTable:
        return KeyTable.empty()

    def add_input(self, table: KeyTable, record: Evidence) -> KeyTable:
        table.add(wanted_by(record, self.grounding))
        return table

    def merge_accumulators(self, tables: Iterable[KeyTable]) -> KeyTable:
        return KeyTable.united(tables)

    def extract_output(self, table: KeyTable) -> KeyTable:
        return table


def wanted_by(record: Evidence, grounding: Grounding) -> Iterator[int]:
    """Fingerprints of everything by which a record could be grounded."""
    yield from (fingerprint(f"cui:{cui}") for cui in record.cuis)
    yield from (fingerprint(heading_key(one)) for one in record.headings)
    if is_linked(record, grounding):
        for text in texts_of(record):
            yield from text_fingerprints(text)


def is_linked(record: Evidence, grounding: Grounding) -> bool:
    """Whether a record is linked by names, in want of anything better and as the plan asks."""
    if isinstance(record, Passage):
        return grounding.link_passages and not record.cuis and not record.headings
    given = any(CUI.fullmatch(cui) for cui in record.cuis)
    return grounding.link_text and record.language == "en" and not given


def words_in(record: Evidence) -> Iterator[tuple[str, str]]:
    """(source, word) for each word of a record, and for its singular, once."""
    words = {word for text in texts_of(record) for word in words_of(text)[0]}
    for word in sorted(words | {singular(word) for word in words}):
        if word not in EDGE_WORDS:
            yield record.source, word


def entries_of(concept: Concept, groups: tuple[str, ...], wanted: KeyTable) -> Iterator[Entry]:
    """What a concept can be linked by; by a name only if it is of one of the groups."""
    by_name = group_of(concept.semantic_types) in groups
    for key, sense in lexicon_entries(concept, wanted):
        if by_name or key.startswith(("cui:", "mesh:")):
            yield key, sense


def retired_entries(pair: tuple[str, str], wanted: KeyTable) -> Iterator[Entry]:
    """A retired CUI as a key of the present one."""
    retired, present = pair
    if (key := f"cui:{retired}") in wanted:
        yield key, Sense(present)


def is_common(documents: int, total: int, share: float, least: int) -> bool:
    """Whether something stands in more of a collection than a share and a number allow."""
    return documents > max(least, share * total)


def _lexicon(entries: list[Entry], stop_words: list[str]) -> Lexicon:
    return Lexicon.of(entries, stop_words)


def texts_of(record: Evidence) -> tuple[str, ...]:
    """The texts of a record, across which no name goes on."""
    return (record.title, record.text) if isinstance(record, Passage) else (record.text,)


def _source(record: Evidence) -> str:
    return record.source


def _if_common(
    counted: tuple[tuple[str, str], int], totals: Mapping[str, int], grounding: Grounding
) -> Iterator[str]:
    (source, word), texts = counted
    if is_common(texts, totals[source], grounding.max_word_share, grounding.min_documents):
        yield word


def _noted(word: str) -> str:
    note(STAGE, "stop words")
    return word
