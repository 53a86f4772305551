"""The pages of the reference, one for each table of things that a plan or a command may name."""

import sys
from collections.abc import Callable, Iterator, Mapping

from pipeline.evidence.cutting import Passages
from pipeline.evidence.readers import READERS
from pipeline.lint import CHECKS
from pipeline.overlap import Outside, Overlap
from pipeline.plan import (
    Concepts,
    Grounding,
    Plan,
    Source,
    Task,
    Translating,
    Umls,
)
from pipeline.reference.columns import MEANINGS, WHERE, WITHHELD
from pipeline.reference.commands import command_sections
from pipeline.reference.keys import key_table
from pipeline.reference.markdown import page, prose, table
from pipeline.release.withheld import EXTRA
from pipeline.schemas import SCHEMAS, SORT_KEYS
from pipeline.scorer.metrics import METRICS
from pipeline.systems.choice import SYSTEMS
from qa_filters.base import Filter
from qa_filters.filters import FILTERS
from translation.engines import ENGINES
from umls_tools.confusion.tiers import TIERS, Tier

# Fields of a plan that are tables of their own in its file, or no key of it at all.
_NOT_PLAIN = (
    *("umls", "evidence", "passages", "grounding", "tasks"),
    *("concepts", "tiers", "translation", "filters"),
    *("overlap", "text"),
)
_PLAN = (
    "The keys of a plan's TOML file. An unknown key, a missing one or a value of the wrong type "
    "stops the build before anything runs. A whole number may stand where a number is expected. "
    "Relative paths start at the plan's folder; `gs://` and the like stand as they are."
)
_READERS = "What a table `[[evidence]]` may name as its `reader`; the reader's keys stand in it."
_TIERS = (
    "The tiers of confusion sets, each a table `[tiers.NAME]` with the keys below and those of "
    "[a quota](plan.md#tasksname-and-tiersname)."
)
_ENGINES = "What `[translation]` may name as its `engine`; its keys stand in `[translation.NAME]`."
_FILTERS = (
    "Each table `[filters.NAME]` of a plan asks one filter. A filter that has nothing to say about "
    "a text gives no score (NaN) and accepts it. How well they work is told in "
    "[quality filters](../explanation/quality-filters.md)."
)
_METRICS = (
    "What `--measure NAME@K` of `mmed-bench score` may name. All queries of the qrels count; one "
    "that the run does not answer has the value 0. Ties are broken by document id, descending."
)
_SYSTEMS = (
    "What `mmed-bench retrieve --system NAME` may name; `--set key=value` changes a key. Systems "
    "see ids and texts only."
)
_CHECKS = (
    "What `mmed-bench lint` asks of a release, and what `--note CHECK` may name. Each finding has "
    "the check's name, a file, a row where there is one, and a remedy. How to read them is told in "
    "[check any release](../how-to/lint.md)."
)
_RELEASE = (
    "The Parquet tables of a release. No column is ever null. Rows are sorted by the columns that "
    "are named as the order; no two rows agree in all of them."
)


def render_pages() -> dict[str, str]:
    """File name → page, the same for the same code."""
    commands = prose(sys.modules["pipeline.cli"].__doc__)
    pages = {
        "plan.md": page("Plan", _PLAN, _plan()),
        "readers.md": page("Readers", _READERS, _entries(READERS)),
        "tiers.md": page("Tiers", _TIERS, _entries(TIERS, _tier)),
        "engines.md": page("Translation engines", _ENGINES, _entries(ENGINES)),
        "filters.md": page("Filters", _FILTERS, _entries(FILTERS, _filter)),
        "metrics.md": page("Metrics", _METRICS, _entries(METRICS, hidden="cutoff")),
        "systems.md": page("Systems", _SYSTEMS, _entries(SYSTEMS)),
        "lint.md": page("Checks of a release", _CHECKS, _entries(CHECKS)),
        "commands.md": page("Commands", commands, command_sections()),
        "tables.md": page("Tables of a release", _RELEASE, _tables()),
    }
    return pages | {"index.md": _index(pages)}


def _index(pages: Mapping[str, str]) -> str:
    titles = {name: text.split("# ", 1)[1].split("\n", 1)[0] for name, text in pages.items()}
    links = "\n".join(f"- [{title}]({name})" for name, title in titles.items())
    return page(
        "Reference", "Written from the code, which it therefore never contradicts.", [links]
    )


def _plan() -> Iterator[str]:
    yield f"## Top level\n\n{prose(Plan.__doc__)}\n\n{key_table(Plan, without=_NOT_PLAIN)}"
    yield _section("[umls]", Umls)
    yield _section("[[evidence]]", Source) + "\n\nThe rest are keys of the [reader](readers.md)."
    yield _section("[passages]", Passages)
    yield _section("[grounding]", Grounding)
    yield _section("[tasks.NAME] and [tiers.NAME]", Task) + (
        "\n\nTasks are `qa` and `evidence`. [Tiers](tiers.md) have keys of their own besides."
    )
    yield _section("[concepts]", Concepts)
    yield _section("[translation]", Translating) + (
        "\n\n`[translation.NAME]` holds the keys of an [engine](engines.md)."
    )
    yield "## [filters.NAME]\n\nThe keys of a [filter](filters.md), each with a default."
    yield _section("[overlap]", Overlap)
    yield _section("[overlap.external.NAME]", Outside)


def _section(heading: str, cls: type) -> str:
    return f"## {heading}\n\n{prose(cls.__doc__)}\n\n{key_table(cls)}"


def _nothing(_: type) -> str:
    return ""


def _entries(
    registry: Mapping[str, type], details: Callable[[type], str] = _nothing, hidden: str = ""
) -> Iterator[str]:
    """A section for each entry of a registry: what it is for, what it does, its keys."""
    for name, cls in registry.items():
        keys = key_table(cls, without=(hidden,))
        said = (_purpose(cls, registry), prose(cls.__doc__), details(cls), keys)
        yield "\n\n".join([f"## {name}", *filter(None, said)])


def _purpose(cls: type, registry: Mapping[str, type]) -> str:
    """What the module is for, where it is the module of this entry alone."""
    home = sys.modules[cls.__module__]
    neighbours = [other for other in registry.values() if other.__module__ == cls.__module__]
    holds_registry = any(value is registry for value in vars(home).values())
    return "" if holds_registry or len(neighbours) > 1 else prose(home.__doc__)


def _filter(cls: type[Filter]) -> str:
    score, accepts = prose(cls.score.__doc__), prose(cls.accepts.__doc__)
    return f"- Group: {cls.group}.\n- Score: {score}\n- Accepted: {accepts}"


def _tier(cls: type[Tier]) -> str:
    parts = {
        "Candidates": cls.find,
        "Any two": cls.tie,
        "First": cls.shortlist,
        "Nearness": cls.nearness,
    }
    return "\n".join(f"- {what}: {prose(part.__doc__)}" for what, part in parts.items())


def _tables() -> Iterator[str]:
    for kind, schema in SCHEMAS.items():
        rows = [(f"`{one.name}`", f"`{one.type}`", MEANINGS[kind][one.name]) for one in schema]
        order = ", ".join(f"`{key}`" for key in SORT_KEYS[kind])
        yield f"## {kind}\n\nIn {WHERE[kind]}. Order: {order}."
        yield table(("column", "type", "holds"), rows)
        if more := EXTRA.get(kind):
            rows = [(f"`{name}`", f"`{type_}`", WITHHELD[name]) for name, type_ in more.items()]
            yield "Under the profile `ids` also:"
            yield table(("column", "type", "holds"), rows)
