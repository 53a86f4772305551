"""An exported sheet, filled in with errors and disagreement, comes back into release and memory."""

import csv
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.release.amending import with_section
from splits.audit import verify
from translation.memory_files import read_entries

QUESTIONS = 40
WRONG = {3, 11}  # for all three raters
SPLIT = {7}  # for one of them


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["audit", *map(str, arguments)])
    return done.exit_code, done.output


@pytest.fixture
def release(audited: ModuleType, tmp_path: Path) -> Path:
    """A sealed release of forty questions in English and German."""
    tables = audited.small_release()
    for language, text, back in (("en", "What is number {}?", ""),
                                 ("de", "Was ist Nummer {}?", "What is number {}?")):  # fmt: skip
        tables[f"data/qa/queries/{language}"] = [
            audited.query(f"qa-{n}", text.format(n), "C0000001", language, back.format(n))
            for n in range(QUESTIONS)
        ]
        tables[f"data/qa/qrels/{language}"] = [
            audited.qrel(f"qa-{n}", "p1") for n in range(QUESTIONS)
        ]
    root: Path = audited.seal(audited.write(tmp_path / "1.0.0", tables), tables)
    card = "# Small\n\n## Subsets\n\nTwo.\n\n## Use\n\nLoad it.\n"
    (root / "README.md").write_text(card, "utf-8")
    said = json.loads((root / "manifest.json").read_text("utf-8"))
    audited.reseal(root, said)
    return root


