"""How far the quotas of real open data are filled: by connected components, by claims, at most.

MedQuAD and PubMedQA with an open Metathesaurus, as far as the claim; MMED_SHARED names their
folder.
"""

import json
import os
import pickle
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from tests.benchmarks.harness import ROOT, BenchmarkError, Figure, Workshop, ratio
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from splits.candidates import Candidate

PLAN = ROOT / "tests" / "plans" / "open.toml"
SOLVER_SECONDS = 420
LEAST_OF_BOUND, MOST_OF_TIME = 0.95, 0.01

_POOL = "pool.pickle"

Slot = tuple[str, str]


def figures(workshop: Workshop) -> list[Figure]:
    """Three ways over one pool; the solver runs once, as it is given minutes."""
    workshop.prepare("claim_open:prepare", workshop.folder)
    folder = str(workshop.folder)
    runs = workshop.measure(
        {
            "components": workshop.ours("claim_open:by_components", folder),
            "claims": workshop.ours("claim_open:by_claims", folder),
        }
    )
    naive, ours = runs["components"].answer, runs["claims"].answer
    solving = Workshop(workshop.folder, times=1)
    program = f"{folder}/program.json"
    bound = solving.measure(
        {"program": workshop.ours("upper_bound:solve", program, SOLVER_SECONDS)}
    )["program"]
    most = bound.answer["bound"]
    return [
        Figure("candidates", ours["candidates"], "queries"),
        Figure("asked for", ours["asked"], "queries"),
        Figure("largest component", naive["largest"] / naive["candidates"], "share"),
        Figure("kept by components", naive["kept"] / naive["candidates"], "share"),
        Figure("filled by components", naive["filled"], "queries"),
        Figure("filled by claims", ours["filled"], "queries"),
        Figure("found by an integer program", bound.answer["filled"], "queries"),
        Figure("that no way exceeds", most, "queries"),
        Figure("missed of that by claims", 1 - ours["filled"] / most, "share", 1 - LEAST_OF_BOUND),
        *(Figure(f"{way}: {slot}", n, "queries") for way, slot, n in _by_slot(naive, ours)),
        Figure("claims: CPU", runs["claims"].seconds["claim"], "s"),
        Figure("linear program, for the bound alone: CPU", bound.seconds["relax"], "s"),
        Figure("integer program: CPU", bound.seconds["solve"], "s"),
        ratio(
            "CPU: claims, to the program",
            *(runs["claims"].seconds["claim"], bound.seconds["solve"], MOST_OF_TIME),
        ),
    ]


def _by_slot(naive: Any, ours: Any) -> Iterator[tuple[str, str, int]]:  # noqa: ANN401
    for slot in ours["slots"]:
        yield "components", slot, naive["slots"].get(slot, 0)
        yield "claims", slot, ours["slots"][slot]


def prepare(folder: str) -> int:
    """Run the build as far as the claim and keep its pool, and the pool as an integer program."""
    pool, plan = _pool_of_a_build(), _plan()
    from pipeline.stages.claims import _classes, _conflicts, asked
    from splits.classes import with_classes

    compacts = sorted(pool, key=lambda compact: compact[0].candidate_id)
    candidates = with_classes((one for one, _, _ in compacts), _classes(compacts, plan))
    kept = candidates, asked(plan), plan.seed, _conflicts(compacts, plan)
    Path(folder, _POOL).write_bytes(pickle.dumps(kept))
    program = _program(kept[0], kept[1], kept[3])
    Path(folder, "program.json").write_text(json.dumps(program), "utf-8")
    return len(pool)


def _plan() -> Any:  # noqa: ANN401
    from pipeline.plan_file import load_plan

    data = Path(os.environ.get("MMED_SHARED") or ROOT.parent / "shared") / "data"
    if not data.is_dir():
        raise BenchmarkError(f"{data}: no open data; set MMED_SHARED to a folder that holds data/")
    changes = (
        f"umls.meta={data}/openmeta/META",
        f"evidence.0.path={data}/medquad",
        f"evidence.1.path={data}/pubmedqa/ori_pqal.json",
    )
    return load_plan(str(PLAN), changes)


class _StopError(Exception):
    """Ends a build where the claim would begin."""


def _pool_of_a_build() -> list[Any]:
    from pipeline.dag import build_graph
    from pipeline.inputs import find_inputs
    from pipeline.release.layout import WORK
    from pipeline.stages import claims
    from pipeline.stages.running import Engine, empty_graph

    def keep(group: tuple[int, Iterable[Any]], _: object, folder: str) -> None:
        """By way of a file: Beam calls a copy of this function, with copies of what it sees."""
        Path(folder, _POOL).write_bytes(pickle.dumps(list(group[1])))
        raise _StopError

    plan = _plan()
    inputs = find_inputs(plan)
    with patch.object(claims, "claim_and_tell", keep), tempfile.TemporaryDirectory() as folder:
        Path(folder, WORK).mkdir()
        with empty_graph(Engine()) as graph:
            build_graph(graph, plan, inputs.meta, inputs.units, folder)
            try:
                graph.run().wait_until_finish()
            except Exception:
                if not Path(folder, _POOL).is_file():
                    raise
        found: list[Any] = pickle.loads(Path(folder, _POOL).read_bytes())
    return found


