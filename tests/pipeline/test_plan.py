import copy
import dataclasses
import pickle
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.evidence.beir import Beir
from pipeline.plan import Plan, Task
from pipeline.plan_file import apply_change, bundled_plans, load_plan, parse_plan
from pipeline.settings import PlanError
from qa_filters.round_trip import RoundTrip
from translation.engines import MemoryOnly
from umls_tools.confusion.tiers import Hard

SMALL = """
name = "small"
version = "1.0.0"
seed = 7
profile = "open"
languages = ["en", "de"]

[umls]
meta = "META"
release = "2025AB"

[[evidence]]
name = "questions"
reader = "medquad"
path = "../medquad"
tasks = ["qa"]

[[evidence]]
reader = "beir"
path = "gs://bucket/beir"
tasks = ["evidence"]
licence = "CC-BY-4.0"

[tasks.qa]
quota = 10

[tasks.evidence]
quota = 5
factor = 3

[tiers.hard]
quota = 4
cap = 50
language_quotas = { de = 2 }

[translation]
memory = ["memory.tsv"]

[filters.round_trip]
"""


def tables() -> dict[str, Any]:
    return tomllib.loads(SMALL)


def parse(values: dict[str, Any]) -> Plan:
    return parse_plan(values, Path("/plans/own"), SMALL)


def changed(*changes: str) -> Plan:
    values = tables()
    for change in changes:
        apply_change(values, change)
    return parse(values)


def test_a_plan_is_read_whole() -> None:
    plan = parse(tables())
    assert (plan.name, plan.title, plan.languages) == ("small", "small", ("en", "de"))
    assert [source.name for source in plan.evidence] == ["questions", "beir"]
    assert plan.evidence[1].reader == Beir(licence="CC-BY-4.0")
    assert plan.tiers["hard"].rule == Hard(cap=50)
    assert plan.quotas == {
        ("qa", ""): Task(10),
        ("evidence", ""): Task(5, 3.0),
        ("concepts", "hard"): Task(4, 2.0, {"de": 2}),
    }
    assert plan.translation.engine == MemoryOnly()
    assert plan.filters == {"round_trip": RoundTrip()}
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_paths_start_at_the_plan() -> None:
    plan = parse(tables())
    assert plan.umls.meta == "/plans/own/META"
    assert [source.path for source in plan.evidence] == ["/plans/medquad", "gs://bucket/beir"]
    assert plan.translation.memory == ("/plans/own/memory.tsv",)
    assert changed("umls.meta=/elsewhere").umls.meta == "/elsewhere"


OTHER = {
    int: lambda value: value + 1,
    float: lambda value: value * 0.9,
    bool: lambda value: not value,
}
TABLES = ("umls", "passages", "grounding", "concepts", "translation", "overlap")
# Numbers and switches of every table, and the words that have but a few values.
KEYS = [
    (table, field.name)
    for table in TABLES
    for field in dataclasses.fields(getattr(load_plan("umls"), table))
    if type(getattr(getattr(load_plan("umls"), table), field.name)) in OTHER
]


@pytest.mark.parametrize(("table", "key"), KEYS)
def test_no_key_of_a_table_is_lost_on_the_way(table: str, key: str) -> None:
    before = getattr(getattr(load_plan("umls"), table), key)
    value = OTHER[type(before)](before)
    after = load_plan("umls", [f"{table}.{key}={str(value).lower()}"])
    assert getattr(getattr(after, table), key) == value


def test_bad_rows_are_met_as_the_plan_says() -> None:
    assert changed("umls.on_bad_rows=reject").umls.on_bad_rows == "reject"


@pytest.mark.parametrize("name", sorted(bundled_plans()))
def test_bundled_plans_load(name: str) -> None:
    plan = load_plan(name)
    assert plan.name == name
    assert set(plan.quotas) == {
        ("qa", ""),
        ("evidence", ""),
        ("concepts", "easy"),
        ("concepts", "medium"),
        ("concepts", "hard"),
    }


