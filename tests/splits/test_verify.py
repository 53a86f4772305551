"""Releases that were doctored, most of them so that every hash is right again."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from audited_release import (
    SHARD,
    doctored,
    query,
    seal,
    small_release,
    write,
    write_manifest,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.release.manifest import manifest_hash as written_hash
from pipeline.schemas import SCHEMAS, SORT_KEYS
from splits.audit import manifest_hash, verify
from splits.audit.files import REQUIRED
from splits.audit.tables import KINDS

Spoil = Callable[[Path], None]
Change = Callable[[dict[str, Any]], None]
QA = "data/qa/queries/en"
NAMES = "data/concepts/corpus"
SET = "data/concepts/queries/hard/de"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tables = small_release()
    tables["data/qa/queries/en"].append(query("qa-2", "Is rest good for sprains?", "C0000005"))
    tables["data/qa/qrels/en"].append({"query-id": "qa-2", "corpus-id": "p1", "score": 1})
    return seal(write(tmp_path_factory.mktemp("whole"), tables), tables)


@pytest.fixture
def release(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "release"))


def test_the_whole_release_is_without_fault(whole: Path) -> None:
    assert verify(whole) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_audit_knows_the_tables_that_are_written(kind: str) -> None:
    """It has its own list of columns, which must say the same as the writer's."""
    assert SCHEMAS.keys() == KINDS.keys()
    assert SORT_KEYS[kind] == KINDS[kind].keys
    written = {field.name: str(field.type).replace(" not null", "") for field in SCHEMAS[kind]}
    assert {name: str(of) for name, of in KINDS[kind].columns.items()} == written


def on(path: str, change: Callable[[pa.Table], pa.Table]) -> Spoil:
    """Change one table of a release."""

    def spoil(root: Path) -> None:
        pq.write_table(change(pq.read_table(root / path, partitioning=None)), root / path)

    return spoil


