"""Whether the tiers of a release are as hard as they are named, by systems that did not mine them.

Accuracy of the first rank by tier and language, with intervals over circles of concepts; what they
come to when tiers are dealt out anew; and what one finds who never reads the question.
"""

import itertools
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.confusion_report import find_shortcuts
from pipeline.drawing import Canvas, can_draw
from pipeline.leaderboard.picture import draw_tiers, name_lines
from pipeline.release.amending import amend
from pipeline.release.layout import TIERS
from pipeline.release.pictures import FOLDER as PICTURES
from pipeline.scorer.clusters import Clusters, find_clusters
from pipeline.scorer.release import Release, open_release
from pipeline.scorer.resampling import Interval, bootstrap, stratify
from pipeline.scorer.score import RunScores, SubsetScores, score
from pipeline.systems.base import System
from pipeline.systems.retrieve import retrieve
from umls_tools.confusion.shortcuts import Found

MEASURE = "accuracy@1"
TASK = "concepts"
TITLE = "Difficulty of the tiers"
DIFFICULTY = "quality/difficulty.json"
PICTURE = f"{PICTURES}/difficulty.png"
DEALS = 20  # of tiers, anew
NOT_MINED_WITH = ("bm25",)  # what judges unless systems are named; tf-idf ranks distractors


