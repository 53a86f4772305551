"""Each export byte for byte, what it does with awkward texts, and what it refuses."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.export import export_beir, export_ir_datasets, export_mteb, export_trec
from pipeline.export import trec as trec_module
from pipeline.export.lines import json_line, tab_line
from pipeline.export.source import Source
from pipeline.release.layout import ReleaseError, Subset

AWKWARD = 'A tab\there, a line\r\nbreak, a\u2028separator and "quotes".'
CORPUS = "data/qa/corpus/test-00000-of-00001.parquet"
NOTICES = "Whose texts these are.\n"
Export = Callable[[Path, Path], int]
EXPORTS = {
    "beir": export_beir,
    "ir-datasets": export_ir_datasets,
    "mteb": export_mteb,
    "trec": export_trec,
}


@pytest.fixture
def release(audited: ModuleType, tmp_path: Path) -> Path:
    """A passage and a question about it, and a set of two concepts."""
    question = audited.query("qa-1", "Was\thilft?\n", "C0000001", "de", "What helps?")
    tables = {
        "data/qa/corpus": [audited.document("p1", AWKWARD, "C0000001") | {"title": "Title"}],
        "data/qa/queries/de": [question],
        "data/qa/qrels/de": [audited.qrel("qa-1", "p1") | {"score": 2}],
        "data/concepts/corpus": audited.small_release()["data/concepts/corpus"],
        "data/concepts/queries/hard/en": [audited.query("concepts-1", "the itch", "C0000003")],
        "data/concepts/qrels/hard/en": [audited.qrel("concepts-1", "concept-C0000003")],
        "data/concepts/top_ranked/hard/en": [
            {"query-id": "concepts-1", "corpus-ids": ["concept-C0000004", "concept-C0000003"]}
        ],
    }
    root = Path(audited.write(tmp_path / "release", tables))
    (root / "LICENSE.md").write_text(NOTICES, "utf-8")
    (root / "README.md").write_text('---\nlicense: "mit"\n---\n# Small\n', "utf-8")
    said = audited.fields(root) | {"build_hash": "0123abcd"}
    (root / "manifest.json").write_text(json.dumps(said), "utf-8")
    return root


def bytes_of(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def texts_of(folder: Path) -> dict[str, str]:
    return {path: content.decode() for path, content in bytes_of(folder).items()}


PASSAGE = (
    '{"_id": "p1", "title": "Title", "text": "A tab\\there, a line\\r\\nbreak, a\\u2028separator '
    'and \\"quotes\\".", "metadata": {"source": "test", "licence": "CC0-1.0", "url": ""}}\n'
)
QUESTION = (
    '{"_id": "qa-1", "text": "Was\\thilft?\\n", "metadata": {"language": "de", "origin": "mt"}}\n'
)
CANDIDATES = (
    "concepts-1 Q0 concept-C0000004 1 0 mmed-bench-ir\n"
    "concepts-1 Q0 concept-C0000003 2 0 mmed-bench-ir\n"
)


def test_beir_byte_for_byte(release: Path, tmp_path: Path) -> None:
    assert export_beir(release, tmp_path / "out") == 2
    found = texts_of(tmp_path / "out")
    concepts = {name for name in found if name.startswith("concepts-hard-en/")}
    assert {name: text for name, text in found.items() if name not in concepts} == {
        "LICENSE.md": NOTICES,
        "qa-de/corpus.jsonl": PASSAGE,
        "qa-de/qrels/test.tsv": "query-id\tcorpus-id\tscore\nqa-1\tp1\t2\n",
        "qa-de/queries.jsonl": QUESTION,
    }
    assert found["concepts-hard-en/candidates.trec"] == CANDIDATES


def test_trec_byte_for_byte(release: Path, tmp_path: Path) -> None:
    assert export_trec(release, tmp_path / "out") == 2
    found = texts_of(tmp_path / "out")
    contents = json.loads(found.pop("docs/qa.jsonl"))
    assert contents == {
        "id": "p1",
        "contents": f"Title\n{AWKWARD}",
        "title": "Title",
        "source": "test",
        "licence": "CC0-1.0",
        "url": "",
    }
    assert found.pop("docs/concepts.jsonl").count("\n") == 2
    assert found == {
        "LICENSE.md": NOTICES,
        "concepts-hard-en/candidates.trec": CANDIDATES,
        "concepts-hard-en/qrels.txt": "concepts-1 0 concept-C0000003 1\n",
        "concepts-hard-en/topics.tsv": "concepts-1\tthe itch\n",
        "qa-de/qrels.txt": "qa-1 0 p1 2\n",
        "qa-de/topics.tsv": "qa-1\tWas hilft?\n",
    }


def test_ir_datasets_has_its_data_beside_it(release: Path, tmp_path: Path) -> None:
    assert export_ir_datasets(release, tmp_path / "out") == 2
    found = texts_of(tmp_path / "out")
    assert found["data/docs/qa.jsonl"] == PASSAGE
    assert found["data/qa-de/queries.jsonl"] == QUESTION
    assert found["data/concepts-hard-en/candidates.trec"] == CANDIDATES
    module = found["mmed_bench_ir_datasets.py"]
    assert 'BUILD_HASH = "0123abcd"\n' in module
    assert '    "qa-de": ("qa", "de", False),\n' in module
    assert '    "concepts-hard-en": ("concepts", "en", True),\n}\n' in module
    compile(module, "module", "exec")


def test_the_module_for_mteb(release: Path, tmp_path: Path) -> None:
    assert export_mteb(release, tmp_path / "out", "our-org/our-bench") == 2
    (module,) = texts_of(tmp_path / "out").values()
    assert '"dataset": {"path": "our-org/our-bench", "revision": "v1.0.0"},' in module
    assert '"date": ("2025-01-01", "2025-12-31"),' in module  # 2025AB
    assert '"license": "mit",' in module
    assert "class MMedBenchIRConceptsHard(AbsTaskRetrieval):\n" in module
    assert 'eval_langs={"qa-de": ["deu-Latn", "eng-Latn"]},' in module
    assert 'eval_langs={"concepts-hard-en": ["eng-Latn"]},' in module
    assert 'sample_creation="machine-translated",' in module
    assert 'sample_creation="found",' in module
    assert module.endswith("TASKS = (\n    MMedBenchIRQA,\n    MMedBenchIRConceptsHard,\n)\n")
    compile(module, "module", "exec")


def test_mteb_finds_an_unpublished_release_where_it_lies(release: Path, tmp_path: Path) -> None:
    export_mteb(release, tmp_path / "out")
    (module,) = texts_of(tmp_path / "out").values()
    place = json.dumps(str(release.resolve()))
    assert f'"dataset": {{"path": {place}, "revision": "0123abcd"}},' in module


@pytest.mark.parametrize(
    ("card", "repo", "said"),
    [
        ('---\nlicense: "cc-by-nc-4.0"\n---\n', "", "cc-by-nc-4.0"),
        ('---\nlicense: "other"\n---\n', "", "multiple"),
        (
            '---\nlicense: "other"\n---\n',
            "a/b",
            "https://huggingface.co/datasets/a/b/blob/v1.0.0/LICENSE.md",
        ),
        ("# no front matter\n", "", "multiple"),
    ],
)
def test_the_licence_is_one_that_mteb_takes(
    release: Path, tmp_path: Path, card: str, repo: str, said: str
) -> None:
    (release / "README.md").write_text(card, "utf-8")
    export_mteb(release, tmp_path / "out", repo)
    (module,) = texts_of(tmp_path / "out").values()
    assert f'"license": "{said}",' in module


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("machine-translated and verified", "machine-translated and verified"),
        ("machine-translated; 3 judged, 30 needed", "machine-translated"),
    ],
)
def test_translations_are_verified_once_an_audit_says_so(
    release: Path, tmp_path: Path, status: str, said: str
) -> None:
    (release / "quality").mkdir()
    record = {"languages": [{"language": "de", "status": status}]}
    (release / "quality" / "audit.json").write_text(json.dumps(record), "utf-8")
    export_mteb(release, tmp_path / "out")
    (module,) = texts_of(tmp_path / "out").values()
    assert f'sample_creation="{said}",' in module


def test_a_release_named_by_no_year_is_dated_by_the_design(release: Path, tmp_path: Path) -> None:
    change_manifest(release, umls_release="sample")
    export_mteb(release, tmp_path / "out")
    (module,) = texts_of(tmp_path / "out").values()
    assert '"date": ("2026-01-01", "2026-12-31"),' in module


@pytest.mark.parametrize("name", EXPORTS)
def test_the_same_release_gives_the_same_bytes(release: Path, tmp_path: Path, name: str) -> None:
    for place in ("one", "two"):
        EXPORTS[name](release, tmp_path / place)
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\tb\nc", '"a\\tb\\nc"'),
        ("a\u2028b\u2029c\x85d", '"a\\u2028b\\u2029c\\u0085d"'),
        ("病 é\xa0\u3000", '"病 é\xa0\u3000"'),
        ('"', '"\\""'),
    ],
)
def test_json_lines_are_lines_and_give_the_text_back(text: str, line: str) -> None:
    written = json_line({"text": text})
    assert written == f'{{"text": {line}}}\n'
    assert len(written.splitlines()) == 1
    assert json.loads(written) == {"text": text}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("a\tb", "a b"),
        (" a \r\n\t b\n", "a   b"),
        ("a\u2028b\u2029c\x85d\x0be\x00f\x1cg", "a b c d e f g"),
        ("病 é\xa0b", "病 é\xa0b"),
        ('"a', '"a'),
    ],
)
def test_fields_hold_no_tab_and_no_break(text: str, field: str) -> None:
    written = tab_line("id", text, 1)
    assert written == f"id\t{field}\t1\n"
    assert len(written.splitlines()) == 1


@pytest.mark.parametrize("name", EXPORTS)
def test_the_command_line(release: Path, tmp_path: Path, name: str) -> None:
    target = tmp_path / "new" / "out"
    told = ["export", name, str(release), "-o", str(target)]
    first = CliRunner().invoke(app, told)
    assert (first.exit_code, first.stdout) == (0, f"2 subsets in {target}\n")
    before = bytes_of(target)
    again = CliRunner().invoke(app, told)
    assert again.exit_code == 1
    assert f"{target}: is there already; remove it" in again.stderr
    assert bytes_of(target) == before


def change_manifest(release: Path, **changes: str) -> None:
    path = release / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes), "utf-8")


def lose_version(release: Path) -> None:
    path = release / "manifest.json"
    told = json.loads(path.read_text("utf-8"))
    del told["version"]
    path.write_text(json.dumps(told), "utf-8")


FAULTS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no manifest": (lambda root: (root / "manifest.json").unlink(), "name the folder of a release"),
    "cut manifest": (
        lambda root: (root / "manifest.json").write_text('{"name": '),
        "manifest.json: is no JSON .*; fetch the release again",
    ),
    "cut table": (
        lambda root: (root / CORPUS).write_bytes((root / CORPUS).read_bytes()[:-9]),
        "test-00000-of-00001.parquet: cannot be read .*; fetch the release again",
    ),
    "no column": (
        lambda root: pq.write_table(pq.read_table(root / CORPUS).drop(["licence"]), root / CORPUS),
        "test-00000-of-00001.parquet: no column licence",
    ),
    "no version": (lose_version, "manifest.json: no version; fetch the release again"),
    "no queries": (
        lambda root: [
            shutil.rmtree(root / "data" / task / "queries") for task in ("qa", "concepts")
        ],
        "no queries; fetch the release again",
    ),
    "no corpus": (lambda root: shutil.rmtree(root / "data/qa/corpus"), "data/qa/corpus: no test-"),
    "hashes": (lambda root: change_manifest(root, profile="ids"), "hydrate it first"),
    "no notices": (lambda root: (root / "LICENSE.md").unlink(), "LICENSE.md: no such file"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_whole_release_is_not_exported(
    release: Path, tmp_path: Path, fault: str
) -> None:
    spoil, message = FAULTS[fault]
    spoil(release)
    with pytest.raises(ReleaseError, match=message):
        export_beir(release, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_nothing_is_written_into_the_release(release: Path) -> None:
    with pytest.raises(ReleaseError, match="within the release"):
        export_beir(release, release / "beir")


def test_an_export_that_breaks_off_leaves_nothing(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Source, subset: Subset, path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(trec_module, "write_trec_qrels", full)
    with pytest.raises(ReleaseError, match="No space left on device"):
        export_trec(release, tmp_path / "exports" / "out")
    assert [path.name for path in (tmp_path / "exports").iterdir()] == []


@pytest.mark.parametrize("head", ["a: [1", "a: !!python/name:os.system", "a: 2020-13-45"])
def test_a_card_that_is_no_yaml_is_named(release: Path, tmp_path: Path, head: str) -> None:
    (release / "README.md").write_text(f"---\n{head}\n---\n", "utf-8")
    with pytest.raises(ReleaseError, match=r"README\.md: no card \(.*\); fetch the release again"):
        export_mteb(release, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("repo", ["nonsense", "a/b/c", "a/b?x", "https://huggingface.co/a/b"])
def test_a_repository_that_cannot_be_is_refused(release: Path, tmp_path: Path, repo: str) -> None:
    with pytest.raises(ReleaseError, match="expected ORG/NAME"):
        export_mteb(release, tmp_path / "out", repo)
    assert not (tmp_path / "out").exists()
