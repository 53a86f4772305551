"""Filters that look at the query as such, or at what else than its text is known of it."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from qa_filters import embedding
from qa_filters.ambiguity import Ambiguity
from qa_filters.base import Candidate, ConceptNames, FilterError
from qa_filters.embedding import EmbeddingSimilarity
from qa_filters.filters import standard_filters
from qa_filters.leakage import Leakage
from qa_filters.sequence_score import SequenceScore

Build = Callable[..., Candidate]
Refusals = Callable[[Candidate], list[str]]

COLD = {
    "en": "cold",
    "de": "Kälte",
    "es": "frío",
    "fr": "froid",
    "ja": "寒冷",
    "ru": "холод",
    "zh": "寒冷",
}
ILLNESS = {
    "en": "common cold",
    "de": "Erkältung",
    "es": "resfriado",
    "fr": "rhume",
    "ja": "風邪",
    "ru": "простуда",
    "zh": "感冒",
}


@pytest.mark.parametrize(
    ("language", "text", "answer", "score"),
    [
        ("en", "Radius bone", "Radius", 1.0),
        ("en", "Bone of the forearm", "Radius", 0.0),
        ("en", "Choline deficiency disease", "Choline deficiency", 1.0),
        ("en", "Diabetes mellitus, type 2", "Type 2 diabetes mellitus", 0.5),
        ("de", "Hepatitis B", "Hepatitis B", 1.0),
        ("de", "Leberentzündung", "Hepatitis B", 0.0),
        ("es", "Asthma bronquial", "Asthma", 1.0),
        ("es", "asma", "Asthma", 0.0),
        ("fr", "Os du coccyx", "Coccyx", 1.0),
        ("fr", "coccygodynie", "Coccyx", 0.0),
        ("ja", "COVID-19 感染症", "COVID-19", 1.0),
        ("ja", "新型コロナウイルス感染症", "COVID-19", 0.0),
        ("ru", "синдром Lynch syndrome", "Lynch syndrome", 1.0),
        ("ru", "синдром Линча", "Lynch syndrome", 0.0),
        ("zh", "Lynch syndrome 综合征", "Lynch syndrome", 1.0),
        ("zh", "林奇综合征", "Lynch syndrome", 0.0),
    ],
)
@pytest.mark.parametrize("origin", ["mt", "umls"])
def test_leakage(
    candidate: Build, language: str, text: str, answer: str, score: float, origin: str
) -> None:
    posed = candidate(language, "x", text, kind="term", answer=answer, origin=origin)
    assert Leakage().score(posed) == score
    assert Leakage().accepts(score, posed) is (score < 1)
    assert math.isnan(Leakage().score(replace(posed, answer="")))


@pytest.mark.parametrize("language", sorted(COLD))
def test_a_term_by_which_a_distractor_is_called_too_is_ambiguous(
    candidate: Build, language: str
) -> None:
    rival = ConceptNames(("cold temperature", "cold"), (COLD[language], "x"))
    meant = ILLNESS[language]
    wrong = candidate(language, "cold", COLD[language], kind="term", rivals=(rival,))
    assert Ambiguity().score(wrong) == 2
    assert not Ambiguity().accepts(2, wrong)
    right = candidate(language, "cold", meant, "common cold", kind="term", rivals=(rival,))
    assert Ambiguity().score(right) == 1
    assert Ambiguity().accepts(1, right)
    # A faithful word that comes back as the other concept's name says that both go by it.
    assert Ambiguity().score(replace(right, back_translation="Cold")) == 2
    assert math.isnan(Ambiguity().score(replace(right, rivals=())))


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "ru"])
def test_a_short_question_is_ambiguous_where_two_of_its_concepts_share_a_name(
    candidate: Build, language: str
) -> None:
    word, other = COLD[language], ILLNESS[language]
    both = (ConceptNames(("cold",), (word, other)), ConceptNames(("cold",), (word,)))
    posed = candidate(language, "cold?", f"{word}?")
    assert Ambiguity().score(replace(posed, concepts=both)) == 2
    assert Ambiguity().score(replace(posed, text=f"{other}?", concepts=both)) == 1
    assert Ambiguity().score(replace(posed, text="xyz", concepts=both)) == 0
    assert math.isnan(Ambiguity().score(replace(posed, text=f"{word} " * 7, concepts=both)))
    assert math.isnan(Ambiguity().score(replace(posed, concepts=both[:1])))


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_without_spaces_a_shared_name_must_be_the_whole_question(
    candidate: Build, language: str
) -> None:
    both = (ConceptNames(("cold",), (COLD[language],)),) * 2
    posed = replace(candidate(language, "cold?", f"{COLD[language]}？"), concepts=both)
    assert Ambiguity().score(posed) == 2
    assert Ambiguity().score(replace(posed, text=f"{COLD[language]}地带")) == 0


@pytest.mark.parametrize("language", sorted(ILLNESS))
@pytest.mark.parametrize(
    ("score", "accepted"), [(-0.3, True), (-3.0, True), (-3.1, False), (-9.0, False)]
)
def test_sequence_score(candidate: Build, language: str, score: float, accepted: bool) -> None:
    posed = candidate(language, "common cold", ILLNESS[language], log_probability=score)
    assert SequenceScore().score(posed) == score
    assert SequenceScore().accepts(score, posed) is accepted
    assert math.isnan(SequenceScore().score(replace(posed, origin="umls")))
    assert math.isnan(SequenceScore().score(candidate(language, "cold", ILLNESS[language])))


QUESTION = "What are the symptoms of kidney stones?"
GERMAN = "Welche Beschwerden machen Nierensteine?"


# What no corruption plants; see docs/explanation/quality-filters.md.
ALONE: dict[str, dict[str, object]] = {
    "ambiguity": {
        "source": "catarrh", "text": "Katarrh", "kind": "term", "back": "catarrh",
        "names": ("catarrh",), "rivals": (ConceptNames(("common cold", "catarrh"), ("Katarrh",)),),
    },
    "flags": {"flags": ("unknown_token",)},
    "leakage": {
        "source": "HBV infection", "text": "Hepatitis B", "back": "hepatitis B", "kind": "term",
        "names": ("HBV infection", "hepatitis B"), "answer": "Hepatitis B",
    },
    "markup": {"text": GERMAN + " &nbsp;", "back": QUESTION},
    "sequence_score": {"log_probability": -4.0},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(ALONE))
def test_each_of_them_refuses_what_no_other_filter_does(
    candidate: Build, refusals: Refusals, name: str
) -> None:
    whole: dict[str, object] = {"source": QUESTION, "text": GERMAN, "back": QUESTION}
    whole |= ALONE[name]
    assert refusals(candidate("de", **whole)) == [name]


@pytest.fixture(scope="module")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small encoder with random weights: it has learnt nothing, but computes as one does."""
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("encoder")
    letters = [chr(one) for one in range(ord("a"), ord("z") + 1)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters)]
    (folder / "vocab.txt").write_text("\n".join(pieces), "utf-8")
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"))
    tokenizer.save_pretrained(folder)
    transformers.set_seed(0)
    shape = transformers.BertConfig(
        vocab_size=len(pieces), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32,
    )  # fmt: skip
    transformers.BertModel(shape).save_pretrained(folder)
    return folder