@dataclass(frozen=True, slots=True)
class Curve:
    """A system's accuracy by tier in one language."""

    system: str
    language: str
    tiers: Mapping[str, Interval]

    @property
    def falls(self) -> bool:
        """Whether every tier is harder than the one before, easy and hard beyond doubt."""
        found = [self.tiers[tier] for tier in TIERS if tier in self.tiers]
        falling = all(one.mean > two.mean for one, two in itertools.pairwise(found))
        return falling and len(found) > 1 and found[0].low > found[-1].high


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What was measured; `deals` is by how many deals of the tiers a curve falls all the same."""

    curves: tuple[Curve, ...]
    deals: Mapping[str, int]
    shortcuts: Mapping[str, Sequence[Found]]  # by tier

    @property
    def faults(self) -> list[str]:
        """What does not hold, in words; empty when the tiers are what they are called."""
        return [*self._of_tiers(), *self._of_shortcuts()]

    def _of_tiers(self) -> Iterator[str]:
        for curve in self.curves:
            if curve.language == "en" and not curve.falls:
                shown = ", ".join(f"{tier} {one.mean:.3f}" for tier, one in curve.tiers.items())
                yield f"{curve.system}: accuracy@1 does not fall from tier to tier: {shown}"
        for system, passed in self.deals.items():
            if passed > 1:
                yield f"{system}: falls in {passed} of {DEALS} deals of the tiers, too"

    def _of_shortcuts(self) -> Iterator[str]:
        for tier, rates in self.shortcuts.items():
            for one in rates:
                if not one.is_near_chance:
                    found = f"“{one.shortcut}” finds {one.rate:.3f} of the golds"
                    yield f"{tier}: {found}, chance is {one.chance:.3f}"


def measure_difficulty(
    root: Path, systems: Sequence[System], runs: Sequence[Path] = (), seed: int = 0
) -> Difficulty:
    """Let systems, or runs of others, judge the tiers of a release."""
    release = open_release(root)
    with tempfile.TemporaryDirectory() as folder:
        own = [_retrieved(release, system, Path(folder)) for system in systems]
        scored = score(root, [*own, *runs], measures=[MEASURE]).runs
    answered = [_of_concepts(run) for run in scored]
    subsets = {part.subset for run in answered for part in run.subsets}
    clusters = find_clusters(release, subsets)
    curves = tuple(curve for run in answered for curve in _curves(run, clusters, seed))
    deals = {run.name: _deals(run, clusters) for run in answered}
    return Difficulty(curves, deals, find_shortcuts(root))


def difficulty_json(found: Difficulty) -> dict[str, Any]:
    """All of it, for a machine."""
    return {
        "measure": MEASURE,
        "curves": [
            {
                "system": curve.system,
                "language": curve.language,
                "falls": curve.falls,
                "tiers": {tier: asdict(one) for tier, one in curve.tiers.items()},
            }
            for curve in found.curves
        ],
        "deals": {"of": DEALS, "falling": dict(found.deals)},
        "shortcuts": [
            {
                "tier": tier,
                "shortcut": one.shortcut,
                "rate": one.rate,
                "chance": one.chance,
                "is_near": one.is_near_chance,
            }
            for tier, rates in found.shortcuts.items()
            for one in rates
        ],
        "faults": found.faults,
    }


def difficulty_section(found: Difficulty) -> str:
    """A section of the card."""
    tiers = [tier for tier in TIERS if any(tier in curve.tiers for curve in found.curves)]
    lines = [
        f"## {TITLE}",
        "",
        "Accuracy@1 by systems that the sets were not mined with, with 95 % intervals over circles",
        "of concepts. Chance is one over the number of candidates.",
        "",
        f"| system | language | {' | '.join(tiers)} |",
        f"| --- | --- |{' --- |' * len(tiers)}",
    ]
    for curve in found.curves:
        cells = (_cell(curve.tiers.get(tier)) for tier in tiers)
        lines.append(f"| {curve.system} | {curve.language} | {' | '.join(cells)} |")
    dealt = ", ".join(f"{name} {passed}" for name, passed in sorted(found.deals.items()))
    lines += ["", f"Falling in {DEALS} deals of the tiers anew: {dealt}."]
    lines += ["", *(f"- **{one}**" for one in found.faults)] if found.faults else []
    return "\n".join(lines) + "\n"


def write_difficulty(root: Path, found: Difficulty) -> None:
    """Put it into the card, beside the verdicts as JSON, and, where one can draw, as a picture."""
    section, pictures = difficulty_section(found), dict[str, bytes]()
    if can_draw():
        pictures[PICTURE] = difficulty_picture(found)
        section += f"\n![Accuracy@1 by tier, system and language]({PICTURE})\n"
    amend(root, TITLE, section, DIFFICULTY, difficulty_json(found), pictures)


def difficulty_picture(found: Difficulty) -> bytes:
    """A PNG of a panel a language: accuracy by tier with intervals, a line a system."""
    languages = list(dict.fromkeys(curve.language for curve in found.curves))
    systems = dict.fromkeys(curve.system for curve in found.curves)
    by_tier = {tier: rates[0].chance for tier, rates in found.shortcuts.items() if rates}
    chance = {tier: by_tier[tier] for tier in TIERS if tier in by_tier}
    canvas = Canvas(1.2 + 2.3 * len(languages), 3, len(languages))
    for panel, language in zip(canvas.panels, languages, strict=True):
        own = {one.system: one.tiers for one in found.curves if one.language == language}
        lines = {system: own.get(system, {}) for system in systems}
        draw_tiers(panel, lines, chance, f"{language}: {MEASURE}")
    name_lines(canvas.panels[-1])
    return canvas.png()


def _retrieved(release: Release, system: System, folder: Path) -> Path:
    wanted = [one.name for one in release.subsets if one.task == TASK]
    retrieve(release.root, system, folder / system.name, subsets=wanted)
    return folder / system.name


def _of_concepts(run: RunScores) -> RunScores:
    parts = tuple(part for part in run.subsets if part.subset.task == TASK)
    return replace(run, subsets=parts)


def _curves(run: RunScores, clusters: Clusters, seed: int) -> Iterator[Curve]:
    for language in dict.fromkeys(part.subset.language for part in run.subsets):
        parts = [part for part in run.subsets if part.subset.language == language]
        tiers = {part.subset.tier: _interval([part], clusters, seed) for part in parts}
        yield Curve(run.name, language, tiers)


def _interval(parts: Sequence[SubsetScores], clusters: Clusters, seed: int) -> Interval:
    values = [part.values[MEASURE] for part in parts]
    codes = [clusters.codes(part.judgements.queries) for part in parts]
    return bootstrap(stratify(values, codes, clusters.count), seed)


def _deals(run: RunScores, clusters: Clusters) -> int:
    """In how many deals of the English sets' tiers, circle by circle, the curve falls as well."""
    parts = [part for part in run.subsets if part.subset.language == "en"]
    if not parts:
        return 0
    values = np.concatenate([part.values[MEASURE] for part in parts])
    codes = np.concatenate([clusters.codes(part.judgements.queries) for part in parts])
    sizes = [len(set(clusters.codes(part.judgements.queries).tolist())) for part in parts]
    cuts = np.cumsum(sizes)[:-1]
    passed = 0
    for deal in range(DEALS):
        dealt = np.split(np.random.default_rng(deal).permutation(np.unique(codes)), cuts)
        tiers = {}
        for part, own in zip(parts, dealt, strict=True):
            among = np.isin(codes, own)
            strata = stratify([values[among]], [codes[among]], clusters.count)
            tiers[part.subset.tier] = bootstrap(strata, deal, 500)
        passed += Curve(run.name, "en", tiers).falls
    return passed


def _cell(one: Interval | None) -> str:
    return f"{one.mean:.3f} ({one.low:.3f}–{one.high:.3f})" if one else "–"
