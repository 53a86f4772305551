"""Plans as TOML files: read strictly, with changes of the command line, whole or not at all.

Paths are relative to the plan's file; ``gs://`` and the like stand as they are.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from pipeline.evidence import READERS
from pipeline.evidence.cutting import Passages
from pipeline.overlap import Overlap
from pipeline.plan import (
    ASKED_TASKS,
    Concepts,
    Grounding,
    Plan,
    Source,
    Task,
    TierPlan,
    Translating,
    Umls,
)
from pipeline.plan_checks import check_plan
from pipeline.settings import PlanError, choose, construct, known
from qa_filters.filters import FILTERS
from translation.engines import ENGINES
from umls_tools.confusion.tiers import TIERS

T = TypeVar("T")

# How a change of the command line is noted at the end of the plan that the manifest holds.
CHANGE = "\n# --set "

# Both are folders of the output, and the version is a semantic one (https://semver.org).
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")


def bundled_plans() -> dict[str, Path]:
    """The plans that come with the package, by name."""
    folder = Path(str(files("pipeline") / "plans"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def load_plan(name_or_path: str, changes: Sequence[str] = ()) -> Plan:
    """Read a plan from a file, or a bundled one by its name, with ``key=value`` changes applied."""
    bundled = bundled_plans()
    path = bundled.get(name_or_path, Path(name_or_path))
    if not path.is_file():
        raise PlanError(f"{name_or_path}: no such plan file; bundled: {', '.join(bundled)}")
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise PlanError(f"{path}: not valid TOML: {error}") from error
    return plan_of(text, path.parent, changes, str(path))


def plan_of(text: str, folder: Path, changes: Sequence[str], where: str) -> Plan:
    """The plan of a TOML text, with ``key=value`` changes applied and noted in its own text."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{where}: not valid TOML: {error}") from error
    for change in changes:
        apply_change(tables, change)
    return parse_plan(tables, folder, text + "".join(CHANGE + change for change in changes))


def apply_change(tables: dict[str, Any], change: str) -> None:
    """Apply one ``dotted.key=value`` of the command line; the value is TOML, or else a string.

    In a list, a key is a place that is there, counted from 0.
    """
    key, equals, value = change.partition("=")
    if not equals:
        raise PlanError(f"--set {change}: expected key=value")
    table: Any = tables
    *parents, last = key.split(".")
    for place, parent in enumerate(parents):
        if isinstance(table, list):
            table = table[_place(table, parent, change)]
        else:
            table = table.setdefault(parent, {})
        if not isinstance(table, (dict, list)):
            raise PlanError(f"--set {change}: {'.'.join(parents[: place + 1])} is no table")
    table[_place(table, last, change) if isinstance(table, list) else last] = _toml_value(value)


def _place(entries: Sequence[Any], key: str, change: str) -> int:
    if not (key.isdecimal() and int(key) < len(entries)):
        raise PlanError(f"--set {change}: {key!r} is no place in a list of {len(entries)}")
    return int(key)


def _toml_value(value: str) -> Any:  # noqa: ANN401
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def parse_plan(tables: Mapping[str, Any], folder: Path, text: str) -> Plan:
    """Turn parsed TOML into a Plan; raises PlanError on the first thing that does not fit."""
    values = dict(tables)
    if "text" in values:
        raise PlanError("plan: unknown key 'text'")
    values.setdefault("title", values.get("name", ""))
    if values.get("notes"):
        values["notes"] = resolve(str(values["notes"]), folder)
    values["umls"] = _umls(_table(values, "umls"), folder)
    values["evidence"] = _evidence(values.get("evidence", []), folder)
    values["passages"] = construct(Passages, _table(values, "passages"), "passages")
    values["grounding"] = construct(Grounding, _table(values, "grounding"), "grounding")
    values["tasks"] = _tasks(_tables(values, "tasks"))
    values["concepts"] = construct(Concepts, _table(values, "concepts"), "concepts")
    values["tiers"] = _tiers(_tables(values, "tiers"))
    values["translation"] = _translation(_table(values, "translation"), folder)
    values["filters"] = {
        name: _entry(FILTERS, name, entry, f"filters.{name}")
        for name, entry in sorted(_tables(values, "filters").items())
    }
    values["overlap"] = _overlap(_table(values, "overlap"), folder)
    plan = construct(Plan, values | {"text": text}, "plan")
    _check_folders(plan)
    check_plan(plan)
    return plan


