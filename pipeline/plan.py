"""The plan of a build: a TOML file read into frozen dataclasses, whole or not at all.

Tables that configure a registry entry (``[[evidence]]``, ``[tiers.hard]``, ``[filters.copy]``,
``[translation.nllb]``) are handed to the entry's own dataclass, so that a new reader, tier, engine
or filter brings its settings with it. Paths are relative to the plan's file; ``gs://`` and the
like stand as they are.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from pipeline.evidence import READERS
from pipeline.evidence.base import Reader
from pipeline.records import LANGUAGES, TASKS
from pipeline.settings import PlanError, choose, construct, known
from qa_filters.base import Filter
from qa_filters.filters import FILTERS
from translation.base import Engine
from translation.engines import ENGINES
from umls_tools.confusion.tiers import TIERS, Tier

PROFILES = ("open", "ids", "local")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Umls:
    """Where the Metathesaurus lies and what of it may be seen."""

    meta: str
    release: str
    max_srl: int = 0
    buckets: int = 16  # groups of CUIs that are assembled at once; more for a larger META


@dataclass(frozen=True, slots=True)
class Source:
    """One folder or file of English evidence, its reader and the tasks it may serve."""

    name: str
    reader: Reader
    path: str
    tasks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grounding:
    """How questions get their concepts.

    A concept on more than `max_document_share` of all documents, and on more than
    `min_documents`, is too general to ground anything.
    """

    max_document_share: float = 0.002
    min_documents: int = 8
    link_text: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """How many queries a task shall have, and how many candidates are claimed for one of them."""

    quota: int
    factor: float = 2.0
    language_quotas: dict[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Concepts:
    """What is common to all tiers of the concepts task."""

    distractors: int = 9
    golds: int = 5000  # concepts that mining tries as gold, at most
    groups: tuple[str, ...] = ("ANAT", "CHEM", "DEVI", "DISO", "LIVB", "PHYS", "PROC")


@dataclass(frozen=True, slots=True)
class TierPlan:
    """A tier's rule with its quota."""

    rule: Tier
    task: Task


@dataclass(frozen=True, slots=True)
class Translating:
    """The engine, and the translation memory that is asked before it.

    New translations are written to `cache`, if it is named.
    """

    engine: Engine
    memory: tuple[str, ...] = ()
    cache: str = ""