def fill(release: Path, folder: Path) -> list[Path]:
    """Export a sheet and let three raters fill it in; gives their sheets."""
    code, shown = run("export", release, "--output", folder, "--size", QUESTIONS)
    assert (code, shown) == (0, f"{QUESTIONS + 2} translations in {folder}\n")
    with (folder / "audit.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return [_rate(rows, folder / f"{rater}.csv", rater) for rater in ("anna", "boris", "carla")]


def _rate(rows: list[dict[str, str]], path: Path, rater: str) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            number = row["translation"].rstrip("?").split()[-1]
            said = _say(int(number), rater) if number.isdigit() else {"judgement": "unsure"}
            writer.writerow(row | said)
    return path


def _say(number: int, rater: str) -> dict[str, str]:
    if number in WRONG:
        # All agree on the first correction; on the second each has one of his own.
        text = f"Was bedeutet Nummer {number}?" if number == min(WRONG) else f"Nummer, {rater}?"
        return {"judgement": "wrong", "correction": text}
    return {"judgement": "wrong" if number in SPLIT and rater == "carla" else "right"}


def test_planted_errors_and_disagreement_reach_card_manifest_and_memory(
    release: Path, tmp_path: Path
) -> None:
    before = json.loads((release / "manifest.json").read_text("utf-8"))
    sheets = fill(release, tmp_path / "audit")
    memory = tmp_path / "fixed.tsv"
    assert verify(release) == []
    code, shown = run("import", release, *sheets, "--corrections", memory)
    assert code == 0
    assert "de: machine-translated and verified" in shown
    assert "disputed, not written: qa-11 in de" in shown

    card = (release / "README.md").read_text("utf-8")
    # 38 of 40 right: Wilson's interval is .835 to .986. Of 120 values 7 are wrong, and one item is
    # split two to one: 2 ordered pairs differ.
    alpha = 1 - 119 * 2 / (2 * 7 * 113)
    assert (
        f"| de | 40 | 38 | 0.950 | 0.835 to 0.986 | 3 | {alpha:.3f} | "
        "machine-translated and verified |"
    ) in card
    assert card.index("## Subsets") < card.index("## Human audit") < card.index("## Use")

    record = json.loads((release / "quality" / "audit.json").read_text("utf-8"))
    german, everything = record["languages"]
    assert (german["items"], german["right"], german["raters"]) == (40, 38, 3)
    assert german["alpha"] == pytest.approx(alpha)
    assert everything["language"] == "all"
    assert (record["corrections"], record["disputed"]) == (1, 1)

    assert verify(release) == []
    after = json.loads((release / "manifest.json").read_text("utf-8"))
    assert after["build_hash"] == before["build_hash"]
    assert after["manifest_hash"] != before["manifest_hash"]

    (entry,) = read_entries(str(memory))
    assert (entry.text, entry.translation) == ("What is number 3?", "Was bedeutet Nummer 3?")
    assert (entry.source, entry.target, entry.engine) == ("en", "de", "human")


def test_a_second_import_takes_the_place_of_the_first(release: Path, tmp_path: Path) -> None:
    sheets = fill(release, tmp_path / "audit")
    run("import", release, *sheets)
    code, shown = run("import", release, sheets[0], "--min-items", 41)
    assert code == 0
    assert "de: machine-translated; 40 judged, 41 needed" in shown
    card = (release / "README.md").read_text("utf-8")
    assert card.count("## Human audit") == 1
    assert "| 1 | – | machine-translated; 40 judged, 41 needed |" in card
    assert verify(release) == []


def test_nothing_is_written_where_it_is_not_wanted_or_a_row_makes_no_sense(
    release: Path, tmp_path: Path
) -> None:
    sheets = fill(release, tmp_path / "audit")
    code, shown = run("import", release, *sheets, "--into", "nothing", "--json")
    assert code == 0
    assert json.loads(shown)["disputed"] == [{"query_id": "qa-11", "language": "de"}]
    text = sheets[1].read_text("utf-8").replace("right", "fine", 1)
    sheets[1].write_text(text, "utf-8")
    code, shown = run("import", release, *sheets, "--corrections", tmp_path / "fixed.tsv")
    assert code == 1
    assert "judgement 'fine' is none of right, minor, wrong, unsure" in shown
    assert not (release / "quality" / "audit.json").exists()
    assert not (tmp_path / "fixed.tsv").exists()


def test_a_card_that_was_changed_by_hand_is_not_sealed(release: Path, tmp_path: Path) -> None:
    sheets = fill(release, tmp_path / "audit")
    (release / "README.md").write_text("# Mine\n", "utf-8")
    code, shown = run("import", release, *sheets)
    assert code == 1
    assert "README.md: not the card that manifest.json lists" in shown


def test_corrections_join_those_of_an_older_audit(release: Path, tmp_path: Path) -> None:
    memory = tmp_path / "fixed.tsv"
    rows: list[tuple[Any, ...]] = [
        *[("What is number 3?", "Drei?", "human"), ("What is number 3?", "Drei!", "curated")],
        ("What is number 4?", "Vier?", "human"),
    ]
    head = "source_language target_language text translation back_translation engine model revision"
    lines = ["\t".join(head.split())]
    lines += ["\t".join(("en", "de", text, made, "", by, "", "")) for text, made, by in rows]
    memory.write_text("\n".join(lines) + "\n", "utf-8")
    run("import", release, *fill(release, tmp_path / "audit"), "--corrections", memory)
    kept = {
        (entry.text[-2], entry.translation, entry.engine) for entry in read_entries(str(memory))
    }
    assert kept == {
        ("3", "Was bedeutet Nummer 3?", "human"),
        ("3", "Drei!", "curated"),
        ("4", "Vier?", "human"),
    }


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("# A\n", "# A\n\n## T\n\nnew\n"),
        ("# A\n\n## Use\n\nx\n", "# A\n\n## T\n\nnew\n\n## Use\n\nx\n"),
        ("# A\n\n## T\n\nold\n\n## Use\n\nx\n", "# A\n\n## T\n\nnew\n\n## Use\n\nx\n"),
        ("# A\n\n## T\n\nold\n", "# A\n\n## T\n\nnew\n"),
    ],
)
def test_a_section_stands_once_before_the_use(card: str, expected: str) -> None:
    assert with_section(card, "T", "## T\n\nnew\n") == expected