def put(column: str, value: Any, kind: pa.DataType | None = None) -> Callable[..., pa.Table]:  # noqa: ANN401
    """Put a value into every row of a column."""

    def change(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index(column)
        of = kind or table.schema.field(column).type
        values = pa.array([value] * table.num_rows, of)
        return table.set_column(place, pa.field(column, of), values)

    return change


def swap(one: str, other: str) -> Spoil:
    def spoil(root: Path) -> None:
        (root / one).rename(root / "kept")
        (root / other).rename(root / one)
        (root / "kept").rename(root / other)

    return spoil


def lose(*names: str) -> Spoil:
    def spoil(root: Path) -> None:
        for name in names:
            (shutil.rmtree if (root / name).is_dir() else Path.unlink)(root / name)

    return spoil


def rename(one: str, other: str) -> Spoil:
    def spoil(root: Path) -> None:
        (root / other).parent.mkdir(parents=True, exist_ok=True)
        (root / one).rename(root / other)

    return spoil


def reverse(table: pa.Table) -> pa.Table:
    return table.take(list(range(table.num_rows))[::-1])


def cast(column: str, kind: pa.DataType) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index(column)
        return table.set_column(place, column, pc.cast(table.column(column), kind))

    return change


VERDICTS = "quality/verdicts/de.parquet"
TABLES: list[tuple[Spoil, str]] = [
    (swap(f"{QA}/{SHARD}", f"data/qa/queries/de/{SHARD}"), f"{QA}: {SHARD} has rows of the langua"),
    (on(f"{QA}/{SHARD}", reverse), f"{QA}: not sorted by _id from row 0, qa-2; "),
    (
        on(f"data/qa/qrels/en/{SHARD}", reverse),
        "data/qa/qrels/en: not sorted by query-id, corpus-i",
    ),
    (on(f"{QA}/{SHARD}", lambda t: t.drop_columns(["sabs"])), f"{QA}/{SHARD}: no column sabs; "),
    (
        on(f"{QA}/{SHARD}", cast("max_srl", pa.int64())),
        f"{QA}/{SHARD}: column max_srl is int64, exp",
    ),
    (
        on(f"{QA}/{SHARD}", cast("text", pa.large_string())),
        f"{QA}/{SHARD}: column text is large_str",
    ),
    (
        on(f"{QA}/{SHARD}", put("cuis", "C1", pa.string())),
        f"{QA}/{SHARD}: column cuis is string, ex",
    ),
    (
        on(f"{QA}/{SHARD}", put("engine", None, pa.string())),
        f"{QA}/{SHARD}: null in column engine; ",
    ),
    (
        on(f"{QA}/{SHARD}", put("cuis", [None], pa.list_(pa.string()))),
        f"{QA}/{SHARD}: null in column cuis; ",
    ),
    (
        on(f"{QA}/{SHARD}", lambda t: t.append_column("note", t.column("text"))),
        f"{QA}/{SHARD}: column note is none of the contract's; ",
    ),
    (on(VERDICTS, lambda t: t.drop_columns(["task"])), f"{VERDICTS}: no column task; "),
    (rename(f"{QA}/{SHARD}", f"{QA}/more.parquet"), f"{QA}/more.parquet: no table of the contract"),
    (
        rename(f"{QA}/{SHARD}", f"{QA}/test-00000-of-00002.parquet"),
        f"{QA}: shards test-00000-of-00002.parquet are not a whole",
    ),
    (
        rename(f"{QA}/{SHARD}", f"data/qa/asked/en/{SHARD}"),
        f"data/qa/asked/en/{SHARD}: no table of",
    ),
    (rename(QA, "data/qa/queries/fr"), "data/qa/queries/fr: none of the subsets of manifest.json"),
    (
        lose(QA, "data/qa/qrels/en"),
        "qa-en: not there, and manifest.json does not list it as absent",
    ),
    (lose("data/qa/qrels/en"), "data/qa/qrels/en: missing, while the subset qa-en is there"),
    (lose("data/concepts/top_ranked/hard/de"), "data/concepts/top_ranked/hard/de: missing, while"),
    (lose("data/evidence/corpus"), "data/evidence/corpus: missing; "),
    (
        rename(f"{SET}/{SHARD}", f"data/concepts/queries/easy/de/{SHARD}"),
        "manifest.json: concepts-easy-de is told to be absent, but data/concepts/queries/easy/de",
    ),
    *((lose(name), f"{name}: missing; every release has one") for name in REQUIRED[:-3]),
    (lose("quality/report.html"), "quality/report.html: missing; every release has one"),
    (lose("scorer.pyz"), "scorer.pyz: missing; every release has one"),
    (lose(VERDICTS), f"{VERDICTS}: missing; "),
    (on(VERDICTS, put("text", "Warum?")), f"{VERDICTS} concepts-1 of tier hard: not released as"),
    (on(VERDICTS, put("origin", "umls")), f"{VERDICTS} qa-1: not released as it was judged"),
    (on(VERDICTS, put("released", False)), f"{VERDICTS} qa-1: not released as it was judged"),
    (on(VERDICTS, put("accepted", False)), f"{VERDICTS} qa-1: released, though copy refuses it"),
    (
        on(VERDICTS, lambda t: t.set_column(0, "query-id", [["concepts-1", "evidence-1", "qa-9"]])),
        f"{VERDICTS} qa-9: not released as it was judged",
    ),
    (
        lose("quality/rejects.parquet"),
        "quality/rejects.parquet: 0 of judge: copy, manifest.json counts 1; ",
    ),
    (
        on("quality/rejects.parquet", put("reason", "length")),
        "quality/rejects.parquet: 1 of judge: length, manifest.json counts 0; ",
    ),
]
LEVELS: list[tuple[Spoil, str]] = [
    (
        on(f"{SET}/{SHARD}", put("max_srl", 3)),
        f"{SET}/{SHARD} concepts-1: restriction level 3; the profile and plan allow 0: do not pass",
    ),
    (
        on(f"{QA}/{SHARD}", put("max_srl", 1)),
        f"{QA}/{SHARD} qa-1: restriction level 1; the profile and plan allow 0",
    ),
    (
        on(f"{SET}/{SHARD}", put("sabs", ["MDRGER"])),
        f"{SET}/{SHARD} concepts-1: source MDRGER is not among the sources of manifest.json",
    ),
    (
        on(f"{SET}/{SHARD}", put("sabs", [])),
        f"{SET}/{SHARD} concepts-1: a text of the UMLS without a source",
    ),
    (
        on(f"{NAMES}/{SHARD}", put("licence", "UMLS SRL 3")),
        f"{NAMES}/{SHARD} concept-C0000003: restriction level 3; the profile and plan allow 0",
    ),
    (
        on(f"{NAMES}/{SHARD}", put("licence", "UMLS SRL 3")),
        f"{SET}/{SHARD} concepts-1: restriction level 0, but a name shown has 3",
    ),
    (
        on(f"{NAMES}/{SHARD}", put("licence", "CC0-1.0")),
        f"{NAMES}/{SHARD} concept-C0000003: licence 'CC0-1.0' is no restriction level",
    ),
    (
        on(f"{NAMES}/{SHARD}", put("source", "MDR")),
        f"{NAMES}/{SHARD} concept-C0000003: source MDR is not among the sources",
    ),
]


@pytest.mark.parametrize(("spoil", "message"), [*TABLES, *LEVELS])
def test_files_that_were_doctored_with_every_hash_made_right(
    spoil: Spoil, message: str, release: Path
) -> None:
    faults = verify(doctored(release, spoil))
    assert any(fault.startswith(message) for fault in faults), faults


def changed(release: Path, change: Change) -> list[str]:
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    change(manifest)
    write_manifest(release, manifest)
    return verify(release)


def say(key: str, value: object) -> Change:
    return lambda manifest: manifest.update({key: value})


def plan(old: str, new: str) -> Change:
    return lambda manifest: manifest.update(plan=manifest["plan"].replace(old, new))


def listing(**more: object) -> Change:
    return lambda manifest: manifest["files"][0].update(more)


FIELDS: list[tuple[Change, str]] = [
    *((lambda m, key=key: m.pop(key), f"{key}: missing") for key in ("plan", "seed", "absent")),
    *((lambda m, key=key: m.pop(key), f"{key}: missing") for key in ("files", "sources", "counts")),
    (say("name", "a/b"), "name: 'a/b' is not a name of letters"),
    (say("name", "other"), "name: 'other', but its plan says 'small'"),
    (say("version", "1.0"), "version: '1.0' is not a semantic version"),
    (say("version", "1.0.1"), "version: '1.0.1', but its plan says '1.0.0'"),
    (say("profile", "public"), "profile: 'public' is not one of ids, local, open"),
    (say("profile", "local"), "profile: 'local', but its plan says 'open'"),
    (say("seed", True), "seed: True is not a whole number"),
    (say("seed", 8), "seed: 8, but its plan says 7"),
    (say("languages", "en"), "languages: 'en' is not a list"),
    (say("languages", ["de"]), "languages: ['de'] are not each once, with 'en' among them"),
    (say("languages", ["en", "xx"]), "languages.1: 'xx' is not one of en, de"),
    (say("languages", ["en"]), "languages: ['en'], but its plan says ['en', 'de']"),
    (say("umls_release", "2024AA"), "umls_release: '2024AA', but its plan says '2025AB'"),
    (say("plan", "name ="), "plan: not the TOML of a plan"),
    (plan("seed = 7", "seed = 9"), "seed: 7, but its plan says 9"),
    (plan("# --set", "#"), "languages: ['en', 'de'], but its plan says ['en']"),
    (plan("# --set languages", "# --set name.x"), "plan: not the TOML of a plan"),
    (say("sources", {"MSH": "0"}), "sources.MSH: '0' is not a whole number"),
    (say("sources", {"MSH": 3}), "sources names MSH of level 3; the profile and plan allow 0"),
    (say("files", {}), "files: {} is not a list"),
    (say("files", [7]), "files.0: 7 is not an object"),
    (listing(rows="1"), "files.0.rows: '1' is not a whole number"),
    (listing(sha256="x"), "files.0.sha256: 'x' is not a SHA-256"),
    (listing(path="../x"), "lists '../x', which is no path within the release"),
    (listing(path="/etc/passwd"), "lists '/etc/passwd', which is no path within"),
    (listing(path="\ud800"), "files.0.path: '\\ud800' is not a string"),
    (listing(path="LICENSE.md" * 99), f"{'LICENSE.md' * 99}: listed in manifest.json, but not"),
    (lambda m: m["files"].append(m["files"][0]), "lists LICENSE.md 2 times"),
    (say("absent", {"qa-en": 1}), "absent.qa-en: 1 is not a string"),
    (say("absent", {"qa-xx": ""}), "absent names 'qa-xx', which is no subset of its languages"),
    (say("counts", {"judge": {"in": 1}}), "counts.judge.out: missing"),
    (lambda m: m["counts"]["judge"]["rejected"].update(copy=2), "copy, manifest.json counts 2"),
    (lambda m: m["counts"]["write"].update(out=1), "counts.write.out: manifest.json lists"),
    (say("build_hash", "0" * 64), "build_hash is not that of the files it lists"),
]


@pytest.mark.parametrize(("change", "message"), FIELDS)
def test_a_manifest_that_was_doctored_with_its_hash_made_right(
    change: Change, message: str, release: Path
) -> None:
    faults = changed(release, change)
    assert any(message in fault for fault in faults), faults


@pytest.mark.parametrize("key", ["title", "counts", "software", "inputs", "plan", "shortfall"])
def test_what_nothing_else_repeats_is_under_the_manifest_s_own_hash(
    key: str, release: Path
) -> None:
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    changes = {"title": "Other", "plan": manifest["plan"] + "\n", "shortfall": {"qa": 1}}
    manifest[key] = changes.get(key, [] if key == "inputs" else {})
    (release / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    faults = verify(release)
    assert any(one.startswith("manifest.json: manifest_hash is not that") for one in faults), faults


def test_both_sides_make_the_same_hash_of_a_manifest() -> None:
    manifest = {"b": "ä糖", "a": [1, {"z": None, "y": 0.5}]}
    assert manifest_hash(manifest) == written_hash(manifest)
    assert manifest_hash({**manifest, "manifest_hash": "x"}) == written_hash(manifest)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "manifest.json: not JSON in UTF-8"),
        (b"\xff\xfe{}", "manifest.json: not JSON in UTF-8"),
        (b"[]", "manifest.json: not a JSON object"),
        (b"[" * 100_000, "manifest.json: not JSON in UTF-8"),
        (b"{}", "manifest.json: name: missing"),
    ],
)
def test_a_manifest_that_says_nothing_hides_nothing(
    content: bytes, message: str, release: Path
) -> None:
    on(f"{QA}/{SHARD}", put("max_srl", 3))(release)
    (release / "manifest.json").write_bytes(content)
    faults = verify(release)
    assert any(fault.startswith(message) for fault in faults), faults
    assert any("restriction level 3" in fault for fault in faults), faults


