"""The nearest names against an exact product in plain Python, and what bounds the work."""

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

from umls_tools.confusion.keys import hashed
from umls_tools.confusion.nearest import building
from umls_tools.confusion.nearest.building import index_names
from umls_tools.confusion.nearest.names import CONSTANT, GROWING, NameIndex, Reach
from umls_tools.confusion.nearest.search import Near, Search
from umls_tools.confusion.similarity import grams

WIDE = Reach(100_000, 1_000, 0.0)
SYLLABLES = ("bal", "dor", "fen", "gil", "hum", "kor", "lim", "nar", "os", "it", "a")


def invented(count: int, seed: int = 1) -> list[str]:
    chance = Random(seed)

    def word() -> str:
        return "".join(chance.choices(SYLLABLES, k=chance.randint(1, 3)))

    return [" ".join(word() for _ in range(chance.randint(1, 4))) for _ in range(count)]


def indexed(texts: list[str], reach: Reach = WIDE) -> NameIndex:
    return index_names(texts, np.array([hashed(text) for text in texts], np.uint64), reach)


def nearest(texts: list[str], asked: str, size: int, reach: Reach = WIDE) -> Near:
    (near,) = Search(indexed(texts, reach)).nearest([asked], size)
    return near


class Exact:
    """Cosines of tf-idf vectors of 3-grams, as scikit-learn's vectorizer weighs them."""

    def __init__(self, texts: list[str]) -> None:
        self.counts = [grams(text) for text in texts]
        held = Counter(gram for counts in self.counts for gram in counts)
        self.idf = {g: math.log((1 + len(texts)) / (1 + n)) + 1 for g, n in held.items()}

    def cosines(self, asked: str) -> list[float]:
        mine = self._vector(grams(asked))
        return [
            sum(mine[gram] * value for gram, value in self._vector(counts).items() if gram in mine)
            for counts in self.counts
        ]

    def _vector(self, counts: Counter[str]) -> dict[str, float]:
        weights = {g: count * self.idf[g] for g, count in counts.items() if g in self.idf}
        length = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {gram: weight / length for gram, weight in weights.items()}


def test_with_a_wide_reach_the_nearest_are_exact() -> None:
    texts = invented(400)
    exact, search = Exact(texts), Search(indexed(texts))
    for asked, near in zip(texts[:60], search.nearest(texts[:60], 10), strict=True):
        expected = exact.cosines(asked)
        assert near.cosines.tolist() == pytest.approx(sorted(expected)[:-11:-1], abs=2e-3)
        assert near.cosines.tolist() == pytest.approx([expected[n] for n in near.places], abs=2e-3)
        assert near.cut == 0


def test_with_a_narrow_reach_most_are_found() -> None:
    texts = invented(3_000)
    exact, search = Exact(texts), Search(indexed(texts, Reach(600, 60, 0.0)))
    found, wanted = 0, 0
    for asked, near in zip(texts[:40], search.nearest(texts[:40], 10), strict=True):
        best = sorted(exact.cosines(asked))[:-11:-1]
        found += sum(cosine >= best[-1] - 2e-3 for cosine in near.cosines)
        wanted += 10
        assert near.cut > 0
    assert found >= 0.8 * wanted


@pytest.mark.parametrize(
    ("texts", "asked", "near"),
    [
        ([], "balfen", []),
        (["", "!"], "balfen", []),
        (["balfen"], "", []),
        (["balfen"], "xyz", []),
        (["balfen", "Balfen!", "dor"], "BALFEN", [0, 1]),
        (["糖尿病", "尿崩症", "糖尿病性昏睡", "貧血"], "糖尿病", [0, 2, 1]),
        (["dor balfen", "balfen dor", "kor balfen"], "balfen dor", [0, 1, 2]),
    ],
)
def test_ties_go_to_the_earlier_name(texts: list[str], asked: str, near: list[int]) -> None:
    # a name that stands alone has keys, too: its grams
    assert nearest(texts, asked, 5).places.tolist() == near


def test_only_what_is_fit_is_found() -> None:
    texts = invented(300)
    fit = np.arange(300) % 3 == 0
    (near,) = Search(indexed(texts)).nearest([texts[1]], 10, fit)
    (every,) = Search(indexed(texts)).nearest([texts[1]], 300)
    assert near.places.tolist() == [place for place in every.places if place % 3 == 0][:10]


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = invented(200)
    whole = indexed(texts).arrays()
    monkeypatch.setattr(building, "BLOCK", 7)
    for name, values in indexed(texts).arrays().items():
        assert values.tolist() == whole[name].tolist(), name


def test_the_order_of_names_changes_no_neighbours() -> None:
    texts = sorted(set(invented(500)))
    shuffled = list(texts)
    Random(3).shuffle(shuffled)
    reach = Reach(200, 20, 0.0)
    for asked in texts[:50]:
        found = (nearest(order, asked, 5, reach) for order in (texts, shuffled))
        first, second = (dict(zip(one.places.tolist(), one.cosines, strict=True)) for one in found)
        clear = {texts[n]: c for n, c in first.items() if c > min(first.values())}
        other = {shuffled[n]: c for n, c in second.items() if c > min(first.values())}
        assert clear == other


def test_a_word_in_all_names_is_sampled_and_counted() -> None:
    texts = [f"tablet {chr(97 + n % 26)}{chr(97 + n // 26 % 26)}" for n in range(676)]
    index = indexed(texts, Reach(100, 50, 0.0))
    tablet = [n for n, count in enumerate(index.key_counts) if count == 676]
    assert len(tablet) == 7  # the word and its six grams
    assert index.sampled >= len(tablet)
    assert np.diff(index.holder_starts).max() == 100
    (near,) = Search(index).nearest(["tablet"], 10)
    assert len(near.places) == 10
    assert near.cut == 676 * 7 - 100


@pytest.mark.parametrize(
    ("reach", "names", "expected"),
    [
        (Reach(100, 10, 0.5), 1, (100, 10)),
        (Reach(100, 10, 0.5), 100_000, (100, 10)),
        (Reach(100, 10, 0.5), 400_000, (200, 20)),
        (Reach(100, 10, 0.0), 10**7, (100, 10)),
        (GROWING, 1_000_000, (12_773, 816)),
        (CONSTANT, 1_000_000, (5_000, 400)),
    ],
)
def test_reach_grows_by_its_power(reach: Reach, names: int, expected: tuple[int, int]) -> None:
    found = reach.among(names)
    assert (found.holders, found.compared) == expected
