from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from translation.base import TranslationError
from translation.exchange import export_memory, import_memory
from translation.memory import Entry
from translation.memory_files import load_memory, write_entries
from translation.memory_tables import write_tsv

ENTRY = Entry("Stroke", "en", "de", "Schlaganfall", "Stroke", "nllb", "m", "r", "nllb m@r", -0.5)
HUMAN = replace(ENTRY, translation="Hirninfarkt", engine="human", model="A clinic", signature="")


def orders(paths: list[Path]) -> list[tuple[str | int, ...]]:
    return sorted(entry.order for entry in load_memory(map(str, paths)).entries)


@pytest.mark.parametrize("ending", [".tsv", ".tmx"])
def test_a_memory_goes_out_and_comes_back_with_its_provenance(tmp_path: Path, ending: str) -> None:
    cache, output, ours = tmp_path / "cache", tmp_path / f"out{ending}", tmp_path / "ours"
    write_entries(str(cache), [ENTRY])
    write_entries(str(cache), [HUMAN, ENTRY])
    assert export_memory([str(cache)], str(output)).entries == 2
    brought = import_memory([str(output)], str(ours))
    assert (brought.entries, brought.left_out) == (2, {})
    assert orders([ours]) == sorted([HUMAN.order, ENTRY.order])
    assert import_memory([str(output)], str(ours)) == brought
    assert len(list(ours.iterdir())) == 1


def test_what_cannot_be_exchanged_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.tsv"
    empty.write_bytes(write_tsv([]))
    with pytest.raises(TranslationError, match=r"out\.xlsx: expected a name that ends in \.tsv or"):
        export_memory([str(empty)], "out.xlsx")
    with pytest.raises(TranslationError, match="no translation between"):
        import_memory([str(empty)], str(tmp_path / "ours"))
    with pytest.raises(TranslationError, match=r"nowhere\.tmx: cannot be read"):
        import_memory([str(tmp_path / "nowhere.tmx")], str(tmp_path / "ours"))


def test_the_command_line_says_what_was_done(tmp_path: Path) -> None:
    table, out = tmp_path / "ours.tsv", tmp_path / "out.tmx"
    table.write_bytes(write_tsv([HUMAN]))
    run = CliRunner().invoke
    done = run(app, ["memory", "import", str(table), "--to", str(tmp_path / "folder")])
    assert (done.exit_code, done.stdout[:9]) == (0, "1 entries")
    done = run(app, ["memory", "export", str(tmp_path / "folder"), "--to", str(out)])
    assert (done.exit_code, done.stdout) == (0, f"1 entries in {out}\n")
    assert b"A clinic" in out.read_bytes()
    assert run(app, ["memory", "export", "nowhere", "--to", str(out)]).exit_code == 1
