"""The leaderboard as a picture for papers: means with intervals and rank groups, and the tiers."""

from typing import TYPE_CHECKING

from pipeline.drawing import COLOURS, LINE, MARKS, QUIET, Canvas
from pipeline.leaderboard.figures import Board, TaskBoard

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DODGE = 0.04  # between systems of one tier, of the way to the next


def draw_board(board: Board) -> bytes:
    """A PNG of one panel a task, and of one for the tiers where there are any."""
    tiered = [task for task in board.tasks if task.tiers]
    panels = len(board.tasks) + len(tiered)
    canvas = Canvas(3.4 * panels, 1.5 + 0.32 * len(board.runs), panels)
    for panel, task in zip(canvas.panels, board.tasks, strict=False):
        _draw_means(panel, task)
    for panel, task in zip(canvas.panels[len(board.tasks) :], tiered, strict=True):
        _draw_tiers(panel, task, board.runs)
    return canvas.png()


def _draw_means(panel: "Axes", task: TaskBoard) -> None:
    places = range(len(task.standings))
    for place, one in zip(places, task.standings, strict=True):
        panel.plot([one.mean.low, one.mean.high], [place, place], color=COLOURS[0], linewidth=2)
        panel.plot([one.mean.mean], [place], "o", color=COLOURS[0], markersize=5)
    labels = [f"{one.run}  [{', '.join(map(str, one.groups))}]" for one in task.standings]
    panel.set_yticks(list(places), labels, parse_math=False)
    panel.set_ylim(len(task.standings) - 0.4, -0.6)
    panel.set_xlim(0, 1)
    panel.grid(axis="x", color=LINE)
    panel.set_title(f"{task.task}: {task.measure}", loc="left", fontsize=10)


def _draw_tiers(panel: "Axes", task: TaskBoard, runs: tuple[str, ...]) -> None:
    across = {tier: place for place, tier in enumerate(task.tiers)}
    for one in task.standings:
        at = runs.index(one.run)
        colour, mark = COLOURS[at % len(COLOURS)], MARKS[at % len(MARKS)]
        aside = DODGE * (at - (len(runs) - 1) / 2)
        found = [(across[tier] + aside, own) for tier, own in one.tiers.items()]
        panel.errorbar(
            [x for x, _ in found],
            [own.mean for _, own in found],
            [[own.mean - own.low for _, own in found], [own.high - own.mean for _, own in found]],
            color=colour, marker=mark, capsize=2, label=one.run,
        )  # fmt: skip
    chance = [task.chance[tier] for tier in task.tiers]
    panel.plot(list(across.values()), chance, "--", color=QUIET, label="chance")
    panel.set_xticks(list(across.values()), list(across))
    panel.set_xlim(-0.4, len(across) - 0.6)
    panel.set_ylim(0, 1.02)
    panel.grid(axis="y", color=LINE)
    panel.set_title(f"{task.task} by tier: {task.measure}", loc="left", fontsize=10)
    panel.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
