import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scorer.release import Document
from pipeline.settings import PlanError
from pipeline.systems.base import Asked, Hit, System, SystemsError
from pipeline.systems.bm25 import Bm25
from pipeline.systems.chance import Random
from pipeline.systems.choice import SYSTEMS, build_system
from pipeline.systems.scored import best_places
from pipeline.systems.tfidf import Tfidf

pytest.importorskip("bm25s", reason="pip install 'mmed-bench-ir[systems]'")

DOCUMENTS = [
    Document("d1", "Asthma", "asthma narrows the airways"),
    Document("d2", "", "insulin lowers blood sugar"),
    Document("d3", "", "blood carries oxygen"),
    Document("d4", "", "blood carries oxygen"),
    Document("d5", "", "HIV infection"),
]


def search(system: System, text: str, language: str = "en", depth: int = 10) -> list[Hit]:
    return list(system.index(DOCUMENTS).search([Asked("q", text, language)], depth))


def test_every_system_is_named_as_the_table_names_it() -> None:
    assert {name: cls.name for name, cls in SYSTEMS.items()} == {name: name for name in SYSTEMS}


def test_bm25_scores_by_lucenes_formula() -> None:
    scores = {hit.document_id: hit.score for hit in search(Bm25(), "insulin BLOOD")}
    lengths = [5, 4, 3, 3, 2]
    mean = sum(lengths) / len(lengths)

    def weight(containing: int, length: int) -> float:
        rarity = math.log(1 + (5 - containing + 0.5) / (containing + 0.5))
        return rarity / (1 + 1.2 * (0.25 + 0.75 * length / mean))

    assert scores == pytest.approx(
        {"d2": weight(1, 4) + weight(3, 4), "d3": weight(3, 3), "d4": weight(3, 3)}
    )


def test_bm25_puts_the_title_in() -> None:
    assert search(Bm25(), "asthma")[0].document_id == "d1"


def test_bm25_keeps_ties_and_cuts_them_by_id_descending() -> None:
    hits = search(Bm25(), "oxygen")
    assert [hit.document_id for hit in hits] == ["d4", "d3"]
    assert hits[0].score == hits[1].score
    assert [hit.document_id for hit in search(Bm25(), "oxygen", depth=1)] == ["d4"]


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("HIV感染の治療", "ja", ["d5"]),
        ("ВИЧ", "ru", []),
        ("糖尿病", "zh", []),
        ("", "en", []),
    ],
)
def test_bm25_finds_only_what_shares_a_term(text: str, language: str, found: list[str]) -> None:
    assert [hit.document_id for hit in search(Bm25(), text, language)] == found


def test_bm25_scores_all_candidates_even_those_it_would_not_find() -> None:
    index = Bm25().index(DOCUMENTS)
    asked = [Asked("q", "oxygen", "en"), Asked("r", "кровь", "ru")]
    hits = list(index.rerank(asked, {"q": ["d5", "d1", "d3"], "r": ["d1", "d2"]}))
    assert [(hit.query_id, hit.document_id) for hit in hits] == [
        ("q", "d5"),
        ("q", "d1"),
        ("q", "d3"),
        ("r", "d1"),
        ("r", "d2"),
    ]
    assert [hit.score > 0 for hit in hits] == [False, False, True, False, False]


def test_bm25_refuses_a_corpus_without_words() -> None:
    for documents in ([], [Document("d1", "", "…")]):
        with pytest.raises(SystemsError, match="holds no word"):
            Bm25().index(documents)


def test_bm25_shows_nothing_while_it_works(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    search(Bm25(), "oxygen")
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


def test_settings_change_scores() -> None:
    assert search(Bm25(b=0.0), "blood")[0].score != search(Bm25(), "blood")[0].score


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.5]), max_size=30), st.integers(1, 12))
def test_best_places_are_those_of_a_full_sort(scores: list[float], depth: int) -> None:
    ranked = sorted((-score, -place) for place, score in enumerate(scores) if score > 0)
    assert best_places(np.array(scores), depth) == [-place for _, place in ranked][:depth]


