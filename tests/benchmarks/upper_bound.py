"""How far the quotas of a pool of candidates can be filled at all, by an integer program (HiGHS).

A candidate is accepted or not, a key is a task's or not; what is accepted needs all its keys for
its task. Circles of confusion sets are shown or not; the rest may be parts, which only loosens the
bound. Without whole circles it is a linear program, whose best no outcome exceeds; the integer
program's own bound is that or less, and holds even where it has no time left to find the best.
"""

import json
from pathlib import Path
from typing import Any

from tests.benchmarks.timing import timed


def solve(path: str, seconds: str) -> dict[str, float]:
    """Read the pool of `path`; gives what the program fills, and what nobody can exceed."""
    pool = json.loads(Path(path).read_text("utf-8"))
    program, circles = _program(pool)
    with timed("relax"):
        relaxed = _solved(program, circles * 0, float(seconds))
    with timed("solve"):
        result = _solved(program, circles, float(seconds))
    bounds = {"relaxed": -relaxed.fun, "bound": -result.mip_dual_bound}
    whole = {name: int(bound + 1e-6) for name, bound in bounds.items()}
    return {"filled": 0 if result.x is None else round(-result.fun)} | whole


def _solved(program: Any, whole: Any, seconds: float) -> Any:  # noqa: ANN401 - SciPy has no types
    from scipy.optimize import Bounds, milp

    objective, constraints = program
    options = {"time_limit": seconds}
    return milp(
        objective,
        constraints=constraints,
        bounds=Bounds(0, 1),
        integrality=whole,
        options=options,
    )


def _program(pool: dict[str, Any]) -> tuple[Any, Any]:
    """The objective and constraints, and which columns are circles: 1 where they are."""
    import numpy as np
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array

    candidates, rows = pool["candidates"], list(_rows(pool))
    columns = len(candidates) + pool["pairs"]
    entries = [(row, at, value) for row, (terms, _) in enumerate(rows) for at, value in terms]
    at_row, at_column, values = (np.array(one) for one in zip(*entries, strict=True))
    matrix = csr_array((values, (at_row, at_column)), shape=(len(rows), columns))
    objective = np.zeros(columns)
    objective[: len(candidates)] = -1
    whole = np.zeros(columns, int)
    circles = {circle for one in candidates for circle in one["circles"]}
    whole[[len(candidates) + circle for circle in sorted(circles)]] = 1
    limits = np.array([limit for _, limit in rows], float)
    return (objective, LinearConstraint(matrix, -np.inf, limits)), whole


def _rows(pool: dict[str, Any]) -> Any:  # noqa: ANN401
    """Each (column, factor) of a sum, and what the sum may be at most."""
    first = len(pool["candidates"])
    slots: dict[int, list[int]] = {}
    alone: dict[int, list[int]] = {}
    for at, one in enumerate(pool["candidates"]):
        slots.setdefault(one["slot"], []).append(at)
        for key in one["unique"]:
            alone.setdefault(key, []).append(at)
        for needed in (*one["pairs"], *one["circles"]):  # accepted only with all of them
            yield [(at, 1), (first + needed, -1)], 0
    for members in (*pool["keys"], *pool["shown"]):  # one task a key, one circle a concept
        yield [(first + pair, 1) for pair in members], 1
    sums = [(members, pool["quotas"][slot]) for slot, members in slots.items()]
    for members, limit in (*sums, *((one, 1) for one in (*alone.values(), *pool["conflicts"]))):
        yield [(at, 1) for at in members], limit
