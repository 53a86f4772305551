"""Each corruption spoils what it says, in every language that it serves, always the same way."""

import pytest

from qa_filters.base import ConceptNames
from qa_filters.corruptions.base import Pair, Spoilt, Surroundings
from qa_filters.corruptions.structure import cut
from qa_filters.corruptions.table import CORRUPTIONS

OTHER = Pair("other", "What helps against migraine?", "Was hilft gegen Migräne?", "de")
VERSIONS = {"fr": "Le rein gauche", "zh": "左肾", "es": "El riñón izquierdo", "ja": "左の腎臓"}


def spoil(kind: str, language: str, english: str, text: str, seed: int = 0) -> Spoilt | None:
    concepts = (ConceptNames(("kidney stones",), ("Nierensteine", "肾结石")),)
    pair = Pair("p1", english, text, language, concepts=concepts)
    return CORRUPTIONS[kind](pair, Surroundings(OTHER, VERSIONS, seed))


@pytest.mark.parametrize(
    ("kind", "language", "english", "text", "spoilt", "back"),
    [
        ("add_negation", "de", "It is safe", "Es ist sicher", "Es ist nicht sicher",
         "It is not safe"),
        ("add_negation", "es", "It can kill", "Eso puede matar", "Eso no puede matar",
         "It can not kill"),
        ("add_negation", "fr", "It can kill", "Cela peut tuer", "Cela ne peut pas tuer",
         "It can not kill"),
        ("add_negation", "ru", "It can kill", "Это может убить", "Это не может убить",
         "It can not kill"),
        ("add_negation", "zh", "It can kill", "它可以致命", "它不可以致命", "It can not kill"),
        ("add_negation", "ja", "It is safe", "安全です", "安全ではありません", "It is not safe"),
        ("drop_negation", "de", "It is not safe", "Es ist nicht sicher", "Es ist sicher",
         "It is safe"),
        ("drop_negation", "de", "It has no cure", "Es gibt keine Heilung", "Es gibt eine Heilung",
         "It has some cure"),
        ("drop_negation", "es", "It cannot kill", "Eso no puede matar", "Eso puede matar",
         "It can kill"),
        ("drop_negation", "fr", "It cannot kill", "Cela ne peut pas tuer", "Cela peut tuer",
         "It can kill"),
        ("drop_negation", "ru", "pain without fever", "боль без температуры",
         "боль с температуры", "pain with fever"),
        ("drop_negation", "zh", "It has no cure", "没有治法", "有治法", "It has some cure"),
        ("drop_negation", "ja", "It is not safe", "安全ではありません", "安全ではあります",
         "It is safe"),
        ("swap_side", "de", "left kidney", "linke Niere", "rechte Niere", "right kidney"),
        ("swap_side", "es", "right leg", "pierna derecha", "pierna izquierda", "left leg"),
        ("swap_side", "fr", "right arm", "bras droit", "bras gauche", "left arm"),
        ("swap_side", "ru", "left kidney", "левая почка", "правая почка", "right kidney"),
        ("swap_side", "zh", "left kidney", "左肾", "右肾", "right kidney"),
        ("swap_side", "ja", "left kidney", "左腎", "右腎", "right kidney"),
        ("turn_comparison", "de", "more pain", "mehr Schmerz", "weniger Schmerz", "less pain"),
        ("turn_comparison", "es", "more pain", "más dolor", "menos dolor", "less pain"),
        ("turn_comparison", "fr", "acute pain", "douleur aiguë", "douleur chronique",
         "chronic pain"),
        ("turn_comparison", "ru", "before sleep", "до сна", "после сна", "after sleep"),
        ("turn_comparison", "zh", "acute gastritis", "急性胃炎", "慢性胃炎", "chronic gastritis"),
        ("turn_comparison", "ja", "acute gastritis", "急性胃炎", "慢性胃炎", "chronic gastritis"),
        ("swap_unit", "de", "5 mg", "5 mg", "5 g", "5 g"),
        ("swap_unit", "es", "for 3 days", "durante 3 días", "durante 3 semanas", "for 3 weeks"),
        ("swap_unit", "ru", "5 mg", "5 мг", "5 г", "5 g"),
        ("swap_unit", "zh", "3 days", "3 天", "3 周", "3 weeks"),
        ("swap_unit", "ja", "3 days", "3日間", "3週間", "3 weeks"),
        ("change_digit", "de", "6.5 %", "6,5 %", None, None),
        ("change_digit", "ja", "type 2", "2型", "3型", "type 3"),
        ("change_digit", "ja", "type II", "2型", "3型", ""),
        ("copy_source", "de", "left kidney", "linke Niere", "left kidney", "left kidney"),
        ("copy_half", "de", "What helps against pain?", "Was hilft gegen Schmerz?",
         "What helps gegen Schmerz?", "What helps against pain?"),
        ("truncate", "de", "What helps against pain?", "Was hilft gegen Schmerz?", "Was hilft",
         "What helps"),
        ("template_only", "de", "What are kidney stones?", "Was sind Nierensteine?",
         "Was sind kidney stones?", "What are kidney stones?"),
        ("template_only", "zh", "What are kidney stones?", "什么是肾结石？",
         "什么是kidney stones？", "What are kidney stones?"),
        ("other_query", "de", "left kidney", "linke Niere", OTHER.text, OTHER.source_text),
        ("wrong_language", "de", "the left kidney", "die linke Niere", "Le rein gauche",
         "the left kidney"),
        ("wrong_language", "ja", "the left kidney", "左の腎臓", "左肾", "the left kidney"),
        ("wrong_script", "ru", "pain", "боль", "bol", "pain"),
        ("wrong_script", "de", "pain", "leiden", "леиден", "pain"),
        ("wrong_script", "zh", "pain", "痛", "っ", None),
        ("han_variant", "zh", "kidney disease", "肾脏检查", "肾臟檢查", "kidney disease"),
        ("han_variant", "ja", "infection", "発熱の検査", "发热の检查", "infection"),
    ],
)  # fmt: skip
def test_corruptions(
    kind: str, language: str, english: str, text: str, spoilt: str | None, back: str | None
) -> None:
    made = spoil(kind, language, english, text)
    assert made is not None
    assert made.text != text
    if spoilt is not None and kind != "wrong_script":
        assert made.text == spoilt
    if back is not None:
        assert made.back_translation == back


