"""Which names may be used, in which text, and why others may not: in every language."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import LANGUAGES, Concept, Name
from umls_tools.confusion.shown import shown_name
from umls_tools.naming.brackets import TAGS, has_loose_bracket, without_tag
from umls_tools.naming.company import Company
from umls_tools.naming.judging import RULES, Ruling, judge, usable_names, with_repaired_names

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "names.md"

Other = tuple[str, str]  # language, text


def name(language: str, text: str, source: str = "ONE", term_type: str = "PT") -> Name:
    return Name(text, language, source, term_type, f"A{text}{source}", 2, preferred=True)


def ruled(one: Name, *others: Other) -> Ruling:
    names = (one, *(name(*other, source="TWO") for other in others))
    return judge(one, Company(names, one.language))


ACCEPTED = {
    "en": [
        *("McArdle disease", "DiGeorge syndrome", "HbA1c 6.5%", "BRCA1", "HIV-1", "COVID 19"),
        *("HIV RNA", "mRNA", "COPD", "vitamin B(12)", "(R)-warfarin", "benzo[a]pyrene"),
        *("N-(4-(2-ethyl)phenyl)acetamide", "t(9;22)(q34;q11)", "[18F]fluorodeoxyglucose"),
        *("1,2-dichloroethane", "Hand, foot and mouth disease", "leukaemia with FUS::ERG fusion"),
        *("iodine-131", "Brother's keeper syndrome", "Alzheimer's disease", "β-thalassemia"),
    ],
    "de": [
        *("Magenschleimhautentzündung", "Typ-2-Diabetes", "HIV-Infektion", "McArdle-Krankheit"),
        *("DiGeorge-Syndrom", "HbA1c 6,5 %", "BRCA1", "HIV-1", "PAVK", "Bruch, offen"),
    ],
    "es": [
        *("infarto agudo de miocardio", "diabetes tipo 2", "enfermedad de McArdle", "VIH", "EPOC"),
        *("síndrome de DiGeorge", "BRCA1", "HIV-1", "Ácido (S)-láctico", "nosocomial"),
    ],
    "fr": [
        *("maladie cœliaque", "diabète de type 2", "maladie de McArdle", "BPCO", "BRCA1", "HIV-1"),
        *("syndrome de DiGeorge", "Hémoglobine A1c", "œdème", "infection à VIH"),
    ],
    "ja": [
        *(
            "2型糖尿病",
            "HIV感染",
            "糖尿病",
            "痛風",
            "アナフィラキシー",
            "マッカードル病",
            "L-ドーパ",
        ),
        *("BRCA1遺伝子", "つつが虫病", "ＨＩＶ感染", "ﾋﾞﾀﾐﾝ欠乏症"),  # the last with kanji
    ],
    "ru": [
        *("сахарный диабет 2 типа", "болезнь Мак-Ардла", "ВИЧ-инфекция", "ХОБЛ", "синдром Дауна"),
        *("ген BRCA1", "вирус HIV-1", "ёжик", "Острый бронхит"),
    ],
    "zh": [
        *("2型糖尿病", "HIV感染", "痛风", "新型冠状病毒肺炎", "BRCA1基因", "维生素B12缺乏症"),
        *("麦卡德尔病", "迪乔治综合征"),
    ],
}


@pytest.mark.parametrize(
    ("language", "text"), [(one, text) for one, texts in ACCEPTED.items() for text in texts]
)
def test_uses_a_fit_name_as_it_stands(language: str, text: str) -> None:
    one = name(language, text)
    assert ruled(one) == Ruling(one, "", is_repaired=False)
    assert usable_names(Concept("C1", (one,), ()), language, 80) == (ruled(one),)


@pytest.mark.parametrize("language", ["ja", "ru", "zh"])
@pytest.mark.parametrize(
    ("text", "english", "is_used"),
    [
        *[(text, text, True) for text in ("BRCA1", "HIV-1", "HIV", "HbA1c 6.5%", "COVID-19")],
        ("ＨＩＶ", "HIV", True),
        ("BRCA1", "BRCA1 (substance)", True),
        ("HIV", "human immunodeficiency virus", False),
        ("SPID", "AIDS", False),  # a transliteration looks like an acronym
        ("HIV", "hiv", False),
        ("aspirin", "aspirin", False),
        ("ASPIRIN", "ASPIRIN", False),
        ("Helicobacter pylori", "Helicobacter pylori", False),
        ("gipertenziya", "hypertension", False),
        ("6.5", "6.5 %", False),
    ],
)
def test_needs_no_letter_of_its_own_only_as_an_english_symbol(
    language: str, text: str, english: str, is_used: bool
) -> None:
    ruling = ruled(name(language, text), ("en", english))
    assert (ruling.reason == "") is is_used
    assert ruling.reason in ("", "other_script", "code")


REPAIRED = [
    # tags
    ("en", "ONE", "Fracture of wrist (disorder)", [], "Fracture of wrist"),
    ("en", "ONE", "Wound dressing (Physical object)", [], "Wound dressing"),
    ("en", "ONE", "Walking aid training (regime/therapy)", [], "Walking aid training"),
    ("es", "ONE", "fractura de muñeca (trastorno)", [], "fractura de muñeca"),
    ("es", "ONE", "célula hepática (estructura corporal)", [], "célula hepática"),
    ("es", "ONE", "quiste (anomalia morfologica)", [], "quiste"),
    ("es", "ONE", "lavado nasal （procedimiento）", [], "lavado nasal"),
    ("en", "ONE", "(R)-warfarin (substance)", [], "(R)-warfarin"),
    # headings set upright by the order of the language
    ("en", "MSH", "Gastritis, Atrophic", [], "Atrophic Gastritis"),
    ("en", "MSH", "Lymphoma, B-Cell", [], "B-Cell Lymphoma"),
    ("en", "MSH", "Wounds, Penetrating", [], "Penetrating Wounds"),
    ("en", "MSH", "Bursitis, Prepatellar (disorder)", [], "Prepatellar Bursitis"),
    ("de", "MSHGER", "Gastritis, atrophische", [], "atrophische Gastritis"),
    ("de", "MSHGER", "Herzfehler, angeborener", [], "angeborener Herzfehler"),
    ("de", "MSHGER", "Ekzem, beruflich bedingtes", [], "beruflich bedingtes Ekzem"),
    ("ru", "MSHRUS", "Гастрит, атрофический", [], "атрофический Гастрит"),
    # … or by what another name shows
    ("en", "MSH", "Diabetes, Type 2", [("en", "type 2 diabetes")], "Type 2 Diabetes"),
    ("fr", "MSHFRE", "Acné, juvénile", [("fr", "acné juvénile")], "Acné juvénile"),
    ("es", "MSHSPA", "Malaria, cerebral", [("es", "MALARIA CEREBRAL")], "Malaria cerebral"),
    ("ja", "MSHJPN", "胃炎-萎縮性", [("ja", "萎縮性胃炎")], "萎縮性胃炎"),
    # capitals
    ("en", "ONE", "PARACETAMOL", [], "paracetamol"),
    ("ru", "MSHRUS", "ГАСТРИТ", [], "гастрит"),
    ("ru", "MSHRUS", "РАК", [], "рак"),
    ("ru", "MSHRUS", "ВИЧ-ИНФЕКЦИИ", [], "ВИЧ-инфекции"),
    ("ru", "MSHRUS", "ДЕФИЦИТ ВИТАМИНА B12", [], "дефицит витамина B12"),
    ("ru", "MSHRUS", "ГЛИКОГЕНОЗ II ТИПА", [], "гликогеноз II типа"),
    ("ru", "MSHRUS", "ГАСТРИТ, АТРОФИЧЕСКИЙ", [], "атрофический гастрит"),
    ("ru", "MSHRUS", "ПОЧЕЧНАЯ КОЛИКА, ОСТРАЯ", [], "острая почечная колика"),
    ("ru", "MSHRUS", "БОЛЕЗНЬ КРОНА", [("ru", "Тяжёлая болезнь Крона")], "болезнь Крона"),
    ("ru", "MSHRUS", "СИНДРОМ МЭС", [("ru", "синдром МЭС у детей")], "синдром МЭС"),
    ("ru", "MSHRUS", "ЛУЧЕВАЯ БОЛЕЗНЬ", [], "лучевая болезнь"),
    ("ru", "MDRRUS", "ГИПЕРТЕНЗИЯ", [], "гипертензия"),
]


@pytest.mark.parametrize(("language", "source", "text", "others", "repaired"), REPAIRED)
def test_repairs_by_rule_and_keeps_where_the_name_is_from(
    language: str, source: str, text: str, others: list[Other], repaired: str
) -> None:
    one = name(language, text, source)
    found = ruled(one, *others)
    assert found == Ruling(
        dataclasses.replace(one, text=repaired, preferred=False), "", is_repaired=True
    )
    again = judge(found.name, Company((found.name,), language))
    assert (again.name, again.is_repaired) == (found.name, False)


REFUSED = [
    ("ja", "ONE", "ｲﾝﾌﾙｴﾝｻﾞ", [], "reading"),
    ("ja", "ONE", "ﾋﾞﾀﾐﾝ-12 ｹﾂﾎﾞｳ", [], "reading"),
    # brackets that are neither a tag nor part of a word
    ("en", "ONE", "Frost [Ambiguous]", [], "bracket"),
    ("en", "ONE", "[D]Dizziness", [], "bracket"),
    ("en", "ONE", "Glycogenosis (2)", [], "bracket"),
    ("en", "ONE", "Wound (open)", [], "bracket"),
    ("en", "ONE", "Wound(s)", [], "bracket"),
    ("en", "ONE", "Wound (finding) of foot", [], "bracket"),
    ("en", "ONE", "Wound (", [], "bracket"),
    ("en", "ONE", "<Wound>", [], "bracket"),
    ("en", "ONE", "(disorder)", [], "tag_alone"),
    ("de", "ONE", "Krankheit(en)", [], "bracket"),
    ("de", "ONE", "Wunde (Störung)", [], "bracket"),
    ("es", "ONE", "niño(a) enfermo", [], "bracket"),
    ("es", "ONE", "herida [ambiguo]", [], "bracket"),
    ("fr", "ONE", "plaie (trouble)", [], "bracket"),
    ("ja", "ONE", "糖尿病（2型）", [], "bracket"),
    ("ja", "ONE", "糖尿病(2型)", [], "bracket"),
    ("ja", "ONE", "【禁止】糖尿病", [], "bracket"),
    ("ru", "ONE", "рана (открытая)", [], "bracket"),
    ("zh", "ONE", "痛风〔旧称〕", [], "bracket"),
    # codes and lists of parts
    ("en", "ONE", "E11.9", [], "code"),
    ("en", "ONE", "73211009", [], "code"),
    ("en", "ONE", "D003924", [], "code"),
    ("en", "ONE", "DOID:1234", [], "code"),
    ("en", "ONE", "ORPHA-5581", [], "code"),
    ("en", "LNC", "Glucose^post meal", [], "code"),
    ("de", "LNC-DE-DE", "Zucker:MCnc:Pt:Urin:Qn", [], "code"),
    ("es", "LNC-ES-ES", "azúcar:concentración", [], "code"),
    ("fr", "ONE", "sucre:masse:urine", [], "code"),
    ("ru", "LNC-RU-RU", "сахар:масса:моча", [], "code"),
    ("zh", "LNC-ZH-CN", "糖：质量浓度：尿液", [], "code"),
    # what is left of a class
    ("en", "ONE", "Wound NOS", [], "residual_class"),
    ("en", "ONE", "Wound, unspecified", [], "residual_class"),
    ("en", "ONE", "Other wounds", [], "residual_class"),
    ("de", "ONE", "Wunde o.n.A.", [], "residual_class"),
    ("de", "ONE", "Sonstige Wunden", [], "residual_class"),
    ("de", "ONE", "Wunde, nicht näher bezeichnet", [], "residual_class"),
    ("es", "ONE", "herida no especificada", [], "residual_class"),
    ("es", "ONE", "otras heridas", [], "residual_class"),
    ("fr", "ONE", "plaie SAI", [], "residual_class"),
    ("fr", "ONE", "autres plaies", [], "residual_class"),
    ("ja", "ONE", "その他の創傷", [], "residual_class"),
    ("ja", "ONE", "創傷、詳細不明", [], "residual_class"),
    ("ru", "ONE", "рана неуточнённая", [], "residual_class"),
    ("ru", "ONE", "другие раны", [], "residual_class"),
    ("zh", "ONE", "其他伤口", [], "residual_class"),
    ("zh", "ONE", "未特指的伤口", [], "residual_class"),
    # another script
    ("de", "ONE", "гастрит", [], "other_script"),
    ("en", "ONE", "胃炎", [], "other_script"),
    ("ja", "ONE", "gastritis", [("en", "gastritis")], "other_script"),
    ("ru", "MSHRUS", "GASTRIT", [("en", "Gastritis")], "other_script"),
    ("zh", "ONE", "weiyan", [], "other_script"),
    # headings whose order is not sure
    ("en", "MSH", "Diabetes, Type 2", [], "inverted"),
    ("en", "MSH", "Cancer, Stage IV", [], "inverted"),
    ("en", "MSH", "Factor, II", [], "inverted"),
    ("en", "MSH", "Vitamins, B", [], "inverted"),
    ("en", "MSH", "Herpesvirus, 4", [], "inverted"),
    ("en", "MSH", "Pain, with Fever", [], "inverted"),
    ("en", "MSH", "Fever, Complications of", [], "inverted"),
    ("en", "MSH", "Metabolism, Inborn Faults", [], "inverted"),
    ("en", "MSH", "Ear, Nose and Throat", [], "inverted"),
    ("en", "MSH", "Gastritis, Atrophic, Chronic", [], "inverted"),
    ("en", "MSH", "Gastritis,", [("en", "Gastritis")], ""),  # no comma between two words
    ("en", "MSH", "Gastritis, ", [], "inverted"),
    ("de", "MSHGER", "Krankheiten, Magen", [], "inverted"),
    ("de", "MSHGER", "Infarkt, akut", [], "inverted"),
    ("de", "MSHGER", "Geburt, durch Zange beendete", [], "inverted"),
    ("de", "MSHGER", "Diabetes, Typ 2", [], "inverted"),
    ("de", "MSHGER", "Gastritis, chronische, atrophische", [], "inverted"),
    ("es", "MSHSPA", "Gastritis, atrófica", [], "inverted"),
    ("fr", "MSHFRE", "Gastrite, atrophique", [], "inverted"),
    ("fr", "MSHFRE", "Gastrite, atrophique", [("en", "gastrite atrophique")], "inverted"),
    ("ja", "MSHJPN", "胃炎-萎縮性", [], "inverted"),
    ("ru", "MSHRUS", "ДИАБЕТ, ТИП 2", [], "inverted"),
    ("ru", "MSHRUS", "БОЛЕЗНИ, ЛЕЧЕНИЕ", [], "inverted"),
    ("ru", "MSHRUS", "ОТРАВЛЕНИЕ, КАЛЬЦИЙ", [], "inverted"),
    # capitals whose case is not sure
    ("en", "ONE", "GASTRITIS OF CHILDHOOD", [], "capitals"),
    ("en", "ONE", "CROHN DISEASE", [], "capitals"),
    ("de", "ONE", "MAGENSCHLEIMHAUT", [], "capitals"),
    ("es", "ONE", "HIPERTENSION", [], "capitals"),
    ("fr", "ONE", "MALADIE CŒLIAQUE", [], "capitals"),
    ("ru", "MSHRUS", "БОЛЕЗНЬ КРОНА", [], "capitals"),
    ("ru", "MSHRUS", "КРОНА БОЛЕЗНЬ", [], "capitals"),
    ("ru", "MSHRUS", "СИНДРОМ МЭС", [], "capitals"),
]


@pytest.mark.parametrize(("language", "source", "text", "others", "reason"), REFUSED)
def test_refuses_what_no_rule_repairs(
    language: str, source: str, text: str, others: list[Other], reason: str
) -> None:
    one = name(language, text, source)
    assert ruled(one, *others) == Ruling(one, reason, is_repaired=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_never_uses_a_term_type_of_readings(language: str) -> None:
    for term_type in ("JKN", "PTJKN"):
        assert ruled(name(language, "チフス", term_type=term_type)).reason == "reading"


@pytest.mark.parametrize(
    ("language", "text", "others", "reason"),
    [
        ("es", "nefritis aguda", [], "ascii_copy"),  # right, but nothing shows it
        ("es", "operacion", [("es", "operación")], "ascii_copy"),
        ("es", "cutánea operacion", [("es", "Operación, cutánea")], "ascii_copy"),
        ("es", "operación menor", [("es", "operación")], ""),
        ("es", "operacion cutánea", [("es", "OPERACIÓN CUTÁNEA")], "ascii_copy"),
        ("es", "operacion cutánea", [("es", "operación cutánea (procedimiento)")], "ascii_copy"),
        ("es", "operación", [("es", "Operación")], ""),
        ("fr", "fievre", [], "ascii_copy"),
        ("de", "Mueller", [], "ascii_copy"),
        ("de", "Fünftagefieber", [], ""),
        ("en", "Sjogren syndrome", [("en", "Sjögren syndrome")], "ascii_copy"),
        ("en", "Sjogren syndrome", [("de", "Sjögren syndrome")], ""),
        ("en", "Gastritis", [], ""),
        ("ja", "はしか", [("ja", "ばしか")], ""),  # a voicing mark is no accent
    ],
)
def test_uses_no_copy_that_lacks_accents(
    language: str, text: str, others: list[Other], reason: str
) -> None:
    assert ruled(name(language, text, term_type="MTH_PT"), *others).reason == reason
    assert ruled(name(language, text, term_type="PT"), *others).reason == ""


@pytest.mark.parametrize(
    ("language", "text", "longest", "is_used"),
    [
        ("en", "x" * 80, 80, True),
        ("en", "x" * 81, 80, False),
        ("en", "Fracture (disorder)", 8, True),  # the text that is used counts
        ("en", "ab", 80, False),
        ("en", "a-b", 80, True),
        ("en", "--- ---", 80, False),
        ("ja", "痛風", 80, True),
        ("zh", "癌", 80, False),
    ],
)
def test_keeps_to_the_length(language: str, text: str, longest: int, is_used: bool) -> None:
    found = usable_names(Concept("C1", (name(language, text),), ()), language, longest)
    assert bool(found) is is_used


def test_repaired_names_stand_behind_the_others_of_their_language() -> None:
    names = [
        name("de", "Gastritis, atrophische", "MSHGER"),
        name("de", "Magenentzündung"),
        name("en", "Gastritis (disorder)"),
        name("en", "Stomach inflammation"),
        name("fr", "gastrite"),
    ]
    full = with_repaired_names(Concept("C1", tuple(names), ()))
    assert [one.text for one in full.names] == [
        *("Gastritis, atrophische", "Magenentzündung", "atrophische Gastritis"),
        *("Gastritis (disorder)", "Stomach inflammation", "Gastritis", "gastrite"),
    ]
    assert with_repaired_names(full) == full
    bare = Concept("C1", (names[1], names[4]), ())
    assert with_repaired_names(bare) is bare


SPOKEN = st.lists(st.sampled_from(["Gastritis", "Acute", "type", "2", "HIV", "of", "NOS"]))
ENDS = st.sampled_from(["", " (disorder)", " [x]", ", Atrophic", ", Acute, Viral"])
ENGLISH = st.builds(
    lambda words, end, source, term_type, change: name(
        "en", change(" ".join(words) + end), source, term_type
    ),
    SPOKEN,
    ENDS,
    st.sampled_from(["MSH", "ONE"]),
    st.sampled_from(["PT", "MTH_PT"]),
    st.sampled_from([str, str.upper, str.lower, lambda text: text.replace("u", "ü")]),
)


@given(st.lists(ENGLISH, max_size=6))
def test_shows_the_same_whatever_else_of_the_concept_travels_along(names: list[Name]) -> None:
    whole = Concept("C1", tuple(names), ())
    shown = shown_name(whole)
    alone = Concept("C1", (shown,) if shown else (), ())
    assert shown_name(alone) == shown
    full = shown_name(with_repaired_names(whole))
    assert (full and full.text) == (shown and shown.text)


@given(st.text(max_size=20), st.sampled_from(list(LANGUAGES)))
def test_any_text_is_judged(text: str, language: str) -> None:
    found = ruled(name(language, text, "MSH"))
    assert bool(found.name.text) or found.reason in RULES


def test_tags_are_recognised_by_themselves() -> None:
    assert len(TAGS) > 90
    assert "" not in TAGS
    assert {without_tag(f"x ({tag})") for tag in TAGS} == {"x"}
    assert all(has_loose_bracket(f"x [{tag}]") for tag in TAGS)


def test_every_rule_is_told_in_its_order() -> None:
    told = [line.split("`")[1] for line in PAGE.read_text("utf-8").splitlines() if "| `" in line]
    assert told == list(RULES)
