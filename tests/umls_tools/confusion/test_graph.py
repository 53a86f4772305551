"""Exclusions and tiers against another implementation, over small invented graphs."""

from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.records import Concept, Name, Relation
from umls_tools.confusion.arrays import ConfusionError
from umls_tools.confusion.exclusions import excluded
from umls_tools.confusion.index import ConceptIndex
from umls_tools.confusion.keys import wording_key
from umls_tools.confusion.lookalike import MEASURE, confusable
from umls_tools.confusion.mine import Rules, golds, mine, sets_of, target_of
from umls_tools.confusion.similarity import cosine, orthographic
from umls_tools.confusion.tiers import TIERS, Easy, Hard, Medium, Tier

DISEASE, NEOPLASM, DRUG = "T047", "T191", "T121"  # the first two of group DISO, the last of CHEM
ALL = {name: tier() for name, tier in TIERS.items()}
SYLLABLES = ("bal", "dor", "fen", "gil", "hum", "kor", "lim", "nar")


def name(text: str, language: str = "en", source: str = "ONE", code: str = "") -> Name:
    return Name(text, language, source, "PT", f"A{text}", 0, preferred=False, code=code)


def concept(
    cui: str, text: str, *relations: tuple[str, str, str], types: tuple[str, ...] = (DISEASE,)
) -> Concept:
    names = (name(text), name(f"{text} by another name"))
    edges = tuple(sorted((Relation(*r) for r in relations), key=lambda r: (r.kind, r.cui)))
    return Concept(cui, names, types, (), edges)


