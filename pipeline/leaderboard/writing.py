"""Writes the leaderboard of a release: a page, Markdown and, where it can be drawn, a picture."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.drawing import can_draw
from pipeline.leaderboard.answers import collect_answers
from pipeline.leaderboard.figures import measure_board
from pipeline.leaderboard.markdown import to_markdown
from pipeline.leaderboard.page import render
from pipeline.leaderboard.picture import draw_board
from pipeline.scorer.runs import stem

PAGE, MARKDOWN, PICTURE = "index.html", "board.md", "board.png"


def write_leaderboard(release: Path, runs: Sequence[Path], folder: Path) -> list[Path]:
    """Write the files and return their paths; the same bytes in whatever order runs are named.

    The picture is left out where the extra ``plots`` is not installed.
    """
    ordered = sorted(runs, key=lambda run: (stem(run), str(run)))
    board, results = measure_board(release, ordered)
    answers = collect_answers(release, ordered, results, board.tasks)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PAGE).write_text(render(board, answers), "utf-8")
    (folder / MARKDOWN).write_text(to_markdown(board), "utf-8")
    written = [folder / PAGE, folder / MARKDOWN]
    if can_draw():
        (folder / PICTURE).write_bytes(draw_board(board))
        written.append(folder / PICTURE)
    return written
