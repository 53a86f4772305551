"""Claimed queries → queries in every language: as they are, by a native name, or translated."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan, Translating
from pipeline.records import Query, Reject, Translation, TranslationRequest, Wording
from pipeline.release.withheld import FREE_LEVEL
from pipeline.stages.filesystems import exists, list_files, open_file
from pipeline.stages.tally import (
    ANSWERED,
    REJECTS,
    REMEMBERED,
    SENTENCES,
    TAKEN,
    TEXTS,
    TOKENS,
    CountIn,
    SetAside,
    count,
    note,
    show,
)
from pipeline.stages.terminology import TermsOf, free_names, no_names
from pipeline.text import normalise
from translation.batches import BatchLimit, plan_batches
from translation.memory import TranslationMemory
from translation.memory_files import load_memory
from translation.memory_folder import tidy
from translation.translate import pair_signature, translate_and_keep
from translation.watching import watch
from umls_tools.confusion.shown import shown_name

STAGE = "translate"
RESTRICTED = "restricted"  # the reason of a wording that nobody may translate
_logger = logging.getLogger("mmed-bench")
# How much travels to an engine at once; the engine cuts its own batches within it.
BATCH = BatchLimit(count=256, size=65_536)

Worded = tuple[Query, Translation]
# Text, source, target and the names that are wanted: what every coder encodes alike.
Key = tuple[str, ...]
Batch = tuple[Key, ...]  # of one source and target


class TranslateQueries(beam.PTransform):
    """Queries → (query, its text in a language), one for every language that can be had."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    @no_annotations
    def expand(self, queries: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Gives the pairs and the rejects; equal texts are translated once."""
        languages = self.plan.languages
        native = queries | "Native" >> beam.FlatMap(native_wordings, languages)
        names = free_names if self.plan.translation.terminology else no_names
        wanted = queries | "Wanted" >> beam.FlatMap(wanted_translations, languages, names)
        barred = queries | "Barred" >> beam.FlatMap(barred_translations, languages)
        batches = (
            wanted
            | CountIn(STAGE)
            | "Requests" >> beam.Keys()
            | "Distinct" >> beam.Distinct()
            | "By direction" >> beam.GroupBy(_direction)
            | "Batches" >> beam.FlatMap(cut_batches)
        )
        answers = (
            batches
            | "Spread" >> beam.Reshuffle()
            | "Translate" >> on_accelerator(self.plan.translation)
        )
        answered = (
            {"wanted": wanted, "answers": answers}
            | "Meet" >> beam.CoGroupByKey()
            | "Answer" >> beam.FlatMap(_answer)
        )
        translated = (answered, barred) | "Answered or not" >> beam.Flatten() | SetAside(STAGE)
        pairs = (native, translated.main) | "All" >> beam.Flatten()
        return pairs, translated[REJECTS]


def on_accelerator(translating: Translating) -> beam.PTransform:
    """The one step that asks its runner for the plan's accelerator; local ones do not listen."""
    step = beam.ParDo(Translate(translating))
    wanted = translating.accelerator
    return step.with_resource_hints(accelerator=wanted) if wanted else step


class Translate(beam.DoFn):
    """Translates batches with one engine a worker, the memory in front of it."""

    def __init__(self, translating: Translating) -> None:
        self.translating = translating
        self.given = self.memory = TranslationMemory()
        self.signature = ""

    def setup(self) -> None:
        """Load memory and cache once; the model, when there is something for it to do."""
        self.given = load_memory(self.translating.memory, open_file, list_files)
        self.memory = load_memory(memory_paths(self.translating), open_file, list_files)
        self.signature = pair_signature(self.translating.engine)
        watch(_show_batch)

    def process(self, batch: Batch) -> Iterator[tuple[Key, Translation | Reject]]:
        """Answer a batch, and write what is new to the cache before it is handed on."""
        margin = self.translating.terminology_margin
        requests = [request_of(key, margin) for key in batch]
        engine, cache = self.translating.engine, self.translating.cache
        found = sum(self.memory.get(one, self.signature) is not None for one in requests)
        answers = translate_and_keep(requests, engine, self.memory, cache)
        # Of the plan's memory alone: what a cache spares must not change what a release says.
        known = sum(self.given.get(one, self.signature) is not None for one in requests)
        note(STAGE, "from memory", known)
        show(STAGE, REMEMBERED, found)
        show(STAGE, ANSWERED, len(batch))
        yield from zip(batch, answers, strict=True)


def request_of(key: Key, margin: float) -> TranslationRequest:
    """What a key asks for; where no names are wanted, no margin tells requests apart."""
    text, source, target, *names = key
    return TranslationRequest(text, source, target, tuple(names), margin if names else 0.0)


def _show_batch(sentences: int, tokens: int) -> None:
    show(STAGE, SENTENCES, sentences)
    show(STAGE, TOKENS, tokens)


def tidy_cache(translating: Translating) -> None:
    """Make the cache one file; one that is damaged is set aside, and named in the log."""
    if Path(translating.cache).is_dir() and translating.cache:
        for damaged in tidy(translating.cache):
            _logger.warning("%s", damaged)


def memory_paths(translating: Translating) -> tuple[str, ...]:
    """Where translations are looked up: the plan's memory, and its cache once there is one."""
    cache = (translating.cache,) if exists(translating.cache) else ()
    return (*translating.memory, *cache)


def native_wordings(query: Query, languages: Sequence[str]) -> Iterator[Worded]:
    """The languages in which a query needs no translation."""
    for wording in _wordings(query):
        if wording.language in languages:
            yield query, Translation(wording.text, wording.language, query.origin)


def wanted_translations(
    query: Query, languages: Sequence[str], terms_of: TermsOf = no_names
) -> Iterator[tuple[Key, Query]]:
    """The other languages: what to translate into them, with which names, and for which query."""
    original = query.original
    for language in _unspoken(query, languages) if original.max_srl <= FREE_LEVEL else ():
        yield (original.text, original.language, language, *terms_of(query, language)), query


def barred_translations(query: Query, languages: Sequence[str]) -> Iterator[Reject]:
    """The same of a wording that must not be translated: every level above 0 forbids it."""
    for language in _unspoken(query, languages) if query.original.max_srl > FREE_LEVEL else ():
        count(STAGE, TAKEN)
        yield Reject(STAGE, f"{query.query_id}/{language}", RESTRICTED)


def _unspoken(query: Query, languages: Sequence[str]) -> list[str]:
    spoken = {wording.language for wording in _wordings(query)}
    return [language for language in languages if language not in spoken]


def cut_batches(
    group: tuple[tuple[str, str], Iterable[Key]],
) -> Iterator[Batch]:
    """What is asked in one direction, in batches that depend on the texts alone."""
    by_text: dict[str, set[Key]] = {}
    for key in group[1]:
        by_text.setdefault(key[0], set()).add(key)
    for texts in plan_batches(by_text, BATCH):
        batch = tuple(key for text in texts for key in sorted(by_text[text]))
        show(STAGE, TEXTS, len(batch))
        yield batch


def _wordings(query: Query) -> tuple[Wording, ...]:
    return (query.original, *query.natives)


def _direction(key: Key) -> tuple[str, str]:
    return key[1], key[2]


def _answer(
    group: tuple[Key, Mapping[str, Iterable[Any]]],
) -> Iterator[Worded | Reject]:
    (_, _, target, *_), sides = group
    for answer in sides["answers"]:
        for query in sides["wanted"]:
            key = f"{query.query_id}/{target}"
            if isinstance(answer, Reject):
                yield Reject(STAGE, key, answer.reason, answer.detail)
            elif not normalise(answer.text):
                yield Reject(STAGE, key, "no_text")
            elif _tells_answer(query, answer):
                yield Reject(STAGE, key, "equals_shown_name")
            else:
                yield query, answer


def _tells_answer(query: Query, translation: Translation) -> bool:
    """Whether a confusion set's query has become a name that the set shows, right or wrong."""
    if query.task != "concepts":
        return False
    shown = (shown_name(concept) for concept in query.concepts)
    return normalise(translation.text) in {normalise(name.text) for name in shown if name}
