"""NLLB's engine against a small model of its architecture that knows some sentences by heart."""

# torch and transformers are imported where a model is there: a base install has neither.

import math
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from translation.base import TranslationError
from translation.nllb import Nllb
from translation.nllb_base import NllbEngine, _join
from translation.nllb_model import NllbModel, Weights, load_model
from translation.nllb_text import Hypothesis
from translation.nllb_weights import PINNED, weights_revision

Pairs = dict[str, list[tuple[str, str]]]
TARGETS = ("de", "es", "fr", "ja", "ru", "zh")


@pytest.fixture(scope="session")
def model(engine: Nllb) -> NllbModel:
    _, revision = engine.provenance()
    return load_model(Weights(engine.model, revision, "float32", "auto"), 1)


@pytest.mark.parametrize("target", TARGETS)
def test_each_language_token_gives_its_language(
    any_engine: NllbEngine, sentence_pairs: Pairs, target: str
) -> None:
    english, expected = zip(*sentence_pairs[target], strict=True)
    outputs = any_engine.translate(english, "en", target)
    assert [output.text for output in outputs] == list(expected)
    assert all(output.flags == () for output in outputs)
    back = any_engine.translate(expected, target, "en")
    assert [output.text for output in back] == list(english)


@pytest.mark.parametrize("other", [{"batch_size": 1}, {"batch_tokens": 48}, {"batch_size": 3}])
def test_neighbours_do_not_change_a_translation(
    any_engine: NllbEngine, sentence_pairs: Pairs, other: dict[str, int]
) -> None:
    texts = [english for english, _ in sentence_pairs["ja"]]
    together = any_engine.translate(texts, "en", "ja")
    settings = replace(any_engine, **other)  # type: ignore[arg-type]
    apart = settings.translate(texts[::-1], "en", "ja")[::-1]
    assert [output.text for output in apart] == [output.text for output in together]
    for one, other_one in zip(apart, together, strict=True):
        assert one.score == pytest.approx(other_one.score, abs=1e-5)
    assert settings.signature() == any_engine.signature()


@pytest.mark.parametrize(("target", "joint"), [("de", " "), ("ja", ""), ("zh", "")])
def test_sentences_are_translated_one_by_one(
    any_engine: NllbEngine, sentence_pairs: Pairs, target: str, joint: str
) -> None:
    known = dict(sentence_pairs[target])
    first, second = "Wash your hands.", "Infection with S. aureus is common."
    [output] = any_engine.translate([f"{first} {second}\n"], "en", target)
    assert output.text == known[first] + joint + known[second]
    assert -0.2 < output.score < 0


def test_the_score_is_the_mean_log_probability_of_the_tokens(
    engine: Nllb, model: NllbModel
) -> None:
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    text = "What is asthma?"
    tokenizer = AutoTokenizer.from_pretrained(engine.model, src_lang="eng_Latn")
    reference = AutoModelForSeq2SeqLM.from_pretrained(engine.model)
    with torch.inference_mode():
        result = reference.generate(
            **tokenizer([text], return_tensors="pt"),
            forced_bos_token_id=tokenizer.convert_tokens_to_ids("spa_Latn"),
            num_beams=4,
            max_new_tokens=60,
            return_dict_in_generate=True,
            output_scores=True,
        )
    # Their mean is over all generated tokens, the forced one (of probability one) with them.
    generated = result.sequences.shape[1] - 1
    total = float(result.sequences_scores[0]) * generated
    [output] = engine.translate([text], "en", "es")
    assert output.score == pytest.approx(total / (generated - 1), abs=1e-4)


def test_inputs_are_laid_out_as_the_tokenizer_does(engine: Nllb, model: NllbModel) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(engine.model, src_lang="fra_Latn")
    text = "Lavez-vous les mains."
    ids = model.vocabulary.input_ids(text, "fra_Latn")
    assert ids == tokenizer(text)["input_ids"]
    assert tokenizer.convert_ids_to_tokens(ids[0]) == "fra_Latn"
    assert model.vocabulary.length(text) == len(ids)


@pytest.mark.parametrize("text", ["deu_Latn", "</s>", "<pad> <unk>"])
def test_special_tokens_in_a_text_are_text(model: NllbModel, text: str) -> None:
    special = {model.vocabulary.language_id("deu_Latn"), 0, 1, 2}
    assert not special & set(model.vocabulary.input_ids(text, "eng_Latn")[1:-1])


def test_a_language_that_the_tokenizer_lacks_is_refused(model: NllbModel) -> None:
    with pytest.raises(TranslationError, match="no language tlh_Latn"):
        model.vocabulary.language_id("tlh_Latn")


@pytest.mark.parametrize(("source", "target"), [("en", "xx"), ("it", "en")])
def test_an_unknown_language_is_refused_with_the_known_ones(
    any_engine: NllbEngine, source: str, target: str
) -> None:
    with pytest.raises(TranslationError, match=r"unknown language '(xx|it)'; known are de, en"):
        any_engine.translate(["Stroke"], source, target)