@pytest.mark.parametrize(
    ("kind", "language", "english", "text"),
    [
        ("change_digit", "de", "pain", "Schmerz"),
        ("copy_source", "de", "Ibuprofen", "ibuprofen"),
        ("copy_half", "de", "left kidney", "linke Niere"),
        ("drop_negation", "de", "pain", "Schmerz"),
        ("drop_sentence", "de", "One. Two.", "Eins, zwei."),
        ("han_variant", "de", "pain", "Schmerz"),
        ("han_variant", "zh", "pain", "痛"),
        ("loop", "de", "left kidney", "linke Niere"),
        ("swap_side", "fr", "You are right to ask", "Vous avez raison de demander"),
        ("swap_unit", "zh", "3 people", "3人"),
        ("template_only", "de", "What is it?", "Was ist das?"),
        ("truncate", "de", "left kidney", "linke Niere"),
        ("turn_comparison", "es", "pain", "dolor"),
    ],
)
def test_nothing_is_spoilt_where_there_is_nothing_to_spoil(
    kind: str, language: str, english: str, text: str
) -> None:
    assert spoil(kind, language, english, text) is None


def test_a_sentence_is_lost_on_both_sides() -> None:
    made = spoil("drop_sentence", "de", "It hurts. It bleeds.", "Es schmerzt. Es blutet.")
    assert made in (Spoilt("Es schmerzt.", "It hurts."), Spoilt("Es blutet.", "It bleeds."))


def test_a_loop_says_the_same_again() -> None:
    made = spoil("loop", "de", "What helps against pain?", "Was hilft gegen Schmerz?")
    assert made is not None
    assert made.text.count("Was hi") >= 4


def test_places_are_drawn_by_seed_and_id() -> None:
    texts = {
        seed: spoil("change_digit", "de", "1 2 3 4 5 6", "1 2 3 4 5 6", seed) for seed in range(20)
    }
    again = {
        seed: spoil("change_digit", "de", "1 2 3 4 5 6", "1 2 3 4 5 6", seed) for seed in range(20)
    }
    assert texts == again
    assert len({made.text for made in texts.values() if made}) > 3


@pytest.mark.parametrize(
    ("text", "share", "kept"),
    [("one two three", 0.6, "one two"), ("肾结石有哪些", 0.5, "肾结石"), ("unbroken", 0.5, "unbr")],
)
def test_texts_are_cut_between_words(text: str, share: float, kept: str) -> None:
    assert cut(text, share) == kept
