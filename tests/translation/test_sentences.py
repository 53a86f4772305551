import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import LANGUAGES
from translation.sentences import split_sentences

# "|" marks the cuts.
CASES = [
    ("en", "Hi George. |How are you? |Fine."),
    ("en", "Dr. Smith gave 2.5 mg i.v. to the patient. |Pain went away."),
    ("en", "Infection with S. aureus is common. |E. coli is rarer."),
    ("en", "Infection with S. Typhi is rare."),
    ("en", "Use antibiotics, e.g. Amoxicillin. |Approx. 3% fail."),
    ("en", "The dose is 0.5 mg. |It works."),
    ("en", "What is (are) COVID-19? |See Fig. 2 vs. Table 3."),
    ("en", "J. Smith et al. found no effect. |They stopped."),
    ("en", "He has a fever of 39.5 °C! |Call 911."),
    ("en", "It is hepatitis B. |Rest. |Take vitamin K. |Drink."),
    ("en", "The level is 5.4. |The next is 6."),
    ("en", "1. Wash your hands."),
    ("en", 'He said "stop." |Then he left.'),
    ("en", "Wait... |It hurts."),
    ("en", "diabetes mellitus, type 2"),
    ("en", "HbA1c 6.5%"),
    ("de", "Die Dosis beträgt z. B. 5 mg. |Sie wirkt."),
    ("de", "Am 3. Oktober kam Dr. Müller. |Er ging."),
    ("de", "Es ist Typ 2. |Er bleibt."),
    ("de", "Das ist ca. 5 cm groß bzw. kleiner. |Ja."),
    ("es", "El Dr. García vino. |¿Qué hizo? |Nada."),
    ("es", "La Sra. López tiene p. ej. fiebre. |Está mal."),
    ("es", "Vive en EE. UU. desde 2019. |El Departamento de RR. HH. llamó."),
    ("fr", "M. Dupont est malade. |Il tousse, p. ex. la nuit."),
    ("fr", "Le Dr Martin est là. |Êtes-vous malade ? |Oui !"),
    ("ru", "Пациент принял 5 мг, т. е. мало. |Он ушёл."),
    ("ru", "Это д-р. Иванов. |Он врач. |Ёмкость мала."),
    ("ja", "患者は発熱した。|薬を飲んだ。"),
    ("ja", "「痛い。」と言った。|本当ですか？|はい！"),
    ("zh", "患者发烧了。|他吃了药。"),
    ("zh", "你好吗？|很好！"),
]


@pytest.mark.parametrize(("language", "marked"), CASES)
def test_sentences_end_where_they_should(language: str, marked: str) -> None:
    expected = tuple(piece.strip() for piece in marked.split("|"))
    assert split_sentences(marked.replace("|", ""), language) == expected


@pytest.mark.parametrize("text", ["", "  ", "\n\n"])
def test_nothing_has_no_sentences(text: str) -> None:
    assert split_sentences(text, "en") == ()


def test_lines_are_sentences() -> None:
    assert split_sentences("Fever\nCough and pain\n", "en") == ("Fever", "Cough and pain")


@given(
    st.text(alphabet="aAéЯж. !?。「」\n1)(\"'", max_size=60),
    st.sampled_from(sorted(LANGUAGES)),
)
def test_no_character_is_lost(text: str, language: str) -> None:
    pieces = split_sentences(text, language)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(piece == piece.strip() != "" for piece in pieces)