def test_the_sample_is_there() -> None:
    plan = load_plan("sample")
    assert Path(plan.umls.meta).is_dir()
    assert all(Path(source.path).exists() for source in plan.evidence)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ("seed=8", lambda plan: plan.seed == 8),
        ("name=other", lambda plan: plan.name == "other"),
        ('name="other"', lambda plan: plan.name == "other"),
        ("tasks.qa.quota=11", lambda plan: plan.tasks["qa"].quota == 11),
        ('languages=["en"]', lambda plan: plan.languages == ("en",)),
        ("languages.1=fr", lambda plan: plan.languages == ("en", "fr")),
        ("evidence.1.path=/x=y", lambda plan: plan.evidence[1].path == "/x=y"),
        ("concepts.golds=9", lambda plan: plan.concepts.golds == 9),
        ("filters.round_trip.min_chrf=50", lambda plan: plan.filters["round_trip"].min_chrf == 50),
    ],
)
def test_the_command_line_changes_a_plan(change: str, where: Callable[[Plan], bool]) -> None:
    values = ["tiers.hard.language_quotas={}", change]
    assert not where(changed())
    assert where(changed(*values))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("seed", "--set seed: expected key=value"),
        ("seed.x=1", "--set seed.x=1: seed is no table"),
        ("name.x.y=1", "--set name.x.y=1: name is no table"),
        ("evidence.x.path=1", "'x' is no place in a list of 2"),
        ("evidence.2.path=1", "'2' is no place in a list of 2"),
        ("evidence.-1.path=1", "'-1' is no place in a list of 2"),
        ("languages.7=fr", "'7' is no place in a list of 2"),
        ("=1", "plan: unknown key ''"),
        ("sede=1", "plan: unknown key 'sede'; did you mean 'seed'?"),
        ("text=x", "plan: unknown key 'text'"),
        ("umls.mta=x", "umls: unknown key 'mta'; did you mean 'meta'?"),
        ("umls=3", "umls: expected a table"),
        ("tasks=3", "tasks: expected a table"),
        ("tasks.qa=3", "tasks.qa: expected a table"),
        ("tasks.qa.quota=-1", "tasks.qa: quota: -1 is not allowed, expected 0 or more"),
        ("tasks.qa.quota=1.5", "tasks.qa.quota: 1.5 is float, expected int"),
        ("tasks.qa.quota=true", "tasks.qa.quota: True is bool, expected int"),
        ("tasks.qa.factor=-1.0", "tasks.qa: factor: -1.0 is not allowed"),
        ("tasks.qa.factor=0.5", "tasks.qa: factor: 0.5 is not allowed, expected 1 or more"),
        ("tasks.qa.factor=nan", "tasks.qa: factor: nan is not allowed"),
        ("tasks.qa.factor=inf", "tasks.qa: factor: inf is not allowed"),
        ("tasks.qa.factor=1e308", "tasks.qa: factor: 1e+308 is not allowed, expected 1000 or"),
        ("tasks.qa.language_shares={xx=0.5}", "qa: language_shares: 'xx' is none of the plan's"),
        ("tasks.qa.group_shares={DISO=0.6, CHEM=0.5}", "qa: group_shares: add up to 1.1, exp"),
        ("tasks.qa.group_shares={DISO=-0.1}", "tasks.qa: group_shares.DISO: -0.1 is not allowed"),
        ("tasks.qa.group_shares={DIS=0.1}", "group_shares: unknown 'DIS'; did you mean 'DISO'?"),
        ("tasks.quiz.quota=1", "tasks: unknown task 'quiz'; known: evidence, qa"),
        ("tasks.concepts.quota=1", "tasks: unknown task 'concepts'; known: evidence, qa"),
        ("tiers.hard=3", "tiers.hard: expected a table"),
        ("tiers.hrd.quota=1", "tiers.hrd: unknown name 'hrd'; did you mean 'hard'? known: easy,"),
        ("tiers.hard.kap=1", "tiers.hard: unknown key 'kap'"),
        ("tiers.easy.cap=1", "tiers.easy: 'quota' is missing"),
        ("tiers.hard.quota=-2", "tiers.hard: quota: -2"),
        ("tiers.hard.language_quotas.de=-1", "tiers.hard: language_quotas.de: -1"),
        ("tiers.hard.language_quotas.fr=1", "concepts-hard: language_quotas: 'fr' is none of"),
        ("tasks.qa.language_quotas.de=x", "tasks.qa.language_quotas.de: 'x' is str"),
        ("evidence=3", "evidence: expected tables, each under [[evidence]]"),
        ("evidence.0=3", "evidence: expected tables, each under [[evidence]]"),
        ("evidence.0.reader=medqad", "evidence[0]: unknown name 'medqad'; did you mean 'medquad'?"),
        ("evidence.0.reader=3", "evidence[0]: 3 is no name; known: beir,"),
        ("evidence.0.path=3", "evidence[0].path: 3 is int, expected str"),
        ("evidence.0.tasks=qa", "evidence[0].tasks: 'qa' is str, expected tuple"),
        ('evidence.0.tasks=["qo"]', "evidence[0]: unknown task 'qo'; known: evidence, qa"),
        ("evidence.0.tasks=[]", "evidence[0]: tasks: expected at least one, and each once"),
        ('evidence.0.tasks=["qa", "qa"]', "evidence[0]: tasks: expected at least one, and each"),
        ('evidence.0.tasks=["concepts"]', "evidence[0]: unknown task 'concepts'; known: evidence"),
        ("evidence.0.colour=red", "evidence[0]: unknown key 'colour'; known: licence"),
        ("evidence.1.name=questions", "evidence: two sources are named 'questions'"),
        ('evidence.0.tasks=["evidence"]', "tasks.qa: no [[evidence]] names 'qa'"),
        ("languages=en", "plan.languages: 'en' is str, expected tuple"),
        ('languages=["en", "xx"]', "languages: unknown 'xx'; known: de, en, es, fr, ja, ru, zh"),
        ('languages=["de"]', "languages: expected each once, 'en'"),
        ('languages=["en", "de", "en"]', "languages: expected each once, 'en'"),
        ("languages=[]", "languages: expected each once, 'en'"),
        ("profile=closed", "profile: unknown name 'closed'; known: ids, local, open"),
        ("umls.max_srl=1", "umls.max_srl: 1 lets text in"),
        ("umls.max_srl=-1", "umls: max_srl: -1 is not allowed"),
        ("umls.buckets=0", "umls: buckets: 0 is not allowed, expected 1 or more"),
        ("grounding.max_document_share=2", "grounding: max_document_share: 2.0 is not allowed"),
        ("grounding.min_documents=-1", "grounding: min_documents: -1"),
        ("grounding.max_equal_answers=0", "grounding: max_equal_answers: 0 is not allowed"),
        ("grounding.max_word_share=-1", "grounding: max_word_share: -1.0 is not allowed"),
        ("grounding.paraphrase=definitions", "grounding: paraphrase: unknown 'definitions'; did"),
        ("evidence.1.corpus_size=-1", "evidence[1]: corpus_size: -1 is not allowed"),
        ("evidence.1.corpus_size=9", "tasks.evidence: no [[evidence]] names 'evidence' among"),
        ("tasks.qa.quota=0", "tasks.qa: no query is asked for; give the task qa a quota"),
        ("tasks.evidence.quota=0", "tasks.evidence: no query is asked for; give the task evidence"),
        ("tiers.hard.quota=0", "tiers: no query is asked for; give the task concepts a quota"),
        (
            "evidence.1.licence=LicenseRef-BioASQ",
            "evidence beir: its licence, LicenseRef-BioASQ, forbids to pass it on",
        ),
        ("concepts.distractors=0", "concepts: distractors: 0 is not allowed, expected 1 or more"),
        ("concepts.golds=-1", "concepts: golds: -1"),
        ('concepts.groups=["DISEASE"]', "concepts: groups: unknown 'DISEASE'; "),
        ("output=gs://bucket/releases", "output: 'gs://bucket/releases' is no local folder"),
        ("output=", "output: '' is no local folder"),
        ("overlap.jaccard=0", "overlap: jaccard: 0 would"),
        ("overlap.jaccard=0.8", "overlap: jaccard: the certificate finds near duplicates from 0.7"),
        ("overlap.jaccard=1.1", "overlap: jaccard: 1.1 is not allowed"),
        ("overlap.jaccard=-0.1", "overlap: jaccard: -0.1 is not allowed"),
        ("overlap.class_size=0", "overlap: class_size: 0 is not allowed, expected 1 or more"),
        ("overlap.jaccard=nan", "overlap: jaccard: nan is not allowed"),
        ("tiers.hard.cap=-1", "tiers.hard: cap: -1 is not allowed, expected 1 or more"),
        ("tiers.hard.cap=0", "tiers.hard: cap: 0 is not allowed, expected 1 or more"),
        ("filters.round_trip.min_chrf=nan", "filters.round_trip: min_chrf: nan is not allowed"),
        ("filters.round_trip.min_chrf=inf", "filters.round_trip: min_chrf: inf is not allowed"),
        ("evidence.0.licence=' '", "licence: blank; name the licence of the source"),
        ("version='１.0.0'", "version: '１.0.0': expected a semantic version"),
        ("overlap.external.x.files=[]", "overlap.external.x: files: expected at least one"),
        ("overlap.external.x.column='q'", "overlap.external.x: 'files' is missing"),
        ("overlap.external={'a b'={files=['x.txt']}}", "overlap: external: 'a b': expected"),
        (
            "overlap.external.x={files=['x.txt'], found='flg'}",
            "overlap.external.x: found: unknown 'flg'; did you mean 'flag'? known: drop, flag",
        ),
        ("translation.engine=nlbl", "translation.engine: unknown name 'nlbl'; did you mean 'nllb'"),
        ("translation.engine=3", "translation.engine: 3 is no name; known: memory, nllb"),
        ("translation.mnemory.x=1", "translation: unknown name 'mnemory'; did you mean 'memory'?"),
        ("translation.nllb.beems=1", "translation.nllb: unknown key 'beems'"),
        ("translation.memory=x", "translation.memory: 'x' is str"),
        ("filters.rond_trip.min_chrf=1", "filters.rond_trip: unknown name 'rond_trip'"),
        ("filters.round_trip.min=1", "filters.round_trip: unknown key 'min'"),
        ("filters.round_trip=1", "filters.round_trip: expected a table"),
        ("name=../up", "name: '../up': expected letters, digits"),
        ("name=", "name: '': expected letters"),
        ("version=v1", "version: 'v1': expected a semantic version"),
        ("version=1", "plan.version: 1 is int, expected str"),
        ("seed=9223372036854775808", "seed: 9223372036854775808 is beyond 64 bits"),
    ],
)
def test_every_mistake_is_named(change: str, message: str) -> None:
    with pytest.raises(PlanError, match=re.escape(message)):
        changed(change)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("seed", "plan: 'seed' is missing"),
        ("languages", "plan: 'languages' is missing"),
        ("name", "plan: 'name' is missing"),
        ("umls", "umls: 'meta' is missing"),
        ("tasks", "evidence: tasks name 'evidence', for which no [tasks.evidence] sets a quota"),
        ("evidence", "tasks.evidence: no [[evidence]] names 'evidence' among its tasks"),
    ],
)
def test_what_is_missing_is_named(key: str, message: str) -> None:
    values = tables()
    del values[key]
    with pytest.raises(PlanError, match=re.escape(message)):
        parse(values)


