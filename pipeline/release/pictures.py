"""The pictures of a release: what its build left out, and its queries by subset and language.

Drawn where the extra ``plots`` is installed. They count for no build hash: what they show stands in
card and manifest as figures.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.drawing import COLOURS, LINE, Canvas, can_draw
from pipeline.release.contents import Contents, SubsetContents
from pipeline.release.manifest import StageCount

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "In pictures"
FOLDER = "pictures"
FUNNEL, LANGUAGES = f"{FOLDER}/funnel.png", f"{FOLDER}/languages.png"
KEPT, LEFT_OUT, BESIDE = COLOURS[0], COLOURS[1], "#a9cbd9"
CAPTIONS = {
    FUNNEL: "What each stage of the build kept and left out; the reasons stand in the table",
    LANGUAGES: "Queries by subset and language; the darker part is the parallel core",
}


def write_pictures(root: Path, contents: Contents, counts: Sequence[StageCount]) -> list[str]:
    """Draw into a release; returns the paths, none without the extra ``plots``."""
    if not can_draw():
        return []
    drawn = {FUNNEL: draw_funnel(counts), LANGUAGES: draw_languages(contents)}
    for path, picture in drawn.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(picture)
    return list(drawn)


def pictures_section(paths: Sequence[str]) -> str:
    """The card's section that shows them."""
    shown = [f"![{CAPTIONS[path]}]({path})\n\n{CAPTIONS[path]}.\n" for path in paths]
    return "\n".join([f"## {TITLE}\n", *shown])


def draw_funnel(counts: Sequence[StageCount]) -> bytes:
    """A bar a stage: the share of what it took in that it left out, and the numbers beside it.

    Stages count different things, files' rows, concepts, questions or queries, so only shares are
    drawn to scale.
    """
    shown = [count for count in counts if count.taken]
    canvas = Canvas(8, 0.9 + 0.3 * max(1, len(shown)))
    (panel,) = canvas.panels
    for place, count in enumerate(shown):
        lost = min(1.0, sum(count.rejected.values()) / count.taken)
        panel.barh(place, 100 * (1 - lost), color=KEPT, height=0.7)
        panel.barh(place, 100 * lost, left=100 * (1 - lost), color=LEFT_OUT, height=0.7)
        panel.text(101.5, place, f"{count.taken:,} → {count.given:,}", va="center", fontsize=8)
    panel.set_yticks(range(len(shown)), [count.stage for count in shown], parse_math=False)
    panel.set_ylim(len(shown) - 0.4, -0.6)
    panel.set_xlim(0, 125)
    panel.set_xticks(range(0, 101, 25))
    panel.set_xlabel("kept (blue) and left out (red), per cent of what came in")
    return canvas.png()


def draw_languages(contents: Contents) -> bytes:
    """A panel a task and tier, a bar a language."""
    families: dict[str, list[SubsetContents]] = {}
    for entry in contents.subsets:
        name = " ".join(filter(None, (entry.subset.task, entry.subset.tier)))
        families.setdefault(name, []).append(entry)
    canvas = Canvas(max(3.0, 2.3 * len(families)), 2.8, max(1, len(families)))
    most = max((entry.queries for entry in contents.subsets), default=1)
    for panel, (name, entries) in zip(canvas.panels, families.items(), strict=False):
        _draw_family(panel, name, entries, most)
    return canvas.png()


def _draw_family(panel: "Axes", name: str, entries: Sequence[SubsetContents], most: int) -> None:
    languages = [entry.subset.language for entry in entries]
    panel.bar(languages, [entry.queries for entry in entries], color=BESIDE)
    panel.bar(languages, [entry.parallel_core for entry in entries], color=KEPT)
    panel.set_ylim(0, 1.05 * most)
    panel.grid(axis="y", color=LINE)
    panel.set_axisbelow(True)
    panel.set_title(name, loc="left", fontsize=10)
