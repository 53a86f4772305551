"""The page's drawings, in SVG: accuracy by tier, and fairness against quality."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pipeline.leaderboard.figures import TaskBoard

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 468, 14, 316  # of the plot; labels stand right of it
DODGE = 4  # between systems of one tier
LABEL_GAP = 15  # between the lines of labels
COLOURS = 10
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Scale:
    """Values along an axis to places in the drawing."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """Round values within the scale, few enough to be read."""
        reach = self.high - self.low
        step = next((one for one in STEPS if reach / one <= MOST_TICKS), reach / 4)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def tier_curves(task: TaskBoard, colours: Mapping[str, int]) -> str:
    """The means of each system by tier, with intervals; a broken line is a blind guess."""
    across = {tier: _between(place, len(task.tiers)) for place, tier in enumerate(task.tiers)}
    up = Scale(0.0, 1.0, BOTTOM, TOP)
    parts = [_upright_axis(up, task.measure)]
    parts += [_label(x, BOTTOM + 20, tier, "middle") for tier, x in across.items()]
    parts.append(_broken([(across[tier], up.at(task.chance[tier])) for tier in task.tiers]))
    ends = []
    for one in task.standings:
        aside = DODGE * (colours[one.run] - (COLOURS - 1) / 2)
        found = [(across[tier] + aside, own) for tier, own in one.tiers.items()]
        kind = f"s{colours[one.run]}"
        whiskers = "".join(
            f'<path class="whisker" d="M{x:.1f} {up.at(own.low):.1f}V{up.at(own.high):.1f}"/>'
            for x, own in found
        )
        marks = "".join(_mark(x, up.at(own.mean), colours[one.run]) for x, own in found)
        line = _path([(x, up.at(own.mean)) for x, own in found])
        parts.append(f'<g class="{kind}"><path class="line" d="{line}"/>{whiskers}{marks}</g>')
        x, last = found[-1]
        ends.append((x, up.at(last.mean), one.run, kind))
    parts += _named(ends)
    return _figure(parts, f"{task.measure} by tier, with 95 % intervals")


def fairness(task: TaskBoard, colours: Mapping[str, int]) -> str:
    """Each system's mean against what English is ahead of the other languages."""
    found = [(one.gap, one) for one in task.standings if one.gap is not None]
    if not found:
        return ""
    gaps, means = [gap for gap, _ in found], [one.mean.mean for _, one in found]
    across = Scale(*_reach([0.0, *gaps]), LEFT + 8, RIGHT)
    up = Scale(*_reach(means), BOTTOM, TOP)
    parts = [_upright_axis(up, task.measure), _level_axis(across)]
    ends = []
    for gap, one in found:
        x, y, kind = across.at(gap), up.at(one.mean.mean), f"s{colours[one.run]}"
        parts.append(f'<g class="{kind}">{_mark(x, y, colours[one.run])}</g>')
        ends.append((x, y, one.run, kind))
    parts += _named(ends)
    return _figure(parts, f"{task.measure} against the gap between English and the others")


def _reach(values: Sequence[float]) -> tuple[float, float]:
    """From the least to the greatest with some air, at least a tenth."""
    low, high = min(values), max(values)
    air = max(0.05, 0.08 * (high - low))
    return low - air, high + air


def _between(place: int, count: int) -> float:
    step = (RIGHT - LEFT) / count
    return LEFT + step * (place + 0.5)


def _upright_axis(scale: Scale, title: str) -> str:
    lines = "".join(
        f'<path class="grid" d="M{LEFT} {scale.at(one):.1f}H{RIGHT}"/>'
        + _label(LEFT - 8, scale.at(one) + 4, f"{one:.2f}", "end")
        for one in scale.ticks
    )
    turned = f"rotate(-90 12 {(TOP + BOTTOM) / 2:.0f})"
    middle = f'x="12" y="{(TOP + BOTTOM) / 2:.0f}" text-anchor="middle"'
    return f'{lines}<text {middle} transform="{turned}">{escape(title)}</text>'


def _level_axis(scale: Scale) -> str:
    lines = "".join(
        f'<path class="{"zero" if abs(one) < 1e-9 else "grid"}" '  # noqa: PLR2004 - rounding
        f'd="M{scale.at(one):.1f} {TOP}V{BOTTOM}"/>'
        + _label(scale.at(one), BOTTOM + 18, f"{one:.2f}".replace("-", "−"), "middle")
        for one in scale.ticks
    )
    title = "gap: English minus the mean of the others"
    return lines + _label((LEFT + RIGHT) / 2, BOTTOM + 38, title, "middle")


def _mark(x: float, y: float, colour: int) -> str:
    """A disc, square, diamond or triangle: systems are told apart without colours, too."""
    shapes = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>',
        f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>',
        f'<path d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6Z"/>',
        f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 10h-11Z"/>',
    )
    return shapes[colour % len(shapes)]


def _named(ends: Iterable[tuple[float, float, str, str]]) -> list[str]:
    """The systems' names at the right, each tied to its point, none upon another."""
    ordered = sorted(ends, key=lambda end: (end[1], end[2]))
    places = _spread([y for _, y, _, _ in ordered])
    return [
        f'<path class="tie {kind}" d="M{x + 7:.1f} {y:.1f}L{RIGHT + 10} {place:.1f}"/>'
        f'<text class="name {kind}" x="{RIGHT + 14}" y="{place + 4:.1f}">{escape(_short(name))}'
        f"<title>{escape(name)}</title></text>"
        for (x, y, name, kind), place in zip(ordered, places, strict=True)
    ]


def _spread(places: Sequence[float]) -> list[float]:
    """Ascending places moved apart, and up again where they would leave the drawing."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + LABEL_GAP) if moved else place)
    excess = max(0.0, moved[-1] - BOTTOM)
    found, limit = [], math.inf
    for place in reversed(moved):
        limit = min(place if not excess else min(place, BOTTOM), limit - LABEL_GAP)
        found.append(limit)
    return found[::-1]


def _short(name: str, most: int = 22) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _broken(points: Sequence[tuple[float, float]]) -> str:
    return f'<path class="chance" d="{_path(points)}"/>'


def _figure(parts: Iterable[str], label: str) -> str:
    return (
        f'<figure class="wide"><svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
        f"<figcaption>{escape(label)}</figcaption></figure>"
    )
