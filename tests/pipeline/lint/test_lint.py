"""Each check finds the fault that is planted for it, where it stands, and no other check does."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.lint import CHECKS, Finding, lint
from pipeline.lint.base import Opened
from pipeline.lint.row_groups import RowGroups

SHARD = "test-00000-of-00001.parquet"
QUERIES = f"data/qa/queries/en/{SHARD}"
GERMAN = f"data/qa/queries/de/{SHARD}"
CORPUS = f"data/qa/corpus/{SHARD}"
QRELS = f"data/qa/qrels/en/{SHARD}"
RANKED = f"data/concepts/top_ranked/hard/en/{SHARD}"
NAMES = f"data/concepts/corpus/{SHARD}"
CARD = "README.md"

Plant = Callable[[Path], object]
Change = Callable[[list[dict[str, Any]]], object]


def save(table: pa.Table, path: Path, **options: Any) -> None:  # noqa: ANN401
    settings = {"compression": "zstd", "write_page_index": True, **options}
    pq.write_table(table, path, **settings)


def rows(file: str, change: Change) -> Plant:
    """Change the rows of a table."""

    def plant(root: Path) -> None:
        table = pq.read_table(root / file, partitioning=None)
        found = table.to_pylist()
        change(found)
        save(pa.Table.from_pylist(found, table.schema), root / file)

    return plant


def put(file: str, **values: object) -> Plant:
    """Put values into the first row of a table."""
    named = {name.replace("__", "-"): value for name, value in values.items()}
    return rows(file, lambda found: found[0].update(named))


def more(file: str, *others: Mapping[str, object]) -> Plant:
    """Repeat the first row, with other values."""
    return rows(file, lambda found: found.extend([{**found[0], **other} for other in others]))


def typed(file: str, column: str, kind: pa.DataType) -> Plant:
    """Give a column another type."""

    def plant(root: Path) -> None:
        table = pq.read_table(root / file, partitioning=None)
        place = table.schema.get_field_index(column)
        save(table.set_column(place, column, table.column(place).cast(kind)), root / file)

    return plant


def written(file: str, rows: int = 1, **options: object) -> Plant:
    """Write a table in another way, or less of it."""

    def plant(root: Path) -> None:
        table = pq.read_table(root / file, partitioning=None)
        save(table.slice(0, rows), root / file, **options)

    return plant


def edited(file: str, old: str, new: str) -> Plant:
    """Replace a text once; it must be there."""

    def plant(root: Path) -> None:
        text = (root / file).read_text("utf-8")
        assert old in text
        (root / file).write_text(text.replace(old, new, 1), "utf-8")

    return plant


def added(file: str, content: str = "left behind") -> Plant:
    def plant(root: Path) -> None:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(content, "utf-8")

    return plant


def linked(root: Path) -> None:
    (root / "elsewhere").symlink_to("/etc/hostname")


def emptied(root: Path) -> None:
    (root / "data" / "qa" / "left").mkdir()


def untitled(root: Path) -> None:
    """Without titles, as null."""
    table = pq.read_table(root / CORPUS, partitioning=None)
    place = table.schema.get_field_index("title")
    titles = pa.array([None] * table.num_rows, pa.string())
    save(table.set_column(place, "title", titles), root / CORPUS)


def removed(file: str) -> Plant:
    return lambda root: (root / file).unlink()


def stale(name: str, number: int) -> Plant:
    split = f'"splits": [{{"name": "test", "num_examples": {number}}}]'
    info = f'dataset_info:\n- {{"config_name": "{name}", {split}}}\nconfigs:'
    return edited(CARD, "configs:", info)


TEST, A_TEST = '"test", "path": ', '"a test", "path": '
QA = "data-qa-queries-en"
MORE_QUERY = {"_id": "qa-2", "text": "Do hats help?"}
JUDGED_TOO = more(QRELS, {"query-id": "qa-2"})


def both(*plants: Plant) -> Plant:
    def plant(root: Path) -> None:
        for one in plants:
            one(root)

    return plant


# The fault that is planted, and the check, file and row that are to be named; "contract" sees many
# of them, too, and is named where it alone does.
PLANTS: list[tuple[Plant, str, str, str]] = [
    (edited("manifest.json", '"seed": 7', '"seed": "7"'), "contract", "manifest.json", ""),
    (rows(NAMES, lambda found: found.reverse()), "contract", "data/concepts/corpus", ""),
    (removed(f"data/qa/qrels/de/{SHARD}"), "contract", "data/qa/qrels/de", ""),
    (lambda root: (root / CORPUS).write_bytes(b"PAR1"), "contract", CORPUS, ""),
    (removed("eval.yaml"), "hashes", "eval.yaml", ""),
    (edited(CARD, "# Small", "# Large"), "hashes", CARD, ""),
    (added("notes.txt"), "strangers", "notes.txt", ""),
    (added(".DS_Store"), "strangers", ".DS_Store", ""),
    (added("small.py"), "strangers", "small.py", ""),
    (added(f"data/qa/corpus/.{SHARD}.17.tmp"), "strangers", f"data/qa/corpus/.{SHARD}.17.tmp", ""),
    (linked, "strangers", "elsewhere", ""),
    (emptied, "strangers", "data/qa/left", ""),
    (edited(CARD, "---\n", "\n---\n"), "card", CARD, ""),
    (edited(CARD, "---\n", "\ufeff---\n"), "card", CARD, ""),
    (edited(CARD, 'license: "mit"', 'license: "mit'), "card", CARD, ""),
    (edited(CARD, 'license: "mit"\n', ""), "card", CARD, "license"),
    (edited(CARD, '"en", "de"', "en, no"), "card", CARD, "language"),
    (stale(QA, 2), "card", CARD, "dataset_info"),
    (stale("gone", 1), "card", CARD, "dataset_info"),
    (edited(CARD, f'"{QA}"', QA), "card_configs", CARD, "config_name"),
    (edited(CARD, f'"{QA}"', "17"), "card_configs", CARD, "17"),
    (edited(CARD, f'"{QA}"', '"data-qa-queries-de"'), "card_configs", CARD, "data-qa-queries-de"),
    (edited(CARD, f'"{QA}"', '"query"'), "card_configs", CARD, "query"),
    (edited(CARD, "qa/queries/en/test-*", "qa/queries/en/train-*"), "card_configs", CARD, QA),
    (edited(CARD, "qa/queries/en/test-*", "qa/queries/en/train-*"), "card_configs", QUERIES, ""),
    (edited(CARD, ', "default": true', ""), "card_configs", CARD, "default"),
    (edited(CARD, '}]}', '}], "default": true}'), "card_configs", CARD, "default"),
    (
        edited(CARD, f'{TEST}"data/qa/queries/en/', f'{A_TEST}"data/qa/queries/en/'),
        *("card_configs", CARD, QA),
    ),
    (written(QUERIES, compression="snappy"), "row_groups", QUERIES, ""),
    (written(QUERIES, compression="none"), "row_groups", QUERIES, ""),
    (written(QUERIES, write_page_index=False), "row_groups", QUERIES, ""),
    (written(QUERIES, rows=0), "row_groups", QUERIES, ""),
    (typed(QUERIES, "text", pa.large_string()), "string_types", QUERIES, ""),
    (typed(QUERIES, "text", pa.dictionary(pa.int32(), pa.string())), "string_types", QUERIES, ""),
    (
        both(put(QRELS, query__id="1"), typed(QRELS, "query-id", pa.int64())),
        *("string_types", QRELS, ""),
    ),
    (untitled, "string_types", CORPUS, ""),
    (put(CORPUS, _id="p 1"), "ids", CORPUS, "p 1"),
    (put(CORPUS, _id="qa-1"), "ids", CORPUS, "qa-1"),
    (put(QUERIES, _id="1"), "ids", QUERIES, "1"),
    (put(QUERIES, _id=""), "ids", QUERIES, ""),
    (more(QUERIES, {}), "duplicate_ids", QUERIES, "qa-1"),
    (more(CORPUS, {"text": "Sleep helps."}), "duplicate_ids", CORPUS, "p1"),
    (more(QRELS, {}), "duplicate_ids", QRELS, "qa-1"),
    (put(RANKED, corpus__ids=["concept-C0000003"] * 2), "duplicate_ids", RANKED, "concepts-1"),
    (put(QRELS, corpus__id="p9"), "dangling_ids", QRELS, "qa-1"),
    (put(QRELS, query__id="qa-9"), "dangling_ids", QRELS, "qa-9"),
    (more(QUERIES, MORE_QUERY), "dangling_ids", QUERIES, "qa-2"),
    (put(RANKED, corpus__ids=["concept-C0000004"]), "dangling_ids", RANKED, "concepts-1"),
    (more(RANKED, {"query-id": "concepts-2"}), "dangling_ids", RANKED, "concepts-2"),
    (put(CORPUS, text=" \u3000"), "blank_texts", CORPUS, "p1"),
    (put(QUERIES, text="?"), "blank_texts", QUERIES, "qa-1"),
    (put(GERMAN, text="Wie lange dauert Migr\ufffdne?"), "blank_texts", GERMAN, "qa-1"),
    (put(QUERIES, text="How long\x00?"), "blank_texts", QUERIES, "qa-1"),
    (more(CORPUS, {"_id": "p3", "text": "REST  helps"}), "duplicate_texts", CORPUS, "p3"),
    (
        both(more(QUERIES, {"_id": "qa-2", "text": "how long does a migraine last"}), JUDGED_TOO),
        *("duplicate_texts", QUERIES, "qa-2"),
    ),
    (
        rows(NAMES, lambda found: found[1].update(text="Scabies")),
        *("duplicate_texts", RANKED, "concepts-1"),
    ),
    (put(GERMAN, text="Как долго длится мигрень?"), "scripts", GERMAN, "qa-1"),
    (put(GERMAN, language="en"), "scripts", GERMAN, "qa-1"),
]  # fmt: skip
NEED_NO_SEAL = {"contract", "hashes", "strangers"}


def test_a_sound_release_has_no_fault(sound: Path) -> None:
    assert lint(sound) == []


@pytest.mark.parametrize(
    ("plant", "check", "path", "row"),
    PLANTS,
    ids=[f"{number}-{check}" for number, (_, check, *_) in enumerate(PLANTS)],
)
def test_what_is_planted_is_found(
    plant: Plant, check: str, path: str, row: str, release: Path, sealed: Callable[[Path], None]
) -> None:
    plant(release)
    if check not in NEED_NO_SEAL:
        sealed(release)
    found = list(CHECKS[check]().find(Opened(release)))
    there = [one for one in found if (one.path, one.row) == (path, row)]
    assert there, found
    first = there[0]
    assert first.check == check
    assert ";" in first.message  # a remedy
    assert first in lint(release)


def test_every_check_has_a_planted_fault() -> None:
    asked_with_a_meta = {"restricted_texts", "coincidences"}
    assert {check for _, check, *_ in PLANTS} | asked_with_a_meta == CHECKS.keys()


@pytest.mark.parametrize(
    "plant", [put(QRELS, corpus__id="p9"), put(QUERIES, text="?"), put(GERMAN, text="Мигрень")]
)
def test_a_fault_is_found_by_one_check(
    plant: Plant, release: Path, sealed: Callable[[Path], None]
) -> None:
    plant(release)
    sealed(release)
    assert len({one.check for one in lint(release)}) == 1


@pytest.mark.parametrize(
    "plant",
    [
        put(f"data/concepts/queries/hard/de/{SHARD}", text="HIV"),  # Latin in Latin
        put(CORPUS, text="Two\nlines\tand a tab."),
        more(NAMES, {"_id": "concept-C0000005", "text": "scabies"}),  # not shown beside the other
        added(".gitattributes", "*.parquet filter=lfs\n"),
    ],
)
def test_what_is_right_is_let_be(
    plant: Plant, release: Path, sealed: Callable[[Path], None]
) -> None:
    plant(release)
    sealed(release)
    allowed = {"manifest.json", ".gitattributes", "data/concepts/corpus"}
    assert [one for one in lint(release) if one.path not in allowed] == []


@pytest.mark.parametrize(("sha256", "found"), [("", ["qa-1"]), ("0" * 64, [])])
def test_a_text_that_is_withheld_has_no_script(
    sha256: str, found: list[str], release: Path
) -> None:
    (release / "data/qa/queries/de").rename(release / "data/qa/queries/ru")
    path = release / GERMAN.replace("/de/", "/ru/")
    table = pq.read_table(path, partitioning=None)
    (row,) = table.to_pylist()
    asked = row | {"language": "ru", "text": "[C0000001 A0000007]", "text_sha256": sha256}
    schema = table.schema.append(pa.field("text_sha256", pa.string()))
    save(pa.Table.from_pylist([asked], schema), path)
    assert [one.row for one in CHECKS["scripts"]().find(Opened(release))] == found


def test_limits_of_size_are_in_bytes_uncompressed(release: Path) -> None:
    small = RowGroups(max_group_megabytes=0, max_file_megabytes=0)
    found = [one.message for one in small.find(Opened(release)) if one.path == QUERIES]
    assert [message.split(", ")[1] for message in found] == [
        "over 0 MB; write it in more shards",
        "over 0 MB; write the file again",
    ]


@pytest.fixture(scope="module")
def meta(write_meta: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> str:
    atom = write_meta.atom
    folder = write_meta.write(
        tmp_path_factory.mktemp("meta"),
        MRSAB=[write_meta.source("MSH", "0"), write_meta.source("MDR", "3")],
        MRCONSO=[
            atom("C0000003", "ENG", "MSH", "Scabies"),
            atom("C0000003", "GER", "MDR", "Milbenkrätze", "3"),
        ],
    )
    return str(folder)


@pytest.mark.parametrize(
    ("origin", "check"), [("umls", "restricted_texts"), ("mt", "coincidences")]
)
def test_texts_of_restricted_sources_are_found(
    origin: str, check: str, release: Path, meta: str, sealed: Callable[[Path], None]
) -> None:
    file = f"data/concepts/queries/hard/de/{SHARD}"
    put(file, text="Milbenkrätze", origin=origin, back_translation="")(release)
    sealed(release)
    assert lint(release) == []
    (found,) = lint(release, meta)
    assert (found.check, found.path, found.row) == (check, file, "concepts-1")
    assert "Milbenkrätze" not in str(found)


def test_a_release_of_another_without_a_manifest_is_looked_at(release: Path) -> None:
    put(QRELS, corpus__id="p9")(release)
    (release / "manifest.json").unlink()
    found = {(one.check, one.path) for one in lint(release)}
    assert found >= {("contract", "manifest.json"), ("dangling_ids", QRELS)}
    assert "strangers" not in {check for check, _ in found}


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["lint", *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_says_what_is_wrong(release: Path, sealed: Callable[[Path], None]) -> None:
    assert run(str(release)) == (0, "0 faults, 0 notes\n", "")
    put(QUERIES, text="?")(release)
    sealed(release)
    line = f"blank_texts {QUERIES} qa-1: text without a letter or digit; leave the query out"
    assert run(str(release)) == (1, f"FAULT {line}\n1 faults, 0 notes\n", "")
    noted = f"NOTE {line}\n0 faults, 1 notes\n"
    assert run(str(release), "--note", "blank_texts") == (0, noted, "")
    code, told, _ = run(str(release), "--json")
    assert code == 1
    (fault,) = json.loads(told)["faults"]
    assert Finding(**fault) == lint(release)[0]


def test_of_many_findings_the_command_shows_some(
    release: Path, sealed: Callable[[Path], None]
) -> None:
    more(QRELS, *({"query-id": f"qa-{number}"} for number in range(10, 40)))(release)
    sealed(release)
    _, told, _ = run(str(release), "--note", "contract")
    assert told.count("FAULT dangling_ids data") == 20
    assert "FAULT dangling_ids: 10 more; see all with --json\n" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere",), "no Parquet file"),
        ((".", "--note", "blank_text"), "did you mean 'blank_texts'?"),
    ],
)
def test_a_wrong_request_is_told(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    code, _, error = run(str(tmp_path / arguments[0]), *arguments[1:])
    assert code == 2
    assert words in error


def broken_pages(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\x07" * 60 + content[64:])


def column_twice(path: Path) -> None:
    rows = pq.read_table(path, partitioning=None)
    pq.write_table(rows.append_column("text", rows["text"]), path)


def dated(path: Path) -> None:
    path.write_text("---\nday: 2020-13-45\n---\n", "utf-8")


NO_ROWS = {
    "pages of nonsense": (QUERIES, broken_pages, "not a readable Parquet file"),
    "a column twice": (QUERIES, column_twice, "column text is none of the contract's"),
    "a day that is none": ("README.md", dated, "the front matter is not YAML"),
}


@pytest.mark.parametrize("case", NO_ROWS)
def test_what_cannot_be_read_is_a_fault_in_a_line(release: Path, case: str) -> None:
    path, spoil, told = NO_ROWS[case]
    spoil(release / path)
    found = [str(one) for one in lint(release)]
    assert [line for line in found if f" {path}: {told}" in line and "\n" not in line]
