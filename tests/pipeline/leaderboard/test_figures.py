"""The board says what the scorer says, best first."""

from pathlib import Path

import pytest

from pipeline.leaderboard.answers import NONE, STEPS, Answers, collect_answers, first_documents
from pipeline.leaderboard.figures import Board, measure_board
from pipeline.scorer.aggregate import aggregate
from pipeline.scorer.runs import Run, read_run
from pipeline.scorer.score import score


@pytest.fixture
def board(release: Path, runs: list[Path]) -> Board:
    return measure_board(release, runs)[0]


@pytest.fixture
def answers(release: Path, runs: list[Path]) -> Answers:
    measured, results = measure_board(release, runs)
    return collect_answers(release, runs, results, measured.tasks)


def test_means_are_those_of_the_scorer(board: Board, release: Path, runs: list[Path]) -> None:
    by_name = {run.name: aggregate(run) for run in score(release, runs).runs}
    for task in board.tasks:
        for one in task.standings:
            (own,) = (mean for mean in by_name[one.run].tasks if mean.task == task.task)
            assert one.mean.mean == pytest.approx(own.macro[task.measure])
            assert one.mean.low <= one.mean.mean <= one.mean.high
            assert one.gap == own.gap.get(task.measure)
    assert board.overall == {name: by_name[name].overall["ndcg@10"] for name in ("good", "poor")}


def test_the_best_stands_first_and_shares_no_group_with_the_worst(board: Board) -> None:
    (qa, concepts) = board.tasks
    assert [one.run for one in qa.standings] == ["good", "part", "poor"]
    assert [one.absent for one in qa.standings] == [0, 1, 0]
    assert [one.run for one in concepts.standings] == ["good", "poor"]
    assert not set(qa.standings[0].groups) & set(qa.standings[-1].groups)


def test_tiers_have_intervals_and_a_chance(board: Board) -> None:
    (_, concepts) = board.tasks
    assert concepts.tiers == ("easy", "hard")
    assert concepts.chance == {"easy": 0.25, "hard": 0.25}
    assert {tier: one.mean for tier, one in concepts.standings[0].tiers.items()} == {
        "easy": 1.0,
        "hard": 1.0,
    }


def test_answers_are_what_stands_first(answers: Answers) -> None:
    (qa, *_) = answers.families
    place, ids = qa.ids.index("qa-3"), answers.documents["qa"]["ids"]
    good, poor, part = range(3)
    assert [ids[code] for code in qa.gold[place]] == ["d3"]
    assert ids[qa.firsts["en"][good][place]] == "d3"
    assert ids[qa.firsts["en"][poor][place]] == "d4"
    assert qa.firsts["de"][part][place] == qa.values["de"][part][place] == NONE
    assert (qa.values["en"][good][place], qa.values["en"][poor][place]) == (STEPS, 0)
    assert answers.documents["qa"]["texts"][qa.gold[place][0]] == "text 3"
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ([("a", 1.0), ("b", 2.0)], "b"),
        ([("a", 2.0), ("b", 2.0), ("c", 1.0)], "b"),
        ([("b", -1.0), ("a", -2.0)], "b"),
    ],
)
def test_ties_go_to_the_last_id_as_in_scoring(
    tmp_path: Path, rows: list[tuple[str, float]], first: str
) -> None:
    path = tmp_path / "qa-en.trec"
    path.write_text("".join(f"q Q0 {one} 1 {value} x\n" for one, value in rows), "utf-8")
    ((_, ranking),) = read_run(Run("run", path))
    assert first_documents(ranking) == {"q": first}
