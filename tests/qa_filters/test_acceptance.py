"""Good medical text passes every filter; the known failures of machine translation do not."""

from collections.abc import Callable

import pytest

from qa_filters.base import Candidate

Build = Callable[..., Candidate]
Refusals = Callable[[Candidate], list[str]]

# language, source, translation, back-translation
GOOD = [
    # three words or fewer, few letters
    ("es", "COVID-19", "COVID-19", "COVID-19"),
    ("de", "COVID-19", "COVID-19", "COVID-19"),
    ("fr", "COVID-19", "COVID-19", "COVID-19"),
    ("ru", "COVID-19", "COVID-19", "COVID-19"),
    ("zh", "COVID-19", "COVID-19", "COVID-19"),
    ("ja", "COVID-19", "COVID-19", "COVID-19"),
    ("de", "HbA1c 6.5%", "HbA1c 6,5 %", "HbA1c 6.5%"),
    ("fr", "HbA1c 6.5%", "HbA1c 6,5 %", "HbA1c 6.5%"),
    ("es", "HbA1c 6.5%", "HbA1c 6.5%", "HbA1c 6.5%"),
    ("ru", "HbA1c 6.5%", "HbA1c 6,5%", "HbA1c 6.5%"),
    ("ja", "HbA1c 6.5%", "HbA1c 6.5％", "HbA1c 6.5%"),
    ("zh", "HbA1c 6.5%", "HbA1c为6.5%", "HbA1c 6.5%"),
    # few words in another writing system, long words
    ("ja", "type 2 diabetes", "2型糖尿病", "type 2 diabetes"),
    ("zh", "type 2 diabetes", "2型糖尿病", "type 2 diabetes"),
    (
        "zh",
        "What are the symptoms of chronic obstructive pulmonary disease in the elderly, and how is "
        "it treated at home?",
        "老年人慢性阻塞性肺疾病的症状有哪些以及在家中如何进行治疗和日常护理并预防急性加重",
        "What are the symptoms of chronic obstructive pulmonary disease in elderly people and how "
        "is it treated at home?",
    ),
    ("de", "quartz dust lung disease", "Quarzstaublungenerkrankung", "quartz dust lung disease"),
    # scripts in one text
    ("zh", "HIV infection", "HIV感染", "HIV infection"),
    ("ja", "HIV infection", "HIV感染", "HIV infection"),
    ("ru", "HIV infection", "ВИЧ-инфекция", "HIV infection"),
    ("ru", "BRCA1 gene mutation", "мутация гена BRCA1", "BRCA1 gene mutation"),
    ("ja", "Escherichia coli infection", "Escherichia coli感染症", "Escherichia coli infection"),
    # the same in both languages, or nearly
    ("de", "Ibuprofen", "Ibuprofen", "Ibuprofen"),
    ("es", "Ibuprofen", "Ibuprofeno", "Ibuprofen"),
    ("es", "Metformin", "Metformina", "Metformin"),
    ("fr", "Metformin", "Metformine", "Metformin"),
    ("de", "Metformin", "Metformin", "Metformin"),
    ("ru", "Metformin", "Метформин", "Metformin"),
    ("ja", "Metformin", "メトホルミン", "Metformin"),
    ("zh", "Metformin", "二甲双胍", "Metformin"),
    ("es", "Diabetes mellitus", "Diabetes mellitus", "Diabetes mellitus"),
    ("de", "Angina pectoris", "Angina pectoris", "Angina pectoris"),
    ("fr", "Infection", "Infection", "Infection"),
    # numerals
    ("es", "type 2 diabetes", "diabetes tipo II", "type II diabetes"),
    ("fr", "type 2 diabetes", "diabète de type II", "type II diabetes"),
    ("de", "type II diabetes", "Typ-2-Diabetes", "type 2 diabetes"),
    ("ru", "type 2 diabetes", "сахарный диабет II типа", "type II diabetes mellitus"),
    ("de", "Down syndrome", "Down-Syndrom", "Down syndrome"),
    # title case, glued capitals
    (
        "es",
        "Is Heart Failure Hereditary?",
        "¿La Insuficiencia Cardíaca Es Hereditaria?",
        "Is Heart Failure Hereditary?",
    ),
    ("de", "McArdle disease", "McArdle-Krankheit", "McArdle disease"),
    ("es", "DiGeorge syndrome", "síndrome de DiGeorge", "DiGeorge syndrome"),
    ("fr", "DiGeorge syndrome", "syndrome de DiGeorge", "DiGeorge syndrome"),
    ("ru", "McArdle disease", "болезнь McArdle", "McArdle disease"),
    (
        "ja",
        "severe acute respiratory syndrome",
        "重症急性呼吸器症候群",
        "severe acute respiratory syndrome",
    ),
]