def _kept(folder: str) -> tuple[list["Candidate"], dict[Slot, int], int, list[tuple[str, str]]]:
    found: tuple[list[Candidate], dict[Slot, int], int, list[tuple[str, str]]] = pickle.loads(
        Path(folder, _POOL).read_bytes()
    )
    return found


def by_claims(folder: str) -> dict[str, Any]:
    """What the project does."""
    from splits.claim import claim

    pool, quotas, seed, conflicts = _kept(folder)
    with timed("claim"):
        outcome = claim(pool, quotas, seed, conflicts)
    filled = {slot: quotas[slot] - outcome.shortfall[slot] for slot in quotas}
    return _answer(pool, quotas, filled)


def by_components(folder: str) -> dict[str, Any]:
    """Whole components of candidates that share CUIs, the largest first, to who lacks most."""
    pool, quotas, _, _ = _kept(folder)
    groups = _components(pool)
    tasks = sorted({task for task, _ in quotas})
    asked = {task: sum(n for slot, n in quotas.items() if slot[0] == task) for task in tasks}
    kept: list[Candidate] = []
    have: Counter[str] = Counter()
    for group in sorted(groups, key=lambda one: (-len(one), one[0].candidate_id)):
        there = Counter(one.task for one in group)
        best = min(there, key=lambda task: (have[task] / max(1, asked[task]), task))
        have[best] += there[best]
        kept += [one for one in group if one.task == best]
    filled = _fill(kept, quotas)
    more = {"largest": max(map(len, groups)), "kept": len(kept)}
    return _answer(pool, quotas, filled) | more


def _components(pool: list["Candidate"]) -> list[list["Candidate"]]:
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (over := above.setdefault(name, name)) != name:
            above[name] = name = above[over]
        return name

    for one in pool:
        for key in one.keys:
            if key.startswith("cui:"):
                above[top(key)] = top(one.candidate_id)
    groups: defaultdict[str, list[Candidate]] = defaultdict(list)
    for one in pool:
        groups[top(one.candidate_id)].append(one)
    return list(groups.values())


def _fill(kept: list["Candidate"], quotas: dict[Slot, int]) -> dict[Slot, int]:
    """Quotas filled in order of ids, under the rules that hold within a task."""
    filled: Counter[Slot] = Counter()
    used: set[tuple[str, str]] = set()
    shown: dict[tuple[str, str], str] = {}
    for one in kept:
        slot, unique = (one.task, one.stratum), {(one.task, key) for key in one.unique}
        shared = [(one.task, key) for key in one.shared]
        free = all(shown.get(key, one.circle) == one.circle for key in shared)
        if filled[slot] < quotas[slot] and free and not unique & used:
            filled[slot] += 1
            used |= unique
            shown.update(dict.fromkeys(shared, one.circle))
    return dict(filled)


def _answer(
    pool: list["Candidate"], quotas: dict[Slot, int], filled: dict[Slot, int]
) -> dict[str, Any]:
    slots = {"-".join(filter(None, slot)): number for slot, number in sorted(filled.items())}
    total, asked = sum(filled.values()), sum(quotas.values())
    return {"candidates": len(pool), "asked": asked, "filled": total, "slots": slots}


def _program(
    pool: list["Candidate"], quotas: dict[Slot, int], conflicts: list[tuple[str, str]]
) -> dict[str, Any]:
    """The pool by numbers; a pair is a key with a task, or a circle (tests.benchmarks.upper_bound).

    Only keys that two tasks want can part them: others need no number.
    """
    slots = sorted(quotas)
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for one in pool:
        for key in one.keys:
            wanted[key].add(one.task)
    pairs: dict[tuple[str, ...], int] = {}
    alone: dict[tuple[str, str], int] = {}
    keys: defaultdict[str, set[int]] = defaultdict(set)
    shown: defaultdict[str, set[int]] = defaultdict(set)

    def number(*pair: str) -> int:
        return pairs.setdefault(pair, len(pairs))

    candidates = []
    for one in pool:
        held = [key for key in sorted(set(one.keys)) if len(wanted[key]) > 1]
        circles = [number("circle", one.task, one.circle)] if one.shared else []
        for key in held:
            keys[key].add(number("key", key, one.task))
        for key in one.shared:
            shown[f"{one.task} {key}"].update(circles)
        candidates.append(
            {
                "slot": slots.index((one.task, one.stratum)),
                "pairs": [number("key", key, one.task) for key in held],
                "circles": circles,
                "unique": [
                    alone.setdefault((one.task, key), len(alone)) for key in sorted(set(one.unique))
                ],
            }
        )
    place = {one.candidate_id: at for at, one in enumerate(pool)}
    return {
        "candidates": candidates,
        "quotas": [quotas[slot] for slot in slots],
        "pairs": len(pairs),
        "keys": [sorted(members) for _, members in sorted(keys.items())],
        "shown": [sorted(members) for _, members in sorted(shown.items())],
        "conflicts": [[place[one], place[other]] for one, other in conflicts],
    }