def invented(seed: int, size: int = 40) -> list[Concept]:
    """A graph with two sources, cycles, self edges and names that collide."""
    chance = Random(seed)
    cuis = [f"C{number:07d}" for number in range(size)]

    def edges(cui: str) -> tuple[Relation, ...]:
        kinds = ["parent"] * 2 + ["synonym", "family", "broader", "child"]
        drawn = [kind for kind in kinds if chance.random() < (0.7 if kind == "parent" else 0.06)]
        upper = [*cuis[: max(1, int(cui[1:]) // 3)], cui]
        found = {
            Relation(
                kind,
                chance.choice(upper if kind == "parent" else [*cuis, "C9999999"]),
                chance.choice(["ONE", "TWO"]),
            )
            for kind in drawn
        }
        return tuple(sorted(found, key=lambda edge: (edge.kind, edge.cui, edge.source)))

    def text() -> str:
        return " ".join("".join(chance.choices(SYLLABLES, k=2)) for _ in range(2))

    def make(cui: str) -> Concept:
        language = chance.choice(["en", "en", "en", "en", "de"])
        names = (name(text(), language), name(text(), chance.choice(["en", "zh"])))
        ordered = tuple(sorted(names, key=lambda one: one.language != "en"))
        types = chance.choice([(DISEASE,), (DISEASE, NEOPLASM), (NEOPLASM,), (DRUG,), ()])
        return Concept(cui, ordered, types, (), edges(cui))

    return [make(cui) for cui in cuis]


class Brute:
    """The words of the design, over pairs and sets, without an index."""

    def __init__(self, concepts: list[Concept]) -> None:
        self.by_cui = {one.cui: one for one in concepts}
        self.up = {
            source: self._closure(self._parents(concepts, source)) for source in ("ONE", "TWO")
        }

    @staticmethod
    def _parents(concepts: list[Concept], source: str) -> set[tuple[str, str]]:
        pairs = set()
        for one in concepts:
            for edge in one.relations:
                if edge.source == source and edge.kind == "parent":
                    pairs.add((one.cui, edge.cui))
                if edge.source == source and edge.kind == "child":
                    pairs.add((edge.cui, one.cui))
        return {(low, high) for low, high in pairs if low != high}

    @staticmethod
    def _closure(pairs: set[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Shortest ways up by repeated relaxation over all pairs."""
        ways = dict.fromkeys(pairs, 1) | {(one, one): 0 for pair in pairs for one in pair}
        changed = True
        while changed:
            changed = False
            for (low, middle), steps in list(ways.items()):
                for below, high in pairs:
                    if below == middle and steps + 1 < ways.get((low, high), 10**9):
                        ways[low, high] = steps + 1
                        changed = True
        return ways

    def edge(self, left: str, right: str, *kinds: str) -> bool:
        return any(
            edge.kind in kinds and edge.cui == other
            for one, other in ((left, right), (right, left))
            if one in self.by_cui
            for edge in self.by_cui[one].relations
        )

    def excluded(self, gold: str, other: str) -> bool:
        known = self.by_cui.get(other)
        shown = known and known.semantic_types and known.names[0].language == "en"
        nodes = {*self.by_cui, "C9999999"}
        near = self.edge(gold, other, "synonym", "family", "broader", "narrower")
        by_family = any(
            self.edge(gold, middle, "family") and self.edge(middle, other, "family")
            for middle in nodes - {gold, other}
        )
        above = any(
            pair in ways for ways in self.up.values() for pair in ((gold, other), (other, gold))
        )
        return gold == other or not shown or near or by_family or above or self.shared(gold, other)

    def keys(self, cui: str) -> set[str]:
        return {wording_key(one.text) for one in self.by_cui[cui].names}

    def shared(self, gold: str, other: str) -> bool:
        return bool(self.keys(gold) & self.keys(other))

    def distance(self, left: str, right: str) -> int:
        return min(
            (
                max(ways[left, top], ways[right, top])
                for ways in self.up.values()
                for _, top in ways
                if (left, top) in ways and (right, top) in ways
            ),
            default=10**9,
        )

    def group(self, cui: str) -> str:
        return "CHEM" if DRUG in self.by_cui[cui].semantic_types else "DISO"

    def tier(self, gold: str, other: str, sound: float = 0.5) -> set[str]:
        """The tiers in which two concepts that are not excluded may meet."""
        names = [self.by_cui[cui].names[0].text for cui in (gold, other)]
        alike = orthographic(*names) >= 0.7
        same = self.group(gold) == self.group(other)
        types = set(self.by_cui[gold].semantic_types) & set(self.by_cui[other].semantic_types)
        steps = self.distance(gold, other)
        sibling = any(
            ways.get((gold, top)) == 1 and ways.get((other, top)) == 1
            for ways in self.up.values()
            for _, top in ways
        )
        found = set()
        heard = self.group(gold) == "CHEM" and confusable(*names) >= sound
        if same and (sibling or alike or heard):
            found.add("hard")
        if same and types and 2 <= steps <= 3 and not alike:
            found.add("medium")
        if not alike and (not same or steps > 4):
            found.add("easy")
        return found


def shown_cuis(index: ConceptIndex) -> list[str]:
    return [index.cui(node) for node in range(len(index)) if not index.bar(node)]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_exclusions_are_those_of_the_design(seed: int) -> None:
    concepts = invented(seed)
    index, brute = ConceptIndex.build(concepts), Brute(concepts)
    for gold, other in product(shown_cuis(index), brute.by_cui):
        assert bool(excluded(index, gold, other)) == brute.excluded(gold, other), (gold, other)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_tiers_hold_the_pairs_of_the_design(seed: int) -> None:
    concepts = invented(seed)
    index, brute = ConceptIndex.build(concepts), Brute(concepts)
    seen = set()
    for gold, (label, tier) in product(shown_cuis(index), ALL.items()):
        target = target_of(index, gold, 1)
        allowed = [node for node in tier.find(target).why if not target.exclusions.reason(node)]
        found = {index.cui(node) for node in allowed if tier.tie(target, node)}
        expected = {
            other
            for other in brute.by_cui
            if not brute.excluded(gold, other) and label in brute.tier(gold, other)
        }
        # Drugs that sound alike are looked for among names with a 3-gram in common alone.
        unheard = {other for other in expected if label in brute.tier(gold, other, sound=2)}
        assert unheard <= found <= expected, (gold, label)
        seen |= {label} if found else set()
    assert "easy" in seen


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_arrival_order_leaves_no_trace(seed: int, chance: Random) -> None:
    concepts = invented(seed)
    shuffled = list(concepts)
    chance.shuffle(shuffled)
    first, second = ConceptIndex.build(concepts), ConceptIndex.build(shuffled)
    chosen = golds(first, 10, 5, {"DISO", "CHEM"}, 3)
    assert chosen == golds(second, 10, 5, {"CHEM", "DISO"}, 3)
    for gold in chosen:
        assert mine(first, gold, ALL, Rules(3, 5)) == mine(second, gold, ALL, Rules(3, 5))


def test_a_name_without_its_tag_is_shared_too() -> None:
    tagged = Concept("C1", (name("balfen (disorder)"), name("dorgil", "de")), (DISEASE,))
    plain = Concept("C2", (name("humkor"), name("balfen", "es")), (DISEASE,))
    index = ConceptIndex.build([tagged, plain])
    assert excluded(index, "C1", "C2") == excluded(index, "C2", "C1") == "shared_name"


def test_saved_index_is_the_same_index(tmp_path: Path) -> None:
    concepts = invented(3)
    paths = [str(tmp_path / "one.arrow"), str(tmp_path / "two.arrow")]
    ConceptIndex.build(concepts).save(paths[0])
    ConceptIndex.build(reversed(concepts)).save(paths[1])
    assert Path(paths[0]).read_bytes() == Path(paths[1]).read_bytes()
    loaded, built = ConceptIndex.load(paths[0]), ConceptIndex.build(concepts)
    for gold in golds(built, 50, 1, {"DISO", "CHEM"}):
        assert mine(loaded, gold, ALL, Rules(2, 1)) == mine(built, gold, ALL, Rules(2, 1))


def test_sets_keep_their_promises() -> None:
    index, brute = ConceptIndex.build(invented(11, 120)), Brute(invented(11, 120))
    sets = [
        one
        for founder in golds(index, 60, 2, {"DISO", "CHEM"}, 2)
        for circle in mine(index, founder, ALL, Rules(2, 2)).circles
        for one in sets_of(index, circle, ALL[circle.tier], 3, 2)
    ]
    assert {one.tier for one in sets} == set(TIERS)
    for one in sets:
        cuis = [distractor.cui for distractor in one.distractors]
        assert len(set(cuis)) == 2
        assert not any(brute.shared(*pair) for pair in permutations([one.gold, *cuis], 2))
        assert not any(brute.excluded(*pair) for pair in permutations([one.gold, *cuis], 2))
        for pair in permutations([one.gold, *cuis], 2):
            assert one.tier in brute.tier(*pair), (one, pair)
        ranks = [(-distractor.similarity, distractor.cui) for distractor in one.distractors]
        assert ranks == sorted(ranks)
        shown = brute.by_cui[one.gold].names[0].text
        for distractor in one.distractors:
            other = brute.by_cui[distractor.cui].names[0].text
            measure = confusable if distractor.measure == MEASURE else cosine
            assert distractor.similarity == measure(shown, other)


def family(children: int, text: Callable[[int], str]) -> list[Concept]:
    """One parent, and children under it by the child's own edge."""
    edge = ("parent", "C9000000", "ONE")
    return [concept(f"C{n:07d}", text(n), edge) for n in range(children)]


def spell(number: int) -> str:
    return "".join(SYLLABLES[int(digit)] for digit in f"{number:o}")


def test_cycles_and_self_edges_end() -> None:
    ring = [
        concept(f"C000000{n}", spell(n + 10), ("parent", f"C000000{(n + 1) % 4}", "ONE"))
        for n in range(4)
    ]
    ring += [concept("C0000009", "selfish", ("parent", "C0000009", "ONE"))]
    index = ConceptIndex.build(ring)
    assert excluded(index, "C0000000", "C0000002") == "ancestor"
    assert excluded(index, "C0000000", "C0000009") == ""
    assert mine(index, "C0000000", ALL, Rules(1)).circles[0].members == ("C0000000", "C0000009")


def test_parents_of_two_sources_make_no_ancestor() -> None:
    index = ConceptIndex.build(
        [
            concept("C0000001", "balbal", ("parent", "C0000002", "ONE")),
            concept("C0000002", "dordor", ("parent", "C0000003", "TWO")),
            concept("C0000003", "fenfen"),
        ]
    )
    assert excluded(index, "C0000001", "C0000002") == "ancestor"
    assert excluded(index, "C0000002", "C0000001") == "descendant"
    assert excluded(index, "C0000001", "C0000003") == ""


@pytest.mark.parametrize(
    ("edge", "reason"),
    [
        (("synonym", "C0000002", "ONE"), "synonym_edge"),
        (("family", "C0000002", "ONE"), "family"),
        (("broader", "C0000002", "ONE"), "broader_narrower"),
        (("narrower", "C0000002", "ONE"), "broader_narrower"),
        (("child", "C0000002", "ONE"), "descendant"),
        (("parent", "C0000002", "ONE"), "ancestor"),
    ],
)
def test_each_edge_has_its_reason(edge: tuple[str, str, str], reason: str) -> None:
    index = ConceptIndex.build([concept("C0000001", "balbal", edge), concept("C0000002", "dordor")])
    assert excluded(index, "C0000001", "C0000002") == reason
    assert excluded(index, "C0000001", "C0000001") == "same_concept"


def test_a_dose_form_makes_no_family_of_all_tablets() -> None:
    def drugs(count: int) -> ConceptIndex:
        edge = ("family", "C9000000", "RX")
        return ConceptIndex.build(concept(f"C{n:07d}", spell(n + 64), edge) for n in range(count))

    assert excluded(drugs(64), "C0000001", "C0000002") == "family"
    assert excluded(drugs(65), "C0000001", "C0000002") == ""


def test_the_general_is_never_shown() -> None:
    concepts = family(12, lambda n: f"{spell(n)} disease")
    index = ConceptIndex.build(concepts, general=["C0000003"])
    mined = mine(index, "C0000001", {"hard": Hard()}, Rules(9, 1))
    assert excluded(index, "C0000001", "C0000003") == "general"
    assert ("general", 1) in mined.excluded
    assert ("general", 1) in mined.circles[0].excluded
    assert "C0000003" not in mined.circles[0].members
    with pytest.raises(ConfusionError, match="C0000003: general"):
        mine(index, "C0000003", ALL, Rules())


@pytest.mark.parametrize("tier", [Hard(cap=200), Medium(cap=64), Easy(cap=200)])
def test_a_hot_parent_is_sampled(tier: Tier) -> None:
    concepts = family(5000, lambda n: f"{spell(n)} {spell(n * 7919 % 4096)}")
    concepts += [
        concept("C9000001", "nephew", ("parent", "C9000002", "ONE")),
        concept("C9000002", "uncle", ("parent", "C9000000", "ONE")),
        concept("C9000003", "stranger"),
    ]
    index = ConceptIndex.build(concepts)
    gold = {Hard: "C0000042", Medium: "C9000001", Easy: "C9000003"}[type(tier)]
    pool = tier.find(target_of(index, gold, 1))
    other = tier.find(target_of(index, gold, 2))
    assert 9 <= len(pool.why) <= 400
    assert pool.cut >= 4500
    assert pool.why.keys() != other.why.keys()  # another seed, another sample
    if isinstance(tier, Hard):  # the others' candidates are siblings of each other
        assert mine(index, gold, {"it": tier}, Rules(9, 1)).circles


def test_adjacent_codes_count_where_a_code_is_a_place() -> None:
    codes = ["250.8", "250.9", "250.10", "250.11", "250.12"]

    def coded(source: str) -> ConceptIndex:
        return ConceptIndex.build(
            Concept(f"C000000{n}", (name(spell(n + 9), source=source, code=code),), (DISEASE,))
            for n, code in enumerate(codes)
        )

    pool = Hard().find(target_of(coded("ICD9CM"), "C0000001", 1))
    assert pool.why == dict.fromkeys((0, 2, 3), "adjacent_code:ICD9CM")
    assert Hard().find(target_of(coded("DOID"), "C0000001", 1)).why == {}


def test_golds_can_be_asked_for_and_the_hard_ones_come_first() -> None:
    lone = [concept(f"C80000{n:02d}", f"{spell(n * 61 + 500)}", types=(DRUG,)) for n in range(20)]
    mute = Concept("C7000000", (name("silent"), name("Silent", "de")), (DISEASE,))
    index = ConceptIndex.build([*family(12, lambda n: f"{spell(n)} disease"), *lone, mute])
    assert set(golds(index, 12, 1, {"DISO", "CHEM"})) == {f"C{n:07d}" for n in range(12)}
    assert len(golds(index, 30, 1, {"DISO", "CHEM"})) == 30
    assert len(golds(index, 99, 1, {"CHEM"})) == 20
    assert golds(index, 99, 1, {"CHEM"}) != golds(index, 99, 2, {"CHEM"})
    assert "C7000000" not in golds(index, 99, 1, {"DISO"})


def test_errors_name_the_thing_and_the_remedy(tmp_path: Path) -> None:
    one = concept("C0000001", "balbal")
    with pytest.raises(ConfusionError, match="C0000001: given twice"):
        ConceptIndex.build([one, one])
    with pytest.raises(ConfusionError, match="C0000002: not in the index"):
        mine(ConceptIndex.build([one]), "C0000002", ALL, Rules())
    other = tmp_path / "other.arrow"
    other.write_bytes(b"not arrow at all")
    with pytest.raises(ConfusionError, match=r"other\.arrow: not an Arrow file"):
        ConceptIndex.load(str(other))