def test_a_table_that_cannot_be_read_hides_no_other_fault(release: Path) -> None:
    def spoil(root: Path) -> None:
        (root / QA / SHARD).write_bytes(b"PAR1")
        on("data/evidence/corpus/" + SHARD, put("text", " "))(root)
        on(f"{SET}/{SHARD}", put("max_srl", 9))(root)

    spoil(release)
    faults = verify(release)
    for message in (
        f"{QA}/{SHARD}: not a readable Parquet file",
        f"data/evidence/corpus/{SHARD} p2: blank text",
        f"{SET}/{SHARD} concepts-1: restriction level 9",
        "overlap.json: cannot be recomputed from the tables named above",
    ):
        assert any(fault.startswith(message) for fault in faults), (message, faults)


def test_a_local_release_may_hold_what_its_plan_allows(release: Path) -> None:
    def spoil(root: Path) -> None:
        on(f"{SET}/{SHARD}", put("max_srl", 3))(root)

    doctored(release, spoil)

    def localise(manifest: dict[str, Any]) -> None:
        text = manifest["plan"].replace('"open"', '"local"')
        text = text.replace("[umls]", "[umls]\nmax_srl = 2")
        manifest |= {"profile": "local", "plan": text + "\n# --set umls.max_srl=3"}

    assert changed(release, localise) == []

    def lower(manifest: dict[str, Any]) -> None:
        manifest["plan"] = manifest["plan"].removesuffix("\n# --set umls.max_srl=3")

    assert any("the profile and plan allow 2" in fault for fault in changed(release, lower))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_manifest_makes_it_stumble(whole: Path, data: st.DataObject) -> None:
    """Any value anywhere gives faults, never an error."""
    manifest = json.loads((whole / "manifest.json").read_text("utf-8"))
    place: Any = manifest
    while True:
        key = data.draw(
            st.sampled_from(list(place) if isinstance(place, dict) else range(len(place)))
        )
        below = place[key]
        if not isinstance(below, (dict, list)) or not below or data.draw(st.booleans()):
            break
        place = below
    before, place[key] = place[key], data.draw(JUNK)
    original = (whole / "manifest.json").read_bytes()
    try:
        (whole / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        faults = verify(whole)
    finally:
        (whole / "manifest.json").write_bytes(original)
    assert faults or json.dumps(before) == json.dumps(place[key])