def _table(values: Mapping[str, Any], key: str, within: str = "") -> dict[str, Any]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise PlanError(f"{within}{key}: expected a table")
    return table


def _tables(values: Mapping[str, Any], key: str) -> dict[str, dict[str, Any]]:
    """A table that holds nothing but tables."""
    outer = _table(values, key)
    return {name: _table(outer, name, f"{key}.") for name in outer}


def _entry(registry: Mapping[str, type[T]], name: str, values: Mapping[str, Any], where: str) -> T:
    return construct(choose(registry, name, where), values, where)


def _umls(values: dict[str, Any], folder: Path) -> Umls:
    umls = construct(Umls, values, "umls")
    return replace(umls, meta=resolve(umls.meta, folder))


def _evidence(entries: Any, folder: Path) -> tuple[Source, ...]:  # noqa: ANN401
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PlanError("evidence: expected tables, each under [[evidence]]")
    return tuple(_source(entry, f"evidence[{at}]", folder) for at, entry in enumerate(entries))


def _source(values: dict[str, Any], where: str, folder: Path) -> Source:
    shared = ("reader", "path", "tasks", "name", "corpus_size")
    for key in ("reader", "path", "tasks"):
        if key not in values:
            raise PlanError(f"{where}: {key!r} is missing")
    own = {key: value for key, value in values.items() if key not in shared}
    reader = _entry(READERS, values["reader"], own, where)
    given = {key: values[key] for key in shared if key in values}
    named = {"name": values["reader"], **given, "reader": reader}
    source = construct(Source, named, where)
    for task in source.tasks:
        if task not in ASKED_TASKS:
            raise PlanError(f"{where}: unknown task {task!r}; {known(task, ASKED_TASKS)}")
    if not source.tasks or len(set(source.tasks)) != len(source.tasks):
        raise PlanError(f"{where}: tasks: expected at least one, and each once")
    return replace(source, path=resolve(source.path, folder))


def _tasks(values: dict[str, dict[str, Any]]) -> dict[str, Task]:
    for name in values:
        if name not in ASKED_TASKS:
            raise PlanError(f"tasks: unknown task {name!r}; {known(name, ASKED_TASKS)}")
    return {name: construct(Task, entry, f"tasks.{name}") for name, entry in values.items()}


def _tiers(values: dict[str, dict[str, Any]]) -> dict[str, TierPlan]:
    return {name: _tier(name, entry, f"tiers.{name}") for name, entry in values.items()}


def _tier(name: str, values: dict[str, Any], where: str) -> TierPlan:
    shared = ("quota", "factor", "language_quotas", "language_shares", "group_shares")
    own = {key: value for key, value in values.items() if key not in shared}
    asked = {key: value for key, value in values.items() if key in shared}
    return TierPlan(_entry(TIERS, name, own, where), construct(Task, asked, where))


def _translation(values: dict[str, Any], folder: Path) -> Translating:
    """The engine that is named; the settings of others are held to be right all the same."""
    settings = {key: value for key, value in values.items() if isinstance(value, dict)}
    rest = {key: value for key, value in values.items() if key not in settings}
    name = rest.get("engine", "memory")
    chosen = choose(ENGINES, name, "translation.engine")
    for key, table in settings.items():
        construct(choose(ENGINES, key, "translation"), table, f"translation.{key}")
    engine = construct(chosen, settings.get(name, {}), f"translation.{name}")
    plain = construct(Translating, rest | {"engine": engine.placed(folder)}, "translation")
    return replace(
        plain,
        memory=tuple(resolve(path, folder) for path in plain.memory),
        cache=resolve(plain.cache, folder) if plain.cache else "",
        reference=tuple(resolve(path, folder) for path in plain.reference),
    )


def _overlap(values: dict[str, Any], folder: Path) -> Overlap:
    overlap = construct(Overlap, values, "overlap")
    external = {
        name: replace(one, files=tuple(resolve(path, folder) for path in one.files))
        for name, one in sorted(overlap.external.items())
    }
    return replace(overlap, external=external)


def resolve(path: str, folder: Path) -> str:
    """A path of the plan as seen from anywhere: relative ones start at the plan's folder."""
    if "://" in path:
        return path
    return str((folder / Path(path).expanduser()).resolve())


def _check_folders(plan: Plan) -> None:
    if not _NAME.fullmatch(plan.name):
        raise PlanError(f"name: {plan.name!r}: expected letters, digits and ._- alone")
    if not _VERSION.fullmatch(plan.version):
        raise PlanError(f"version: {plan.version!r}: expected a semantic version such as 1.0.0")
