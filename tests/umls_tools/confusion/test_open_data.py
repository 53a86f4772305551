"""Difficulty and shortcuts of the sets that are mined from the open Metathesaurus.

The judges here share no code with mining: 4-grams by Jaccard and tokens by Jaccard.
"""

from collections.abc import Callable
from statistics import mean

import pytest

from pipeline.records import Concept, ConfusionSet
from pipeline.text import draw, normalise
from umls_tools.confusion.circles import shortlist
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.mine import Rules, golds, mine, sets_of
from umls_tools.confusion.shortcuts import Face, Sighted, shortcut_rates, times_shown
from umls_tools.confusion.shown import shown_name
from umls_tools.confusion.tiers import TIERS
from umls_tools.confusion.wordings import definition_query, english_query

GOLDS, SIZE, SEED = 400, 9, 7
CIRCLES = 32  # of each tier
CHANCE = 1 / (SIZE + 1)

Scores = Callable[[str, list[str]], list[float]]  # of (query, names), the gold's name first


class Mining:
    def __init__(self, concepts: list[Concept]) -> None:
        self.concepts = {concept.cui: concept for concept in concepts}
        self.index = ConceptIndex.build(concepts)
        tiers = {name: tier() for name, tier in TIERS.items()}
        self.golds = golds(self.index, GOLDS, SEED, {"DISO"})
        rules = Rules(SIZE, SEED, ("DISO",))
        mined = [mine(self.index, gold, tiers, rules) for gold in self.golds]
        found = [circle for gold in mined for circle in gold.circles]
        kept = shortlist(found, dict.fromkeys(TIERS, CIRCLES), SEED)
        self.sets = [
            one for c in kept for one in sets_of(self.index, c, tiers[c.tier], SIZE + 1, SEED)
        ]
        self.excluded = {reason for gold in mined for reason, _ in gold.excluded}

    def shown(self, cui: str) -> str:
        return self.index.name(self.index.node(cui))

    def english(self, tier: str) -> list[tuple[str, list[str]]]:
        """Query and names of every set of a tier that can be asked in English."""
        return [
            (query.text, self.names(one))
            for one in self.sets
            if one.tier == tier
            and (query := english_query(self.concepts[one.gold], self.shown(one.gold)))
        ]

    def members(self, one: ConfusionSet) -> list[str]:
        return [one.gold, *(other.cui for other in one.distractors)]

    def names(self, one: ConfusionSet) -> list[str]:
        return [self.shown(one.gold), *(self.shown(other.cui) for other in one.distractors)]

    def hit(self, one: ConfusionSet, judge: Scores) -> float:
        query = english_query(self.concepts[one.gold], self.shown(one.gold))
        assert query is not None
        scores = judge(query.text, self.names(one))
        return (scores[0] == max(scores)) / scores.count(max(scores))

    def accuracy(self, tier: str, judge: Scores) -> float:
        """The gold's mean chance to come first where ties are broken at random."""
        hits = []
        for query, names in self.english(tier):
            scores = judge(query, names)
            hits.append((scores[0] == max(scores)) / scores.count(max(scores)))
        return mean(hits)


@pytest.fixture(scope="module")
def mining(open_concepts: list[Concept]) -> Mining:
    return Mining(open_concepts)


def jaccard(left: set[str], right: set[str]) -> float:
    return len(left & right) / max(len(left | right), 1)


def four_grams(text: str) -> set[str]:
    padded = f" {normalise(text)} "
    return {padded[start : start + 4] for start in range(len(padded) - 3)}


def by_four_grams(query: str, names: list[str]) -> list[float]:
    return [jaccard(four_grams(query), four_grams(name)) for name in names]


def by_tokens(query: str, names: list[str]) -> list[float]:
    return [jaccard(set(normalise(query).split()), set(normalise(name).split())) for name in names]


def face(concept: Concept) -> Face:
    shown = shown_name(concept)
    assert shown is not None
    english = len(concept.names_in("en"))
    return Face(concept.cui, shown.text, shown.source, shown.term_type, english)


@pytest.mark.parametrize("tier", TIERS)
def test_every_tier_is_filled_three_hundred_times(mining: Mining, tier: str) -> None:
    assert len(mining.english(tier)) >= 300


@pytest.mark.parametrize("judge", [by_four_grams, by_tokens])
def test_tiers_become_harder(mining: Mining, judge: Scores) -> None:
    easy, medium, hard = (mining.accuracy(tier, judge) for tier in TIERS)
    assert easy > medium + 0.03
    assert medium > hard + 0.03
    assert hard > 3 * CHANCE  # hard, but not hopeless


@pytest.mark.parametrize("tier", TIERS)
def test_who_does_not_read_the_question_guesses(mining: Mining, tier: str) -> None:
    """Position aside, which is drawn later; the term type and the number of names, too."""
    sets = [
        Sighted(tuple(face(mining.concepts[cui]) for cui in sorted(mining.members(one))), place)
        for one in mining.sets
        if one.tier == tier
        for place in [sorted(mining.members(one)).index(one.gold)]
    ]
    rates = shortcut_rates(sets, times_shown(sets))
    assert [one for one in rates if abs(one.rate - CHANCE) > 0.03] == []


def test_sets_hold_what_they_promise(mining: Mining) -> None:
    for one in mining.sets:
        names = [normalise(name) for name in mining.names(one)]
        assert len(set(names)) == SIZE + 1
        assert one.gold not in {other.cui for other in one.distractors}
    assert {"ancestor", "descendant", "shared_name", "synonym_edge"} <= mining.excluded


def test_founders_are_distinct(mining: Mining) -> None:
    assert len(set(mining.golds)) == GOLDS


def test_shuffled_tiers_fail_the_test_of_difficulty(mining: Mining) -> None:
    """Sets dealt out anew to three tiers are equally hard: the test above would notice."""
    scored = [mining.hit(one, by_four_grams) for one in mining.sets]
    dealt = sorted(range(len(scored)), key=lambda place: draw(3, "deal", str(place)))
    easy, medium, hard = (mean(scored[place] for place in dealt[part::3]) for part in range(3))
    assert not (easy > medium + 0.03 and medium > hard + 0.03)


def test_no_spanish_definition_is_asked_in_english(open_concepts: list[Concept]) -> None:
    shown = [(one, name.text) for one in open_concepts if (name := shown_name(one))]
    texts = {one.cui: [found.text for found in one.definitions] for one in open_concepts}
    assert any("tiene_base" in text for found in texts.values() for text in found)
    by_definition = [query for one, name in shown if (query := definition_query(one, name))]
    by_any = [query for one, name in shown if (query := english_query(one, name))]
    assert {query.sabs for query in by_definition} == {("DOID",)}
    assert len(by_definition) == 5_776  # of 5,859; the others give the name away
    for query in [*by_definition, *by_any]:
        assert query.language == "en"
        assert "DOIDSPA" not in query.sabs
        assert not any(word in query.text for word in ("tiene_base", "enfermedad", " una "))
