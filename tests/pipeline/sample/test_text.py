"""The sample's questions, passages and curated translations keep what they promise."""

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rapidfuzz import fuzz

import pipeline
from pipeline.plan_file import load_plan
from pipeline.records import Concept, Name, Query, Translation, Wording
from pipeline.text import normalise
from qa_filters.judge import judge

SAMPLE = Path(pipeline.__file__).parent / "sample"
LANGUAGES = ("de", "es", "fr", "ja", "ru", "zh")
ALL_LANGUAGES = ("en", *LANGUAGES)
KINDS = (
    "copied_source",
    "number_changed",
    "truncated",
    "looped",
    "wrong_script",
    "wrong_language",
    "other_concept",
)
IDENTIFIER = re.compile(r"[A-Za-z0-9._-]+")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
LOOP = re.compile(r"(.{3,}?)\1{3,}")
LETTERS = {
    "de": r"[A-Za-zÄÖÜäöüß]",
    "es": r"[A-Za-zÁÉÍÓÚÑÜáéíóúñü]",
    "fr": r"[A-Za-zÀ-ÿŒœ]",
    "ja": r"[ぁ-んァ-ヴー一-鿿々]",
    "ru": r"[А-Яа-яЁё]",
    "zh": r"[一-鿿]",
}
TRADITIONAL = set("壓發體藥嗎醫療關節變頭傷過與對後應長類歲劑幾處腸臟續癥")


@dataclass(frozen=True)
class Asked:
    """A question as its file holds it."""

    task: str
    identifier: str
    text: str
    cuis: tuple[str, ...]
    relevant: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Curated:
    """One row of the translation memory."""

    source_language: str
    language: str
    source: str
    text: str
    back_translation: str
    engine: str
    model: str
    revision: str


def rows(path: Path) -> list[dict[str, str]]:
    header, *lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    columns = header.split("\t")
    return [dict(zip(columns, line.split("\t"), strict=True)) for line in lines]