@pytest.mark.parametrize("key", ["reader", "path", "tasks"])
def test_a_source_needs_reader_path_and_tasks(key: str) -> None:
    values = tables()
    del values["evidence"][1][key]
    with pytest.raises(PlanError, match=re.escape(f"evidence[1]: '{key}' is missing")):
        parse(values)


def test_two_sources_of_one_reader_need_names() -> None:
    values = tables()
    values["evidence"].append(copy.deepcopy(values["evidence"][1]))
    with pytest.raises(PlanError, match="two sources are named 'beir'; give each a name"):
        parse(values)
    values["evidence"][2]["name"] = "more"
    assert [source.name for source in parse(values).evidence] == ["questions", "beir", "more"]


def test_bioasq_is_for_local_use() -> None:
    """By the reader's own licence, without a word of the plan on it."""
    values = tables()
    values["evidence"][1] |= {"reader": "bioasq", "name": "experts"}
    del values["evidence"][1]["licence"]
    with pytest.raises(PlanError, match="evidence experts: its licence, LicenseRef-BioASQ"):
        parse(values)
    assert parse(values | {"profile": "local"}).evidence[1].name == "experts"


def test_one_tier_with_a_quota_is_enough() -> None:
    values = tables()
    values["tiers"]["easy"] = {"quota": 0}
    assert parse(values).quotas["concepts", "easy"] == Task(0)