def test_an_output_at_its_limit_is_flagged(any_engine: NllbEngine) -> None:
    short = replace(any_engine, length_factor=0.01, length_extra=3)
    [output] = short.translate(["What causes type 2 diabetes?"], "en", "fr")
    assert output.flags == ("length_limit",)
    assert short.signature() != any_engine.signature()


def test_a_character_outside_the_vocabulary_is_flagged(any_engine: NllbEngine) -> None:
    [output] = any_engine.translate(["Stroke 涨"], "en", "de")
    assert "unknown_token" in output.flags


def test_a_sentence_beyond_the_model_is_refused_and_never_cut(
    any_engine: NllbEngine, model: NllbModel
) -> None:
    long = " ".join(["fever"] * 200)
    assert model.vocabulary.length(long) > model.input_limit
    fits, refused = any_engine.translate(["Stroke", f"Stroke. {long}"], "en", "de")
    assert (fits.text, refused.text) == ("Schlaganfall", "")
    assert refused.flags == ("input_too_long",)


@pytest.mark.parametrize("text", ["", " \n", "...", "–"])
def test_nothing_is_flagged_empty(any_engine: NllbEngine, text: str) -> None:
    [output] = any_engine.translate([text], "en", "de")
    assert output.flags == ("empty",)
    assert math.isnan(output.score)


@pytest.mark.parametrize(
    ("texts", "flags"),
    [
        (["Fieber"], ()),
        (["...", "Fieber"], ("empty",)),
        (["。。。"], ("empty",)),
        (["", "Fieber"], ("empty",)),
    ],
)
def test_a_sentence_that_came_out_without_words_is_flagged(
    texts: list[str], flags: tuple[str, ...]
) -> None:
    assert _join([Hypothesis(t, -1.0, 2, frozenset()) for t in texts], "de").flags == flags


def test_the_score_of_a_text_is_weighted_by_tokens() -> None:
    parts = [Hypothesis("a", -1.0, 1, frozenset()), Hypothesis("b", -6.0, 6, frozenset())]
    assert _join(parts, "de").score == pytest.approx(-1.0)


def test_an_engine_pickles_without_its_model(any_engine: NllbEngine) -> None:
    any_engine.load()
    pickled = pickle.dumps(any_engine)
    assert len(pickled) < 1000
    assert pickle.loads(pickled) == any_engine


def test_threads_may_share_a_model(any_engine: NllbEngine, sentence_pairs: Pairs) -> None:
    def translate(target: str) -> list[str]:
        texts = [english for english, _ in sentence_pairs[target]]
        return [output.text for output in any_engine.translate(texts, "en", target)]

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(translate, ("de", "ja")))
    assert found == [[known for _, known in sentence_pairs[t]] for t in ("de", "ja")]


def test_a_folder_is_known_by_its_content(engine: Nllb, tiny_nllb: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(tiny_nllb, tmp_path / tiny_nllb.name)
    assert Nllb(model=str(copy)).signature() == engine.signature()
    assert str(tmp_path) not in Nllb(model=str(copy)).signature()
    Path(copy, "config.json").write_text("{}")
    assert weights_revision(str(copy)) != weights_revision(engine.model)
    with pytest.raises(TranslationError, match="but the plan's revision is"):
        Nllb(model=str(copy), revision=weights_revision(engine.model)).signature()


def test_hub_models_are_pinned() -> None:
    assert all(len(commit) == 40 and int(commit, 16) for commit, _ in PINNED.values())
    assert Nllb().provenance() == ("facebook/nllb-200-distilled-600M", PINNED[Nllb().model][0])
    with pytest.raises(TranslationError, match="set revision"):
        Nllb(model="somebody/nllb-tuned").signature()
    assert Nllb(model="somebody/nllb-tuned", revision="ab12").provenance()[1] == "ab12"


def test_a_missing_model_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("transformers")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(TranslationError, match=r"2\.5 GB.*hf download facebook/nllb") as caught:
        Nllb(threads=1).load()
    assert PINNED[Nllb().model][0] in str(caught.value)


def test_a_folder_without_a_model_says_what_it_needs(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(TranslationError, match=r"must hold config\.json"):
        Nllb(model=str(tmp_path), threads=1).load()


@pytest.mark.parametrize(
    "wrong", [{"beams": 0}, {"batch_size": 0}, {"length_extra": -1}, {"dtype": "int8"}]
)
def test_settings_that_cannot_work_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(TranslationError, match=next(iter(wrong))):
        Nllb(**wrong)  # type: ignore[arg-type]


def test_a_base_install_says_what_to_add(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(TranslationError, match=r"mmed-bench-ir\[nllb\]"):
        Nllb().load()


def test_importing_the_engines_loads_no_framework() -> None:
    script = (
        "import sys, translation.engines\n"
        "print(sorted({'torch', 'transformers', 'ctranslate2', 'tokenizers'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