def test_embedding_similarity_is_the_cosine_of_means(
    candidate: Build, encoder_folder: Path
) -> None:
    filter_ = EmbeddingSimilarity(str(encoder_folder), min_similarity=0.999)
    same = candidate("es", "acute pain", "acute pain")
    other = candidate("es", "acute pain", "zzz q xxx")
    assert filter_.score(same) == pytest.approx(1.0)
    assert filter_.accepts(filter_.score(same), same)
    assert -1 <= filter_.score(other) < 0.999
    assert not filter_.accepts(filter_.score(other), other)
    assert math.isnan(filter_.score(candidate("es", "pain", "dolor")))
    assert math.isnan(filter_.score(replace(other, origin="umls")))


def test_an_encoder_that_is_not_there_is_named(candidate: Build, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    filter_ = EmbeddingSimilarity(str(tmp_path / "nowhere"))
    with pytest.raises(FilterError, match=r"nowhere: no encoder on this machine .* download it"):
        filter_.score(candidate("es", "acute pain", "dolor agudo"))


def test_an_encoder_without_its_packages_stops_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "find_spec", lambda _: None)
    with pytest.raises(FilterError, match=r"needs torch and transformers: install mmed-bench-ir"):
        EmbeddingSimilarity()


def test_the_standard_filters_need_no_model() -> None:
    assert "embedding_similarity" not in standard_filters()