@given(st.integers(0, 5), st.integers(1, 8))
def test_random_guesses_different_documents_of_the_corpus(seed: int, depth: int) -> None:
    hits = search(Random(seed), "any", depth=depth)
    assert len({hit.document_id for hit in hits}) == len(hits) == min(depth, len(DOCUMENTS))
    assert all(0 <= hit.score < 1 for hit in hits)
    assert hits == search(Random(seed), "другой", "ru", depth)


def test_random_reaches_every_document_about_equally_often() -> None:
    index = Random(7).index(DOCUMENTS)
    asked = [Asked(f"q{number}", "", "en") for number in range(1000)]
    counts = dict.fromkeys((document.document_id for document in DOCUMENTS), 0)
    for hit in index.search(asked, 2):
        counts[hit.document_id] += 1
    # 400 of 1000 each, by a standard deviation of 15.5.
    assert all(330 < count < 470 for count in counts.values()), counts


def test_random_scores_a_document_alike_wherever_it_comes_from() -> None:
    index = Random(3).index(DOCUMENTS)
    asked = [Asked("q", "", "en")]
    searched = {hit.document_id: hit.score for hit in index.search(asked, 5)}
    ids = [document.document_id for document in DOCUMENTS]
    assert searched == {hit.document_id: hit.score for hit in index.rerank(asked, {"q": ids})}
    assert searched != {hit.document_id: hit.score for hit in search(Random(4), "")}


def test_the_command_line_configures_a_system() -> None:
    assert build_system("bm25", ["k1=0.9", "b=0"]) == Bm25(k1=0.9, b=0.0)
    assert build_system("random") == Random()


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("bm52", [], "unknown name 'bm52'; did you mean 'bm25'"),
        ("bm25", ["k2=1"], "system bm25: unknown key 'k2'"),
        ("bm25", ["k1=high"], "'high' is str, expected float"),
        ("random", ["seed"], "--set seed: expected key=value"),
    ],
)
def test_wrong_settings_are_named(name: str, changes: list[str], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        build_system(name, changes)


def test_tfidf_finds_what_is_spelled_alike() -> None:
    (first, *_) = search(Tfidf(), "asthmatic")
    assert first.document_id == "d1"
    assert search(Bm25(), "asthmatic") == []
    assert search(Tfidf(), "qqqq") == []


def test_tfidf_of_a_text_with_itself_is_one_and_equal_texts_tie() -> None:
    scores = {hit.document_id: hit.score for hit in search(Tfidf(), "blood carries oxygen")}
    assert scores["d3"] == scores["d4"] == pytest.approx(1.0, abs=1e-6)
    assert scores["d2"] < 0.6


def test_tfidf_by_hand() -> None:
    """One gram a text: the cosine is 1 or the share of the weights."""
    documents = [Document("d1", "", "ab"), Document("d2", "", "abc")]
    index = Tfidf(shortest=2, longest=2).index(documents)
    scores = {hit.document_id: hit.score for hit in index.search([Asked("q", "ab", "en")], 9)}
    common, rare = 1.0, 1 + math.log(3 / 2)  # in both documents, in one
    ours = [common, common, rare]  # " a", "ab", "b "
    theirs = [common, common, rare, rare]  # " a", "ab", "bc", "c "
    shared = 2 * common * common
    length = math.sqrt(sum(w * w for w in ours)) * math.sqrt(sum(w * w for w in theirs))
    assert scores == pytest.approx({"d1": 1.0, "d2": shared / length}, abs=1e-6)


def test_tfidf_reranks_every_candidate() -> None:
    hits = Tfidf().index(DOCUMENTS).rerank([Asked("q", "insulin", "en")], {"q": ["d5", "d2"]})
    assert [hit.document_id for hit in sorted(hits, key=lambda hit: -hit.score)] == ["d2", "d5"]


@pytest.mark.parametrize("settings", [{"shortest": 0}, {"shortest": 6}])
def test_tfidf_refuses_grams_of_no_length(settings: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="shortest"):
        Tfidf(**settings)


def test_tfidf_refuses_a_corpus_of_nothing() -> None:
    with pytest.raises(SystemsError, match="no text"):
        Tfidf().index([])