def jsonl(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def concepts() -> dict[str, dict[str, tuple[str, ...]]]:
    return {
        row["cui"]: {language: tuple(row[language].split("|")) for language in ALL_LANGUAGES}
        for row in rows(SAMPLE / "authoring" / "concepts_evidence.tsv")
    }


@cache
def documents() -> dict[str, ElementTree.Element]:
    return {
        path.relative_to(SAMPLE).as_posix(): ElementTree.parse(path).getroot()
        for path in sorted((SAMPLE / "evidence" / "medquad").glob("*/*.xml"))
    }


@cache
def consumer_questions() -> tuple[Asked, ...]:
    return tuple(
        Asked(
            "qa",
            question.get("qid", ""),
            question.text or "",
            tuple(cui.text or "" for cui in document.iter("CUI")),
            ((question.get("qid", ""), 1),),
        )
        for document in documents().values()
        for question in document.iter("Question")
    )


@cache
def clinical_questions() -> tuple[Asked, ...]:
    folder = SAMPLE / "evidence" / "clinical"
    judged = defaultdict(list)
    for row in rows(folder / "qrels" / "test.tsv"):
        judged[row["query-id"]].append((row["corpus-id"], int(row["score"])))
    return tuple(
        Asked(
            "evidence",
            row["_id"],
            row["text"],
            tuple(row["metadata"]["cuis"]),
            tuple(judged[row["_id"]]),
        )
        for row in jsonl(folder / "queries.jsonl")
    )


def questions() -> tuple[Asked, ...]:
    return consumer_questions() + clinical_questions()


@cache
def good() -> tuple[Curated, ...]:
    return tuple(Curated(*row.values()) for row in rows(SAMPLE / "memory" / "curated.tsv"))


@cache
def faulty() -> tuple[Curated, ...]:
    return tuple(Curated(*row.values()) for row in rows(SAMPLE / "memory" / "faulty.tsv"))


def memory() -> tuple[Curated, ...]:
    return good() + faulty()


@cache
def planted() -> dict[tuple[str, str], str]:
    return {
        (row["text"], row["target_language"]): row["kind"]
        for row in rows(SAMPLE / "authoring" / "planted.tsv")
    }


def mentions(text: str, names: dict[str, str]) -> set[str]:
    """The concepts named in a text, longest name first, left to right."""
    words = normalise(text).split()
    found, start = set(), 0
    while start < len(words):
        for end in range(len(words), start, -1):
            cui = names.get(" ".join(words[start:end]))
            if cui:
                found.add(cui)
                start = end
                break
        else:
            start += 1
    return found


@cache
def english_names() -> dict[str, str]:
    return {normalise(name): cui for cui, names in concepts().items() for name in names["en"]}


def numbers(text: str) -> list[str]:
    return sorted(number.replace(",", ".") for number in NUMBER.findall(text))


def is_punctuated(text: str, language: str) -> bool:
    """Whether a question opens and closes as the language writes it."""
    closing = {"ja": "。", "zh": "？", "fr": " ?"}.get(language, "?")
    opening = ("¿" in text) == (language == "es")
    return opening and text.endswith(closing) and text.endswith(" ?") == (language == "fr")


def is_written_in(text: str, language: str) -> bool:
    """Whether most letters are the language's own, with kana in Japanese and none in Chinese."""
    letters = [letter for letter in text if letter.isalpha()]
    own = [letter for letter in letters if re.fullmatch(LETTERS[language], letter)]
    kana = bool(re.search("[ぁ-んァ-ヴ]", text))
    fitting = {"ja": kana, "zh": not kana}.get(language, True)
    return fitting and 2 * len(own) > len(letters)


def names_concept(row: Curated) -> bool:
    """Whether a concept of the source is named, perhaps inflected where the language inflects."""
    cuis = mentions(row.source, english_names())
    names = [name for cui in cuis for name in concepts()[cui][row.language]]
    needed = 100 if row.language in {"ja", "zh"} else 75
    return max(fuzz.partial_ratio(name.lower(), row.text.lower()) for name in names) >= needed


def faults(row: Curated) -> set[str]:
    """The kinds of error that simple rules see in a translation; some are of several kinds."""
    whole = is_punctuated(row.text, row.language)
    native = is_written_in(row.text, row.language)
    found = {
        "copied_source": row.text == row.source,
        "number_changed": numbers(row.text) != numbers(row.source),
        "truncated": not whole,
        "looped": bool(LOOP.search(row.text)),
        "wrong_script": not native,
        "wrong_language": not (whole and native),
        "other_concept": not names_concept(row),
    }
    return {kind for kind, is_found in found.items() if is_found}


def grams(text: str) -> frozenset[str]:
    letters = normalise(text).replace(" ", "")
    return frozenset(letters[i : i + 5] for i in range(max(1, len(letters) - 4)))


def word_count(text: str) -> int:
    return len(text.split())


def test_consumer_documents_have_the_form_of_medquad() -> None:
    for path, document in documents().items():
        cuis = [cui.text for cui in document.iter("CUI")]
        assert document.tag == "Document", path
        assert len(cuis) == 1, path
        assert document.findtext("Focus") == concepts()[str(cuis[0])]["en"][0], path
        pairs = document.findall("QAPairs/QAPair")
        assert 2 <= len(pairs) <= 4, path
        assert [pair.get("pid") for pair in pairs] == [str(n + 1) for n in range(len(pairs))]
        for pair in pairs:
            assert 25 <= word_count(pair.findtext("Answer") or "") <= 60, path


def test_consumer_half_is_large_enough() -> None:
    background = jsonl(SAMPLE / "evidence" / "background" / "corpus.jsonl")
    assert len(documents()) >= 45
    assert len(consumer_questions()) >= 120
    assert len(consumer_questions()) + len(background) >= 200


@pytest.mark.parametrize(
    ("folder", "shortest", "at_least"), [("clinical", 30, 220), ("background", 25, 50)]
)
def test_corpora_have_the_form_of_beir(folder: str, shortest: int, at_least: int) -> None:
    corpus = jsonl(SAMPLE / "evidence" / folder / "corpus.jsonl")
    assert len(corpus) >= at_least
    for row in corpus:
        assert row["title"].strip()
        assert shortest <= word_count(row["text"]) <= 60, row["_id"]
        assert set(row["metadata"]["cuis"]) <= set(concepts())


def test_clinical_questions_are_judged() -> None:
    corpus = jsonl(SAMPLE / "evidence" / "clinical" / "corpus.jsonl")
    about = {row["_id"]: row["metadata"]["cuis"][0] for row in corpus}
    assert len(clinical_questions()) >= 90
    for question in clinical_questions():
        relevant = dict(question.relevant)
        assert 1 <= len(relevant) <= 3, question
        assert set(relevant) <= set(about), question
        assert set(relevant.values()) <= {1, 2}, question
        assert 2 in relevant.values(), question
        topic = {identifier for identifier, cui in about.items() if cui in question.cuis}
        assert topic - set(relevant), f"{question.identifier}: nothing else on its topic"
    judged = {question.identifier for question in clinical_questions() if question.relevant}
    rows_of = rows(SAMPLE / "evidence" / "clinical" / "qrels" / "test.tsv")
    assert {row["query-id"] for row in rows_of} == judged


def test_relevance_is_graded() -> None:
    """Enough passages that answer in part, so that gain differs from hit or miss."""
    grades = Counter(grade for q in clinical_questions() for _, grade in q.relevant)
    assert grades[1] >= 20
    assert grades[2] == len(clinical_questions())


def test_identifiers_are_plain_and_unique() -> None:
    found = [question.identifier for question in questions()]
    for folder in ("clinical", "background"):
        found += [row["_id"] for row in jsonl(SAMPLE / "evidence" / folder / "corpus.jsonl")]
    found += [Path(path).stem for path in documents()]
    assert all(IDENTIFIER.fullmatch(identifier) for identifier in found)
    assert [identifier for identifier, n in Counter(found).items() if n > 1] == []


def test_texts_are_unique() -> None:
    answers = [a.text or "" for d in documents().values() for a in d.iter("Answer")]
    for folder in ("clinical", "background"):
        answers += [row["text"] for row in jsonl(SAMPLE / "evidence" / folder / "corpus.jsonl")]
    asked = [question.text for question in questions()]
    for texts in (answers, asked):
        counts = Counter(normalise(text) for text in texts)
        assert [text for text, n in counts.items() if n > 1] == []


def test_concepts_are_complete_and_no_name_stands_on_two() -> None:
    owners = defaultdict(set)
    table = rows(SAMPLE / "authoring" / "concepts_evidence.tsv")
    assert len(concepts()) == len(table) >= 80
    for row in table:
        assert re.fullmatch(r"C\d{7}", row["cui"])
        assert re.fullmatch(r"T\d{3}(\|T\d{3})*", row["tuis"]), row["cui"]
        assert all(row[column] for column in (*ALL_LANGUAGES, "definition")), row["cui"]
    for path in sorted((SAMPLE / "authoring").glob("concepts_*.tsv")):
        for row in rows(path):
            for name in "|".join(row[language] for language in ALL_LANGUAGES).split("|"):
                owners[normalise(name)].add((path.name, row["cui"]))
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


def test_every_concept_is_asked_about_in_one_half_only() -> None:
    halves = [
        {cui for question in half for cui in question.cuis}
        for half in (consumer_questions(), clinical_questions())
    ]
    assert halves[0] & halves[1] == set()
    assert halves[0] | halves[1] == set(concepts())


def test_questions_name_what_they_are_about_and_nothing_else() -> None:
    for question in questions():
        assert mentions(question.text, english_names()) == set(question.cuis), question


@pytest.mark.parametrize("language", ALL_LANGUAGES)
def test_halves_hold_no_near_duplicates(language: str) -> None:
    task = {question.text: question.task for question in questions()}
    texts: dict[str, list[frozenset[str]]] = {"qa": [], "evidence": []}
    if language == "en":
        for text in task:
            texts[task[text]].append(grams(text))
    for row in memory():
        if row.language == language:
            texts[task[row.source]].append(grams(row.text))
    pairs = [len(a & b) / len(a | b) for a, b in product(texts["qa"], texts["evidence"])]
    assert len(pairs) == len(consumer_questions()) * len(clinical_questions())
    assert max(pairs) < 0.7


def test_every_question_has_six_translations() -> None:
    keys = [(row.source, row.language) for row in memory()]
    assert Counter(keys) == Counter(product((q.text for q in questions()), LANGUAGES))
    for row in memory():
        assert row.source_language == "en"
        assert (row.engine, row.model, row.revision) == ("curated", "", "")
        assert row.text.strip() and row.back_translation.strip(), row


def test_good_translations_are_without_fault() -> None:
    assert {(row.source, row.language): faults(row) for row in good() if faults(row)} == {}


def test_good_translations_have_no_twin() -> None:
    counts = Counter((row.language, normalise(row.text)) for row in good())
    assert [text for text, n in counts.items() if n > 1] == []


def test_good_chinese_is_simplified() -> None:
    chinese = [row.text for row in good() if row.language == "zh"]
    assert [text for text in chinese if TRADITIONAL & set(text)] == []


def test_back_translations_are_close_but_seldom_the_source_itself() -> None:
    for row in good():
        assert fuzz.ratio(row.source, row.back_translation) >= 55, row
        assert numbers(row.source) == numbers(row.back_translation), row
    same = sum(row.source == row.back_translation for row in good())
    assert 0.2 < same / len(good()) < 0.5


def test_planted_errors_are_what_they_are_called() -> None:
    by_key = {(row.source, row.language): row for row in faulty()}
    assert set(planted()) == set(by_key)
    assert set(planted().values()) == set(KINDS)
    for key, kind in planted().items():
        assert kind in faults(by_key[key]), by_key[key]


@pytest.mark.parametrize("kind", KINDS)
def test_the_plan_refuses_every_planted_error(kind: str) -> None:
    plan = load_plan("sample")
    rows_of = [row for row in faulty() if planted()[row.source, row.language] == kind]
    accepted = [row for row in rows_of if judge(*as_judged(row), plan.filters).accepted]
    assert rows_of
    assert accepted == []


def as_judged(row: Curated) -> tuple[Query, Translation]:
    """The question with its concepts' names, as the build has it, and what was made of it."""
    cuis = sorted(mentions(row.source, english_names()))
    about = tuple(
        Concept(
            cui,
            tuple(
                Name(name, language, "S", "PT", f"A{cui}", 0, place == 0)
                for language, names in concepts()[cui].items()
                for place, name in enumerate(names)
            ),
            ("T047",),
        )
        for cui in cuis
    )
    original = Wording(row.source, "en", (), 0)
    query = Query("qa-1", "qa", "", "s", "t", "source", original, (), about, (), "Apache-2.0")
    made = Translation(row.text, row.language, "mt", row.engine, "", "", row.back_translation)
    return query, made


def test_readme_states_what_is_planted() -> None:
    readme = (SAMPLE / "memory" / "README.md").read_text(encoding="utf-8")
    stated = {
        kind: int(count) for kind, count in re.findall(r"^\| (\w+) \| (\d+) \|", readme, re.M)
    }
    assert stated == {**Counter(planted().values()), "all": len(planted())}
    assert f"the other {len(planted())} of" in readme
    assert f"({len(planted()) / len(memory()):.1%})" in readme
    assert f"{len(good()):,} rows" in readme
    assert f"of the {len(memory()):,} (" in readme
    assert 0.11 <= len(planted()) / len(memory()) <= 0.13


def test_enough_stays_good() -> None:
    spoilt = {text for text, _ in planted()}
    assert len(spoilt) <= len(questions()) / 4
    task = {question.text: question.task for question in questions()}
    counts = Counter((task[row.source], row.language) for row in good())
    for language in LANGUAGES:
        assert counts["qa", language] >= 75
        assert counts["evidence", language] >= 55


def test_enough_questions_hold_numbers() -> None:
    named = [name for names in concepts().values() for name in names["en"] if NUMBER.search(name)]
    bare = [re.sub("|".join(map(re.escape, named)), "", q.text, flags=re.I) for q in questions()]
    assert sum(bool(NUMBER.search(text)) for text in bare) >= 20
