"""The page's tables: all tasks, one task, and its languages."""

from html import escape

from pipeline.leaderboard.figures import OVERALL, Board, Standing, TaskBoard
from pipeline.leaderboard.markup import DASH, Cell, groups, interval, number, shown, table, text

SHADES = 10


def overview(board: Board) -> str:
    """Every system in every task."""
    found = {(task.task, one.run): one for task in board.tasks for one in task.standings}
    ranked = sorted(board.runs, key=lambda run: (-board.overall.get(run, -1.0), run))
    rows = [
        [
            text(run),
            number(board.overall.get(run)),
            *(_cell(found.get((task.task, run))) for task in board.tasks),
        ]
        for run in ranked
    ]
    tasks = (f"{one.task}, {one.measure}" for one in board.tasks)
    head = ["system", f"all tasks, {OVERALL}", *tasks]
    return table(head, rows, "All tasks")


def ranking(task: TaskBoard) -> str:
    """The systems of a task, with all that is measured."""
    others = [name for name in task.standings[0].values if name != task.measure]
    lacking = ["subsets left out"] if any(one.absent for one in task.standings) else []
    rows = [
        [
            text(one.run),
            groups(one.groups),
            interval(one.mean),
            *(number(one.values[name]) for name in others),
            _worst(one),
            number(one.gap),
            number(one.spread),
            *(Cell(str(one.absent), one.absent) for _ in lacking),
        ]
        for one in task.standings
    ]
    head = ["system", "rank group", task.measure, *others, "worst language", "gap", "spread"]
    return table([*head, *lacking], rows, f"Systems in {task.task}")


def languages(task: TaskBoard) -> str:
    """A heat map: systems by languages."""
    values = [value for one in task.standings for value in one.languages.values()]
    low, high = min(values), max(values)
    rows = [
        [text(one.run), *(_heat(one.languages.get(name), low, high) for name in task.languages)]
        for one in task.standings
    ]
    caption = f"{task.measure} in {task.task} by language"
    return table(["system", *task.languages], rows, caption)


def _cell(one: Standing | None) -> Cell:
    return interval(one.mean) if one else Cell(DASH)


def _worst(one: Standing) -> Cell:
    value = one.languages[one.worst]
    return Cell(f"{escape(one.worst)} {shown(value)}", value)


def _heat(value: float | None, low: float, high: float) -> Cell:
    if value is None:
        return Cell(DASH)
    shade = round((value - low) / (high - low) * SHADES) if high > low else 0
    return Cell(shown(value), value, f"h{shade}")
