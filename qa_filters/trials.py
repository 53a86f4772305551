"""Good translations and spoilt ones, drawn by key, and what filters make of them."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pipeline.text import draw, normalise
from qa_filters.base import TERM, Candidate, ConceptNames, Filter
from qa_filters.corruptions.base import Pair, Surroundings
from qa_filters.corruptions.table import CORRUPTIONS

HUMAN = "human"
MAX_CONCEPTS = 3


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate and what was done to it: a corruption's label, or ``human`` for nothing."""

    language: str
    label: str
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the filters said of a trial: their scores, and who refuses, both by name."""

    trial: Trial
    scores: Mapping[str, float]
    refusing: frozenset[str]


def draw_trials(pairs: Iterable[Pair], size: int, seed: int) -> list[Trial]:
    """At most ``size`` human translations and as many of each corruption, for each language.

    Which ones depends on their ids and the seed alone, not on the order in which they come.
    """
    found: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    versions: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in pairs:
        found[pair.language, pair.kind].append(pair)
        versions[pair.source_text].setdefault(pair.language, pair.text)
    trials: list[Trial] = []
    for key in sorted(found):
        drawn = sorted(found[key], key=lambda p: (draw(seed, "trial", p.pair_id), p.text))
        trials += _trials_of(drawn, versions, size, seed)
    return trials


def _trials_of(
    drawn: Sequence[Pair], versions: Mapping[str, Mapping[str, str]], size: int, seed: int
) -> list[Trial]:
    trials = [Trial(pair.language, HUMAN, pair.candidate()) for pair in drawn[:size]]
    around = {
        pair: Surroundings(other, versions[pair.source_text], seed)
        for pair, other in zip(drawn, [*drawn[1:], *drawn[:1]], strict=True)
    }
    for label in sorted(CORRUPTIONS):
        spoilt = (
            Trial(pair.language, label, pair.with_text(made.text, made.back_translation))
            for pair in drawn
            if (made := CORRUPTIONS[label](pair, around[pair])) is not None
        )
        trials += islice(spoilt, size)
    return trials


def try_filters(trials: Iterable[Trial], filters: Mapping[str, Filter]) -> list[Outcome]:
    """Ask every filter about every trial."""
    return [_try(trial, filters) for trial in trials]


def _try(trial: Trial, filters: Mapping[str, Filter]) -> Outcome:
    scores = {name: filters[name].score(trial.candidate) for name in sorted(filters)}
    return decide_again(Outcome(trial, scores, frozenset()), filters)


def decide_again(outcome: Outcome, filters: Mapping[str, Filter]) -> Outcome:
    """The outcome under other thresholds, from the same scores."""
    refusing = frozenset(
        name
        for name, score in outcome.scores.items()
        if is_refused(filters[name], score, outcome.trial.candidate)
    )
    return replace(outcome, refusing=refusing)


def is_refused(filter_: Filter, score: float, candidate: Candidate) -> bool:
    """Whether a filter refuses a candidate that it gave this score."""
    return not math.isnan(score) and not filter_.accepts(score, candidate)


def with_concepts(pairs: Iterable[Pair], terms: Iterable[Pair]) -> list[Pair]:
    """The pairs, each with the concepts that a list of terms knows on both of its sides."""
    terms = list(terms)
    named: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for term in terms:
        named[term.source_text].add((term.language, term.text))
    by_word: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for term in sorted(set(terms), key=lambda term: (-len(term.source_text), term.source_text)):
        words = normalise(term.source_text).split()
        if words:
            by_word[term.language, words[0]].append(term)
    return [
        _named(pair, named[pair.source_text]) if pair.kind == TERM else _grounded(pair, by_word)
        for pair in pairs
    ]


def _named(pair: Pair, names: Iterable[tuple[str, str]]) -> Pair:
    """A term with itself for a concept, and with what other languages call it."""
    if pair.concepts:
        return pair
    elsewhere = (text for language, text in sorted(names) if language != pair.language)
    return replace(pair, concepts=(ConceptNames((pair.source_text,), (pair.text,), (*elsewhere,)),))


def _grounded(pair: Pair, by_word: Mapping[tuple[str, str], list[Pair]]) -> Pair:
    folded = f" {normalise(pair.source_text)} "
    text = pair.text.casefold()
    fitting = [
        term
        for word in dict.fromkeys(folded.split())
        for term in by_word.get((pair.language, word), ())
        if f" {normalise(term.source_text)} " in folded and term.text.casefold() in text
    ]
    names = (ConceptNames((term.source_text,), (term.text,)) for term in fitting)
    return replace(pair, concepts=tuple(dict.fromkeys(islice(names, MAX_CONCEPTS))))
