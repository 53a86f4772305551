"""The leaderboard as a picture for papers: means with intervals and rank groups, and the tiers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pipeline.drawing import COLOURS, LINE, MARKS, QUIET, Canvas
from pipeline.leaderboard.figures import Board, TaskBoard
from pipeline.scorer.resampling import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Tiers = Mapping[str, Interval]

DODGE = 0.04  # between systems of one tier, of the way to the next


def draw_board(board: Board) -> bytes:
    """A PNG of one panel a task, and of one for the tiers where there are any."""
    tiered = [task for task in board.tasks if task.tiers]
    panels = len(board.tasks) + len(tiered)
    canvas = Canvas(3.4 * panels, 1.5 + 0.32 * len(board.runs), panels)
    for panel, task in zip(canvas.panels, board.tasks, strict=False):
        _draw_means(panel, task)
    for panel, task in zip(canvas.panels[len(board.tasks) :], tiered, strict=True):
        by_run = {one.run: one.tiers for one in task.standings}
        lines = {run: by_run[run] for run in board.runs if run in by_run}
        draw_tiers(panel, lines, task.chance, f"{task.task} by tier: {task.measure}")
        name_lines(panel)
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


def draw_tiers(
    panel: "Axes", lines: Mapping[str, Tiers], chance: Mapping[str, float], title: str
) -> None:
    """A line a system, in the order in which they come, and a broken one for a blind guess.

    The tiers are those of ``chance``.
    """
    across = {tier: place for place, tier in enumerate(chance)}
    for at, (name, tiers) in enumerate(lines.items()):
        aside = DODGE * (at - (len(lines) - 1) / 2)
        panel.errorbar(
            [across[tier] + aside for tier in tiers],
            [own.mean for own in tiers.values()],
            _whiskers(tiers),
            color=COLOURS[at % len(COLOURS)],
            marker=MARKS[at % len(MARKS)],
            capsize=2,
            label=name,
        )
    panel.plot(list(across.values()), list(chance.values()), "--", color=QUIET, label="chance")
    panel.set_xticks(list(across.values()), list(across))
    panel.set_xlim(-0.4, len(across) - 0.6)
    panel.set_ylim(0, 1.02)
    panel.grid(axis="y", color=LINE)
    panel.set_title(title, loc="left", fontsize=10, parse_math=False)


def name_lines(panel: "Axes") -> None:
    """A legend beside the last panel."""
    panel.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def _whiskers(tiers: Tiers) -> list[list[float]]:
    """How far the intervals reach below and above; a mean can lie outside its own by rounding."""
    below = [max(0.0, own.mean - own.low) for own in tiers.values()]
    return [below, [max(0.0, own.high - own.mean) for own in tiers.values()]]