@dataclass(frozen=True, slots=True)
class Overlap:
    """From which similarity on two queries of different tasks are too close (Lee et al. 2022)."""

    jaccard: float = 0.7


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what a release contains."""

    name: str
    version: str
    title: str
    seed: int
    profile: str
    languages: tuple[str, ...]
    umls: Umls
    evidence: tuple[Source, ...]
    grounding: Grounding
    tasks: Mapping[str, Task]
    concepts: Concepts
    tiers: Mapping[str, TierPlan]
    translation: Translating
    filters: Mapping[str, Filter]
    overlap: Overlap
    text: str  # the TOML as read, for the manifest

    @property
    def quotas(self) -> dict[tuple[str, str], Task]:
        """What is asked for, by task and stratum."""
        tasks = {(name, ""): task for name, task in self.tasks.items()}
        return tasks | {("concepts", name): tier.task for name, tier in self.tiers.items()}


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
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: not valid TOML: {error}") from error
    for change in changes:
        apply_change(tables, change)
    return parse_plan(tables, path.parent, text + "".join(f"\n# --set {c}" for c in changes))


def apply_change(tables: dict[str, Any], change: str) -> None:
    """Apply one ``dotted.key=value`` of the command line; the value is TOML, or else a string."""
    key, equals, value = change.partition("=")
    if not equals:
        raise PlanError(f"--set {change}: expected key=value")
    *parents, last = key.split(".")
    table: Any = tables
    for place, parent in enumerate(parents):
        table = table[int(parent)] if isinstance(table, list) else table.setdefault(parent, {})
        if not isinstance(table, (dict, list)):
            raise PlanError(f"--set {change}: {'.'.join(parents[: place + 1])} is no table")
    table[last] = _toml_value(value)


def _toml_value(value: str) -> Any:  # noqa: ANN401
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def parse_plan(tables: Mapping[str, Any], folder: Path, text: str) -> Plan:
    """Turn parsed TOML into a Plan; raises PlanError on the first thing that does not fit."""
    values = dict(tables)
    values.setdefault("title", values.get("name", ""))
    values["umls"] = _umls(_table(values, "umls"), folder)
    values["evidence"] = tuple(
        _source(entry, f"evidence[{place}]", folder)
        for place, entry in enumerate(values.get("evidence", ()))
    )
    values["grounding"] = construct(Grounding, _table(values, "grounding"), "grounding")
    values["tasks"] = _tasks(_table(values, "tasks"))
    values["concepts"] = construct(Concepts, _table(values, "concepts"), "concepts")
    values["tiers"] = _tiers(_table(values, "tiers"))
    values["translation"] = _translation(_table(values, "translation"), folder)
    values["filters"] = {
        name: _entry(FILTERS, name, entry, f"filters.{name}")
        for name, entry in sorted(_table(values, "filters").items())
    }
    values["overlap"] = construct(Overlap, _table(values, "overlap"), "overlap")
    plan = construct(Plan, values | {"text": text}, "plan")
    _check(plan)
    return plan


def _table(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise PlanError(f"{key}: expected a table")
    return table


def _entry(registry: Mapping[str, type[T]], name: str, values: Mapping[str, Any], where: str) -> T:
    return construct(choose(registry, name, where), values, where)


def _umls(values: dict[str, Any], folder: Path) -> Umls:
    umls = construct(Umls, values, "umls")
    return Umls(resolve(umls.meta, folder), umls.release, umls.max_srl, umls.buckets)


def _source(values: dict[str, Any], where: str, folder: Path) -> Source:
    own = {key: values[key] for key in values if key not in ("reader", "path", "tasks", "name")}
    for key in ("reader", "path", "tasks"):
        if key not in values:
            raise PlanError(f"{where}: {key!r} is missing")
    reader = _entry(READERS, values["reader"], own, where)
    tasks = tuple(values["tasks"])
    for task in tasks:
        if task not in ("qa", "evidence"):
            raise PlanError(f"{where}: unknown task {task!r}; {known(task, ('qa', 'evidence'))}")
    path = resolve(values["path"], folder)
    return Source(values.get("name", values["reader"]), reader, path, tasks)


def _tasks(values: dict[str, Any]) -> dict[str, Task]:
    for name in values:
        if name not in ("qa", "evidence"):
            raise PlanError(f"tasks: unknown task {name!r}; {known(name, ('qa', 'evidence'))}")
    return {name: construct(Task, entry, f"tasks.{name}") for name, entry in values.items()}


def _tiers(values: dict[str, Any]) -> dict[str, TierPlan]:
    shared = ("quota", "factor", "language_quotas")
    return {
        name: TierPlan(
            _entry(
                TIERS, name, {k: v for k, v in entry.items() if k not in shared}, f"tiers.{name}"
            ),
            construct(Task, {k: v for k, v in entry.items() if k in shared}, f"tiers.{name}"),
        )
        for name, entry in values.items()
    }


def _translation(values: dict[str, Any], folder: Path) -> Translating:
    name = values.get("engine", "memory")
    engines = {key: value for key, value in values.items() if isinstance(value, dict)}
    rest = {key: value for key, value in values.items() if key not in engines}
    for key in engines:
        choose(ENGINES, key, "translation")
    engine = _entry(ENGINES, name, engines.get(name, {}), f"translation.{name}")
    plain = construct(Translating, rest | {"engine": engine}, "translation")
    memory = tuple(resolve(path, folder) for path in plain.memory)
    return Translating(engine, memory, resolve(plain.cache, folder) if plain.cache else "")


def resolve(path: str, folder: Path) -> str:
    """A path of the plan as seen from anywhere: relative ones start at the plan's folder."""
    if "://" in path:
        return path
    return str((folder / Path(path).expanduser()).resolve())


def _check(plan: Plan) -> None:
    if plan.profile not in PROFILES:
        raise PlanError(f"profile: unknown name {plan.profile!r}; {known(plan.profile, PROFILES)}")
    for language in plan.languages:
        if language not in LANGUAGES:
            raise PlanError(f"languages: unknown {language!r}; {known(language, LANGUAGES)}")
    if "en" not in plan.languages or len(set(plan.languages)) != len(plan.languages):
        raise PlanError("languages: expected each once, 'en' (the evidence's language) among them")
    served = {task for source in plan.evidence for task in source.tasks}
    for task in TASKS:
        wanted = plan.tiers if task == "concepts" else plan.tasks.get(task)
        if wanted and task != "concepts" and task not in served:
            raise PlanError(f"tasks.{task}: no [[evidence]] names {task!r} among its tasks")
