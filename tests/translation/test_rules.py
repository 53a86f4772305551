import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from translation.chinese import traditional_characters
from translation.nllb_base import NllbEngine
from translation.nllb_text import Decoding, Hypothesis, SentenceModel, Vocabulary
from translation.rules import is_drug, is_wordless

TARGETS = ("de", "es", "fr", "ja", "ru", "zh")
WORDLESS = [
    "102",
    "1 2 3 4 5 6 7 8 9 10",
    "€18.10",
    "6.5%",
    "HbA1c 6.5%",
    "HbA1c ≥ 6.5 %",
    "5 mg",
    "500mg/5mL",
    "10^-3 mol",
    "37.5 °C",
    "120/80 mmHg",
    "1:1000",
    "E11.9",
    "C0020538",
    "COVID-19",
    "SARS-CoV-2",
    "B12",
    "COPD",
    "HIV",
    "BMI 30",
    "BRCA1",
    "(102)",
]
WORDS = [
    "Stroke",
    "Heart failure",
    "PAIN",
    "WHO",
    "HIV infection",
    "type 2 diabetes",
    "2nd opinion",
    "What is COVID-19?",
    "Take 5 mg twice daily.",
    "DIE LINKE NIERE",
    "ok",
    "a",
    "2型糖尿病",
    "HIV感染",
    "5 мг",
    "102 people",
]


@dataclass
class Scripted(SentenceModel):
    """Says what it is told to, and notes what it was asked."""

    answers: dict[str, str]
    vocabulary: Vocabulary = field(init=False)
    input_limit: int = 1024
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.vocabulary = Letters()

    def decode(
        self, texts: Sequence[str], source: str, target: str, decoding: Decoding
    ) -> list[tuple[Hypothesis, ...]]:
        self.asked += texts
        return [(Hypothesis(self.answers[text], -1.0, 2, frozenset()),) for text in texts]


class Letters(Vocabulary):
    def __init__(self) -> None:
        """Needs no file."""

    def length(self, text: str) -> int:
        return len(text)


@dataclass(frozen=True)
class Reciting(NllbEngine):
    name: ClassVar[str] = "reciting"
    script: Scripted = field(default_factory=lambda: Scripted({}))

    def loaded(self) -> SentenceModel:
        return self.script

    def own_settings(self) -> tuple[str, ...]:
        return ()


def reciting(**answers: str) -> Reciting:
    return Reciting(script=Scripted({text.replace("_", " "): out for text, out in answers.items()}))


@pytest.mark.parametrize("text", WORDLESS)
def test_what_holds_no_word_is_carried_over_and_no_model_is_asked(text: str) -> None:
    engine = reciting()
    for source, target in (*(("en", target) for target in TARGETS), ("ja", "en")):
        [output] = engine.translate([text], source, target)
        assert (output.text, output.flags) == (text, ("by_rule",))


@pytest.mark.parametrize("text", WORDS)
def test_words_are_left_to_the_model(text: str) -> None:
    assert not is_wordless(text)
    assert not is_drug(text)


@pytest.mark.parametrize(
    "name", ["Ibuprofen", "metformin", "Simvastatin", "Amoxicillin", "adalimumab", "Omeprazole"]
)
def test_the_name_of_a_drug_is_kept_in_latin_letters_and_refused_in_others(name: str) -> None:
    engine = reciting()
    for target in ("de", "es", "fr"):
        assert engine.translate([name], "en", target)[0].text == name
    for target in ("ja", "ru", "zh"):
        [output] = engine.translate([name], "en", target)
        assert (output.text, output.flags) == ("", ("name_unknown",))


@pytest.mark.parametrize("word", ["Insulin", "Aspirin", "mab", "April", "Ibuprofen relieves pain."])
def test_other_words_are_no_names_of_drugs(word: str) -> None:
    assert not is_drug(word)


def test_a_sentence_by_rule_stands_beside_those_of_the_model() -> None:
    engine = reciting(**{"Stroke is common.": "Schlaganfall ist häufig."})
    [output] = engine.translate(["Stroke is common. HbA1c 6.5%."], "en", "de")
    assert output.text == "Schlaganfall ist häufig. HbA1c 6.5%."
    assert output.flags == ("by_rule",)
    assert output.score == pytest.approx(-0.5)
    assert engine.script.asked == ["Stroke is common."]


@pytest.mark.parametrize(
    ("answers", "expected", "flags"),
    [
        # every sentence goes to the model alone, and is missed if it does not come back
        (("Hallo George.", "Wie geht es dir?"), "Hallo George. Wie geht es dir?", ()),
        (("", "Wie geht es dir?"), "Wie geht es dir?", ("empty",)),
        (("......", "Wie geht es dir?"), "...... Wie geht es dir?", ("empty",)),
        ((".", "."), ". .", ("empty",)),
    ],
)
def test_sentences_are_counted_after(
    answers: tuple[str, str], expected: str, flags: tuple[str, ...]
) -> None:
    engine = reciting(**dict(zip(("Hi George.", "How are you?"), answers, strict=True)))
    [output] = engine.translate(["Hi George. How are you?"], "en", "de")
    assert (output.text, output.flags) == (expected, flags)
    assert sorted(engine.script.asked) == ["Hi George.", "How are you?"]


@pytest.mark.parametrize(
    ("text", "target", "flags"),
    [
        ("什么是哮喘？", "zh", ()),
        ("什麼是氣喘？", "zh", ("traditional_script",)),
        ("糖尿病的治疗", "zh", ()),
        ("糖尿病的治療", "zh", ("traditional_script",)),
        ("体温上涨，杠杆", "zh", ()),
        ("糖尿病の治療", "ja", ()),
    ],
)
def test_chinese_is_simplified(text: str, target: str, flags: tuple[str, ...]) -> None:
    engine = reciting(**{"Why so?": text})
    assert engine.translate(["Why so?"], "en", target)[0].flags == flags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("頭痛與發燒", "頭與發燒"),
        ("头痛与发烧", ""),
        ("嘌呤、喹诺酮、哌嗪、吲哚、噁唑", ""),
        ("胬肉、瘘管、痤疮、荨麻疹", ""),
        ("HIV 6.5% かな", ""),
    ],
)
def test_traditional_characters(text: str, expected: str) -> None:
    assert traditional_characters(text) == expected


def test_our_own_chinese_is_simplified(sentence_pairs: dict[str, list[tuple[str, str]]]) -> None:
    assert traditional_characters("".join(chinese for _, chinese in sentence_pairs["zh"])) == ""


@pytest.mark.parametrize("seed", range(3))
def test_the_same_text_has_the_same_translation_whatever_else_is_asked(
    any_engine: NllbEngine, sentence_pairs: dict[str, list[tuple[str, str]]], seed: int
) -> None:
    texts = [english for english, _ in sentence_pairs["fr"]]
    texts += [f"{one} {other}" for one, other in zip(texts, texts[3:], strict=False)]
    texts += ["Is measles treated?", "Take the left hand.", "102", "HbA1c 6.5%"]
    together = dict(zip(texts, any_engine.translate(texts, "en", "fr"), strict=True))
    shuffle = random.Random(seed)
    shuffle.shuffle(texts)
    cut = shuffle.randrange(1, len(texts))
    for part in (texts[:cut], texts[cut:]):
        for text, output in zip(part, any_engine.translate(part, "en", "fr"), strict=True):
            assert (output.text, output.flags) == (together[text].text, together[text].flags)
