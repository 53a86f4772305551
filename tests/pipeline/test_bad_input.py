"""Bad input ends a build with one clear line, the right exit code, and nothing half-written."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from translation.memory_files import load_memory

SAMPLE = Path(__file__).parents[2] / "pipeline" / "sample"
PLAN = SAMPLE.parent / "plans" / "sample.toml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the sample and its plan, to be damaged."""
    shutil.copytree(SAMPLE, tmp_path / "sample")
    (tmp_path / "plans").mkdir()
    shutil.copy(PLAN, tmp_path / "plans" / "sample.toml")
    return tmp_path


def run_build(project: Path, *options: str) -> tuple[int, str]:
    plan = project / "plans" / "sample.toml"
    output = project / "build"
    result = CliRunner().invoke(app, ["build", str(plan), "--output", str(output), *options])
    assert "Traceback" not in result.output
    if result.exit_code:
        left = [path for path in output.rglob("*") if not path.name.endswith(".lock")]
        assert [path for path in left if path.is_file()] == []
    return result.exit_code, result.stderr


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def without_meta(project: Path) -> None:
    shutil.rmtree(project / "sample" / "META")


def with_empty_meta(project: Path) -> None:
    without_meta(project)
    (project / "sample" / "META").mkdir()


def with_truncated_rrf(project: Path) -> None:
    rewrite(project / "sample" / "META" / "MRCONSO.RRF", lambda data: data[: len(data) // 2])


def with_nothing_in_a_file(project: Path) -> None:
    rewrite(project / "sample" / "META" / "MRSAB.RRF", lambda data: b"")


def with_short_row(project: Path) -> None:
    def drop_field(data: bytes) -> bytes:
        lines = data.split(b"\n")
        lines[41] = lines[41].partition(b"|")[2]
        return b"\n".join(lines)

    rewrite(project / "sample" / "META" / "MRSTY.RRF", drop_field)


def with_bad_bytes(project: Path) -> None:
    rewrite(
        project / "sample" / "META" / "MRCONSO.RRF",
        lambda data: (
            data.replace("|Аритмия".encode(), b"|\xff\xfe", 1)
            if "|Аритмия".encode() in data
            else data.replace(b"|MMSAMPLE|PT|NOCODE|", b"|MMSAMPLE|PT|NOCODE|\xff", 1)
        ),
    )


def with_unknown_language(project: Path) -> None:
    rewrite(
        project / "plans" / "sample.toml", lambda text: text.replace(b'"de", ', b'"de", "tlh", ', 1)
    )


def with_misspelt_key(project: Path) -> None:
    rewrite(project / "plans" / "sample.toml", lambda text: text.replace(b"buckets", b"bukets"))


def with_empty_evidence(project: Path) -> None:
    shutil.rmtree(project / "sample" / "evidence" / "medquad")
    (project / "sample" / "evidence" / "medquad").mkdir()


def with_bad_xml(project: Path) -> None:
    path = sorted((project / "sample" / "evidence" / "medquad").rglob("*.xml"))[0]
    rewrite(path, lambda data: data[:-20])


def with_bad_json(project: Path) -> None:
    path = project / "sample" / "evidence" / "clinical" / "queries.jsonl"
    rewrite(path, lambda data: data.replace(b'"text"', b'text"', 1))


def with_bad_memory_row(project: Path) -> None:
    rewrite(
        project / "sample" / "memory" / "curated.tsv",
        lambda data: data.replace(b"\tcurated\t", b"\t", 1),
    )


@pytest.mark.parametrize(
    ("damage", "code", "words"),
    [
        (without_meta, 2, ("sample/META", "no such file or folder", "check the plan's path")),
        (with_empty_meta, 2, ("sample/META", "MRCONSO.RRF", "META folder")),
        (with_nothing_in_a_file, 1, ("MRSAB.RRF: empty", "download it again")),
        (with_truncated_rrf, 1, ("MRCONSO.RRF:", "truncated", "download it again")),
        (with_short_row, 1, ("MRSTY.RRF:42:", "5 fields, expected 6")),
        (with_bad_bytes, 1, ("MRCONSO.RRF:", "UTF-8")),
        (with_unknown_language, 2, ("languages", "'tlh'", "known:")),
        (with_misspelt_key, 2, ("umls", "'bukets'", "did you mean 'buckets'?")),
        (with_empty_evidence, 2, ("evidence", "medquad", ".xml")),
        (with_bad_xml, 1, (".xml", "download")),
        (with_bad_json, 1, ("queries.jsonl:1:", "JSON")),
        (with_bad_memory_row, 1, ("curated.tsv:2:",)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_damage_is_named(
    project: Path, damage: Callable[[Path], None], code: int, words: tuple[str, ...]
) -> None:
    damage(project)
    found, message = run_build(project)
    assert found == code, message
    for word in words:
        assert word in message
    assert len(message.strip().splitlines()) == 1, message


def test_an_unreadable_cache_is_set_aside_and_named(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = project / "cache"
    cache.mkdir()
    (cache / "0123.parquet").write_bytes(b"PAR1 not really")
    found, message = run_build(project, "--set", f"translation.cache={cache}")
    assert found == 0, message
    assert "0123.parquet: no translation memory" in caplog.text
    assert "set aside as 0123.parquet.damaged" in caplog.text
    names = {path.name for path in cache.iterdir()}
    assert "0123.parquet" not in names
    # What was translated instead was kept in a file of its own, which serves the next build.
    (made,) = names - {"0123.parquet.damaged"}
    assert load_memory([str(cache / made)]).entries


def test_full_disk_is_named_and_the_release_before_it_stays(project: Path) -> None:
    disk = project / "disk"
    disk.mkdir()
    # In a mount namespace of its own, so that nothing is left mounted however the test ends.
    mounted = f"mount -t tmpfs -o size=64k tmpfs {disk} && "
    former = f"{disk}/sample/0.1.0"
    mounted += f"mkdir -p {former} && echo former > {former}/manifest.json && "
    private = ["unshare", "--mount", "sh", "-c"]
    if subprocess.run([*private, mounted + "true"], check=False, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here")
    build = f"{sys.executable} -m pipeline.cli build {project}/plans/sample.toml --output {disk}"
    look = f"; code=$?; find {disk} -type f; cat {former}/manifest.json; exit $code"
    done = subprocess.run(
        [*private, mounted + build + look], check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stdout == f"{former}/manifest.json\nformer\n"
    assert "No space left on device" in done.stderr
    assert "free some space or name another --output" in done.stderr


def test_a_folder_that_is_no_release_stays(project: Path) -> None:
    mine = project / "build" / "sample" / "0.1.0"
    mine.mkdir(parents=True)
    (mine / "thesis.txt").write_text("years of work", "utf-8")
    plan = project / "plans" / "sample.toml"
    result = CliRunner().invoke(app, ["build", str(plan), "--output", str(project / "build")])
    assert result.exit_code == 2
    assert "something stands there that is no release" in result.stderr
    assert (mine / "thesis.txt").read_text("utf-8") == "years of work"