def test_a_plan_without_tiers_has_no_concepts() -> None:
    values = tables()
    del values["tiers"]
    with pytest.raises(PlanError, match="tiers: no query is asked for"):
        parse(values)


def test_profiles_that_show_no_restricted_text_to_others_may_see_all_levels() -> None:
    assert changed("profile=local", "umls.max_srl=9").umls.max_srl == 9
    assert changed("profile=ids", "umls.max_srl=9").umls.max_srl == 9


def test_a_file_is_read_with_its_changes(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(SMALL, "utf-8")
    plan = load_plan(str(path), ["seed=9"])
    assert plan.seed == 9
    assert plan.text == SMALL + "\n# --set seed=9"
    assert plan.umls.meta == str(tmp_path / "META")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"name = ", "own.toml: not valid TOML"),
        (b'name = "\xff"', "own.toml: not valid TOML"),
        (None, "own.toml: no such plan file; bundled: paper, sample, umls"),
    ],
)
def test_a_file_that_is_no_plan(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "own.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PlanError, match=re.escape(message)):
        load_plan(str(path))


def test_distractors_agree_on_the_size_of_a_corpus() -> None:
    values = tables()
    values["evidence"][0]["tasks"] = ["qa", "evidence"]
    values["evidence"][1]["corpus_size"] = 500
    values["evidence"].append(values["evidence"][1] | {"name": "more"})
    assert parse(values).corpus_sizes == {"evidence": 500}
    values["evidence"][2]["corpus_size"] = 400
    with pytest.raises(PlanError, match="evidence: beir, more: fill the corpus of 'evidence' to"):
        parse(values)
