"""The layers hold, nothing heavy is loaded unasked, and every table of classes is in order."""

import ast
import dataclasses
import functools
import importlib
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("pipeline", "qa_filters", "splits", "translation", "umls_tools")
BASE = ("pipeline.records", "pipeline.text")
DOMAINS = ("qa_filters", "splits", "translation", "umls_tools", "pipeline.evidence")
# Costly to load or, where the base install lacks them, not there at all.
LAZY = (
    *("torch", "transformers", "sentence_transformers", "ctranslate2", "datasets"),
    *("langdetect", "lingua", "sacrebleu", "bm25s", "matplotlib"),
)
MAY_USE_BEAM = ("pipeline.stages", "pipeline.dag", "pipeline.cli")

# What else of the project a module may import, by the longest prefix of its name.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "pipeline.records": (),
    "pipeline.text": (),
    "pipeline.settings": (),
    "pipeline.schemas": BASE,
    "pipeline.sample": (*BASE, "translation"),
    "pipeline.release": (*BASE, "pipeline.drawing", "pipeline.schemas"),
    "pipeline.export": (*BASE, "pipeline.release", "pipeline.schemas"),
    "pipeline.lint": (*BASE, "pipeline.licence_check", "qa_filters", "splits.audit"),
    "pipeline.scorer": (),
    "pipeline.drawing": (),
    "pipeline.leaderboard": ("pipeline.drawing", "pipeline.scorer"),
    "pipeline.systems": ("pipeline.scorer", "pipeline.settings", "pipeline.text"),
    "pipeline.limits": (),
    "pipeline.overlap": ("pipeline.limits", "pipeline.settings"),
    "pipeline.plan": (
        *(*BASE, *DOMAINS, "pipeline.settings", "pipeline.limits", "pipeline.overlap"),
    ),
    "pipeline.plan_checks": (*BASE, "pipeline.settings", "pipeline.plan"),
    "pipeline.plan_file": (
        *(*BASE, *DOMAINS, "pipeline.settings", "pipeline.plan", "pipeline.plan_checks"),
        "pipeline.overlap",
    ),
    "pipeline.stages": (
        *(*BASE, *DOMAINS, "pipeline.plan", "pipeline.release", "pipeline.schemas"),
        *("pipeline.settings", "pipeline.dag", "pipeline.overlap"),
    ),
    "pipeline.dag": ("pipeline.plan", "pipeline.stages"),
    "pipeline.evidence": BASE,
    "qa_filters": BASE,
    "splits": BASE,
    "splits.audit": (),
    "translation": BASE,
    "umls_tools": BASE,
}

REGISTRIES = {
    "READERS": "pipeline.evidence.readers",
    "TIERS": "umls_tools.confusion.tiers",
    "FILTERS": "qa_filters.filters",
    "CHECKS": "pipeline.lint.checks",
    "ENGINES": "translation.engines",
    "SYSTEMS": "pipeline.systems.choice",
    "METRICS": "pipeline.scorer.metrics",
}
SETTING_TYPES = (int, float, str, bool, tuple[str, ...])


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Every module of the project by its name."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {module_name(path): ast.parse(path.read_text("utf-8"), str(path)) for path in paths}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(node: ast.AST) -> Iterator[str]:
    """The full names that are imported somewhere below a node."""
    for below in ast.walk(node):
        if isinstance(below, ast.Import):
            yield from (alias.name for alias in below.names)
        elif isinstance(below, ast.ImportFrom):
            assert below.level == 0, "relative import"
            yield from (f"{below.module}.{alias.name}" for alias in below.names)


def imported_at_once(module: ast.AST) -> Iterator[str]:
    """What is imported when the module is, not when one of its functions is called."""
    for node in ast.iter_child_nodes(module):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or is_for_types(node):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from imports(node)
        else:
            yield from imported_at_once(node)


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def within(name: str, *prefixes: str) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def layer_of(name: str) -> str:
    return max((layer for layer in MAY_IMPORT if within(name, layer)), key=len, default="")


def test_there_is_something_to_look_at() -> None:
    assert len(modules()) > 100
    assert {layer_of(name) for name in modules()} >= MAY_IMPORT.keys()


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_layers_import_nothing_from_above(layer: str) -> None:
    allowed = (layer, *MAY_IMPORT[layer])
    faults = [
        f"{name} imports {imported}"
        for name, module in modules().items()
        if layer_of(name) == layer
        for imported in imports(module)
        if within(imported, *PACKAGES) and not within(imported, *allowed)
    ]
    assert not faults