# language, source, translation, back-translation, engine's flags, a filter that must refuse
BAD = [
    ("es", "Hi George. How long have you had this cough?", "¿Cuánto tiempo hace que tiene tos?",
     "How long have you had this cough?", (), "sentences"),
    ("es", "102", "El número de personas", "The number of people", (), "numbers"),
    ("fr", "1 2 3 4 5 6 7 8 9 10", "2 3 4 5 6 7 8 9 10", "2 3 4 5 6 7 8 9 10", (), "numbers"),
    ("fr", "The dressing costs €18.10.", "Le pansement coûte 18h10.", "The dressing costs 18:10.",
     (), "numbers"),
    ("es", "The patient weighs 154 lb.", "El paciente pesa 154 kg.", "The patient weighs 154 kg.",
     (), "numbers"),
    ("de", "The patient weighs 154 pounds.", "Der Patient wiegt 154 kg.",
     "The patient weighs 154 kg.", (), "numbers"),
    ("ru", "The patient weighs 154 lb.", "Пациент весит 154 кг.", "The patient weighs 154 kg.",
     (), "numbers"),
    ("zh", "The patient weighs 154 lb.", "患者体重154公斤。", "The patient weighs 154 kg.", (),
     "numbers"),
    ("ja", "The patient weighs 154 lb.", "患者の体重は154キロです。", "The patient weighs 154 kg.",
     (), "numbers"),
    ("es", "What causes chest pain?", "¿Qué causa el dolor en el pecho, el dolor en el pecho, el "
     "dolor en el pecho, el dolor en el pecho?", "What causes chest pain?", (), "repetition"),
    ("zh", "What causes chest pain?", "什么导致胸痛胸痛胸痛胸痛胸痛胸痛？",
     "What causes chest pain?", (), "repetition"),
    ("fr", "ok", "Je suis d'accord.", "I agree.", (), "length"),
    ("zh", "The gums are swollen.", "牙龈肿⁇。", "The gums are swollen.", (), "markup"),
    ("zh", "Abdominal swelling", "腹部肿", "Abdominal swelling", ("unknown_token",), "flags"),
    ("es", "What is anemia?", "...", "...", (), "markup"),
    ("zh", "What is anemia?", "。。。。。。", "...", (), "markup"),
    ("zh", "high blood pressure in pregnancy", "妊娠期高血壓與腎臟疾病",
     "high blood pressure in pregnancy", (), "script"),
    ("es", "Headache in children", "Headache in children", "Headache in children", (), "copy"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "text", "back"), GOOD)
def test_good_medical_text_passes_all_filters(
    candidate: Build, refusals: Refusals, language: str, source: str, text: str, back: str
) -> None:
    for kind in ("question", "term"):
        posed = candidate(language, source, text, back, (source,), kind=kind)
        assert refusals(posed) == []


@pytest.mark.parametrize(("language", "source", "text", "back", "flags", "by"), BAD)
def test_known_failures_of_translation_are_refused(
    candidate: Build,
    refusals: Refusals,
    language: str,
    source: str,
    text: str,
    back: str,
    flags: tuple[str, ...],
    by: str,
) -> None:
    assert by in refusals(candidate(language, source, text, back, flags=flags))
