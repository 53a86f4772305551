"""The leaderboard as Markdown, for papers and README files."""

from collections.abc import Iterable, Sequence

from pipeline.leaderboard.figures import Board, TaskBoard
from pipeline.leaderboard.markup import DASH, shown
from pipeline.scorer.resampling import Interval


def to_markdown(board: Board) -> str:
    """A table of ranks and one of languages a task, and the signature."""
    parts = [f"# {board.title} {board.version}: leaderboard", ""]
    for task in board.tasks:
        parts += [f"## {task.task}", "", *_ranks(task), "", *_languages(task), ""]
        parts += [*_tiers(task), ""] if task.tiers else []
    parts += [
        "Systems of one group are told apart by no paired permutation test at the 5 % level, after",
        "Holm's correction; intervals of 95 % are by the bootstrap over clusters of concepts.",
        "",
        f"`{board.signature}`",
    ]
    return "\n".join(parts) + "\n"


def _ranks(task: TaskBoard) -> list[str]:
    head = ("system", "group", f"{task.measure} (95 %)", "worst language", "gap", "left out")
    rows = (
        (
            _escaped(one.run),
            ", ".join(map(str, one.groups)),
            _interval(one.mean),
            f"{one.worst} {shown(one.languages[one.worst])}",
            shown(one.gap),
            str(one.absent or DASH),
        )
        for one in task.standings
    )
    return _table(head, rows)


def _languages(task: TaskBoard) -> list[str]:
    rows = (
        (_escaped(one.run), *(shown(one.languages.get(name)) for name in task.languages))
        for one in task.standings
    )
    return _table((task.measure, *task.languages), rows)


def _tiers(task: TaskBoard) -> list[str]:
    rows = (
        (_escaped(one.run), *(_interval(one.tiers.get(tier)) for tier in task.tiers))
        for one in task.standings
    )
    return _table((task.measure, *task.tiers), rows)


def _interval(one: Interval | None) -> str:
    return f"{shown(one.mean)} ({shown(one.low)}–{shown(one.high)})" if one else DASH


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (len(head) - 1)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in r"\|`*_[]<>" else letter for letter in text)
