"""How far the quotas of a pool of candidates can be filled at all, by an integer program (HiGHS).

Runs where the peers are installed. A candidate is accepted or not, a key is a task's or not; what
is accepted needs all its keys for its task. Circles of confusion sets are shown or not; the rest
may be parts, which only loosens the bound. The program's own bound holds even where it has no time
left to find the best outcome.
"""

import json
from pathlib import Path
from typing import Any

from tests.benchmarks.timing import timed


def solve(path: str, seconds: str) -> dict[str, float]:
    """Read the pool of `path`; gives what the program fills, and what nobody can exceed."""
    pool = json.loads(Path(path).read_text("utf-8"))
    with timed("solve"):
        result = _solved(pool, float(seconds))
    return {"filled": round(-result.fun), "bound": int(-result.mip_dual_bound + 1e-6)}


def _solved(pool: dict[str, Any], seconds: float) -> Any:  # noqa: ANN401 - SciPy has no type for it
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
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
    return milp(
        objective,
        constraints=LinearConstraint(matrix, -np.inf, limits),
        bounds=Bounds(0, 1),
        integrality=whole,
        options={"time_limit": seconds},
    )


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