def test_beam_stays_in_the_stages() -> None:
    users = {name for name, module in modules().items() if "apache_beam" in roots(imports(module))}
    assert users
    assert {name for name in users if not within(name, *MAY_USE_BEAM)} == set()


def test_the_scorer_needs_numpy_and_pyarrow_alone() -> None:
    needed = {
        root
        for name, module in modules().items()
        if within(name, "pipeline.scorer")
        for root in roots(imports(module))
    }
    assert needed - sys.stdlib_module_names == {"numpy", "pipeline", "pyarrow"}


def test_heavy_libraries_are_loaded_where_they_are_used() -> None:
    early = {
        f"{name} imports {root}"
        for name, module in modules().items()
        for root in roots(imported_at_once(module))
        if root in LAZY
    }
    late = {root for module in modules().values() for root in roots(imports(module))}
    assert early == set()
    assert late >= {"torch", "transformers", "langdetect", "sacrebleu"}


def roots(names: Iterator[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def test_annotations_are_what_they_say() -> None:
    """Beam would read every hint as Any."""
    names = [name for name, module in modules().items() if "__future__" in roots(imports(module))]
    assert names == []


def test_nothing_happens_at_import() -> None:
    acting = {
        name
        for name, module in modules().items()
        for node in module.body
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    }
    # A coder must be known before a pipeline is built; Beam offers no other place to name it.
    assert acting == {"pipeline.stages.arrow"}


def test_every_module_says_what_it_is_for() -> None:
    assert [name for name, module in modules().items() if not ast.get_docstring(module)] == []


def test_top_level_packages_are_those_of_the_project() -> None:
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert found == set(PACKAGES)


def test_the_graph_is_wiring_alone() -> None:
    graph = list(ast.walk(modules()["pipeline.dag"]))
    assert not [node for node in graph if isinstance(node, (ast.Lambda, ast.ClassDef, ast.If))]
    numbers = [node.value for node in graph if isinstance(node, ast.Constant)]
    assert not [one for one in numbers if isinstance(one, (int, float)) and type(one) is not bool]
    names = {node.attr for node in graph if isinstance(node, ast.Attribute)}
    assert not names & {"DoFn", "ParDo", "Map", "FlatMap", "Filter", "GroupByKey"}


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stderr == ""
    return roots(iter(done.stdout.split()))


@pytest.mark.parametrize(
    ("statement", "barred"),
    [
        ("import pipeline", {"apache_beam", "pyarrow", "numpy", "pandas", "lxml", *LAZY}),
        ("import pipeline.cli", {"apache_beam", "pyarrow", "numpy", "pandas", *LAZY}),
        ("import pipeline.scorer", {"apache_beam", "pandas", "lxml", *LAZY}),
        ("import pipeline.scorer.cli", {"apache_beam", "pandas", "lxml", *LAZY}),
        ("import pipeline.plan_file", {"apache_beam", "pandas", *LAZY}),
        ("import splits.audit", {"apache_beam", "pandas", *LAZY}),
    ],
)
def test_an_import_costs_what_it_must(statement: str, barred: set[str]) -> None:
    assert loaded_by(statement) & barred == set()


def entries() -> list[tuple[str, str, type]]:
    return [
        (registry, name, cls)
        for registry, module in REGISTRIES.items()
        for name, cls in getattr(importlib.import_module(module), registry).items()
    ]


@pytest.mark.parametrize(("registry", "name", "cls"), entries())
def test_every_entry_is_its_own_configuration(registry: str, name: str, cls: type) -> None:
    assert name.replace("_", "").replace("-", "").isalnum()
    assert not inspect.isabstract(cls)
    assert dataclasses.is_dataclass(cls)
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    # A dataclass without a docstring of its own is given its signature for one.
    assert cls.__doc__
    assert not cls.__doc__.startswith(f"{cls.__name__}(")


@pytest.mark.parametrize(
    ("registry", "name", "cls"), [entry for entry in entries() if entry[0] != "METRICS"]
)
def test_every_setting_can_be_written_in_a_plan(registry: str, name: str, cls: type) -> None:
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        assert hints[field.name] in SETTING_TYPES, field.name
        has_default = field.default is not dataclasses.MISSING
        assert has_default or field.default_factory is not dataclasses.MISSING, field.name


@pytest.mark.parametrize(("registry", "module"), REGISTRIES.items())
def test_registries_are_literal_tables(registry: str, module: str) -> None:
    (table,) = (
        node.value
        for node in modules()[module].body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id == registry
    )
    assert isinstance(table, ast.Dict)
    assert all(isinstance(key, ast.Constant) for key in table.keys)
    assert all(isinstance(value, ast.Name) for value in table.values)
