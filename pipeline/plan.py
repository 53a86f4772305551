"""The plan of a build: everything that decides what a release contains, as frozen dataclasses.

``pipeline.plan_file`` reads them from TOML. Settings of a reader, tier, engine or filter are the
fields of its own dataclass, so that a new one brings its settings with it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.evidence.base import Reader
from pipeline.evidence.cutting import Passages
from pipeline.records import LANGUAGES, TASKS
from pipeline.settings import PlanError, known
from qa_filters.base import Filter
from translation.base import Engine
from umls_tools.confusion.tiers import Tier
from umls_tools.semantic_types import GROUPS

PROFILES = ("local", "open")
ON_BAD_ROWS = ("reject", "stop")
ASKED_TASKS = ("evidence", "qa")  # those whose queries are questions of the evidence's sources

_SEEDS = range(-(2**63), 2**63)  # what `pipeline.text.draw` takes as its key


@dataclass(frozen=True, slots=True)
class Umls:
    """Where the Metathesaurus lies and what of it may be seen."""

    meta: str  # the folder of the RRF files
    release: str  # such as 2025AB, for the manifest
    max_srl: int = 0  # the highest restriction level whose text is used
    buckets: int = 64  # groups of CUIs, if the files are not in order; more for a larger META
    on_bad_rows: str = "stop"  # at a row that cannot be read, or "reject" it
    max_bad_rows: int = 100  # how many may be rejected before the build stops all the same

    def __post_init__(self) -> None:
        """Refuse what no build can work with."""
        _at_least("max_srl", self.max_srl, 0)
        _at_least("buckets", self.buckets, 1)
        _at_least("max_bad_rows", self.max_bad_rows, 0)
        if self.on_bad_rows not in ON_BAD_ROWS:
            raise ValueError(
                f"on_bad_rows: {self.on_bad_rows!r}; {known(self.on_bad_rows, ON_BAD_ROWS)}"
            )


@dataclass(frozen=True, slots=True)
class Source:
    """One folder or file of English evidence, its reader and the tasks it may serve."""

    name: str  # of its own; without one, the reader's
    reader: Reader
    path: str  # of a folder, which is searched at any depth, or of a file
    tasks: tuple[str, ...]  # qa, evidence: whose corpus and whose questions


@dataclass(frozen=True, slots=True)
class Grounding:
    """How questions get their concepts.

    A concept on more than `max_document_share` of all documents, or of one source's questions,
    and on more than `min_documents`, is too general to ground anything.
    """

    max_document_share: float = 0.002
    min_documents: int = 8
    link_text: bool = True  # English questions without CUIs get them by the names in them
    link_passages: bool = False  # passages with neither CUIs nor headings, too
    max_word_share: float = 0.05  # a word in more of a source's linked texts is no name by itself
    max_equal_answers: int = 5  # an answer given word for word more often answers no question

    def __post_init__(self) -> None:
        """Refuse what is no share or no number of documents."""
        _share("max_document_share", self.max_document_share)
        _share("max_word_share", self.max_word_share)
        _at_least("min_documents", self.min_documents, 0)
        _at_least("max_equal_answers", self.max_equal_answers, 1)


@dataclass(frozen=True, slots=True)
class Task:
    """How many queries a task shall have, and how many candidates are claimed for one of them."""

    quota: int  # queries, each counted once in however many languages it is released
    factor: float = 2.0  # candidates for one query: the filters will refuse some
    language_quotas: dict[str, int] = field(default_factory=dict)  # for languages that need less

    def __post_init__(self) -> None:
        """Refuse what could not be met: fewer candidates than queries, or less than nothing."""
        _at_least("quota", self.quota, 0)
        _at_least("factor", self.factor, 1)
        for language, quota in self.language_quotas.items():
            _at_least(f"language_quotas.{language}", quota, 0)


@dataclass(frozen=True, slots=True)
class Concepts:
    """What is common to all tiers of the concepts task."""

    distractors: int = 9  # of each set
    golds: int = 5000  # concepts that mining tries as gold, at most
    # The semantic groups of golds.
    groups: tuple[str, ...] = ("ANAT", "CHEM", "DEVI", "DISO", "LIVB", "PHYS", "PROC")

    def __post_init__(self) -> None:
        """Refuse sets of a gold alone, and semantic groups that there are not."""
        _at_least("distractors", self.distractors, 1)
        _at_least("golds", self.golds, 0)
        for group in self.groups:
            if group not in GROUPS.values():
                raise ValueError(f"groups: unknown {group!r}; {known(group, set(GROUPS.values()))}")


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

    engine: Engine  # "memory" where none is named
    memory: tuple[str, ...] = ()  # TSV or Parquet files, or folders of them
    cache: str = ""  # a folder


# What the certificate of a release measures with, whatever the plan says (splits.audit).
CERTIFIED_JACCARD = 0.7
# BioASQ is given to who registers, for research of their own.
NOT_TO_BE_PASSED_ON = frozenset({"LicenseRef-BioASQ"})


@dataclass(frozen=True, slots=True)
class Overlap:
    """From which similarity on two queries of different tasks are too close (Lee et al. 2022)."""

    jaccard: float = 0.7

    def __post_init__(self) -> None:
        """Refuse a similarity that every pair has, or that none can."""
        _share("jaccard", self.jaccard)
        if not self.jaccard:
            raise ValueError("jaccard: 0 would keep every two queries apart; expected above 0")
        if self.jaccard > CERTIFIED_JACCARD:
            raise ValueError(
                f"jaccard: the certificate finds near duplicates from {CERTIFIED_JACCARD} on; "
                "expected that or less"
            )


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what a release contains."""

    name: str  # with the version, the folder of the release
    version: str
    title: str  # for people; without one, the name
    seed: int  # with the content, decides whatever could be chosen otherwise
    profile: str  # open, or local: not to be published
    languages: tuple[str, ...]  # "en", the language of the evidence, among them
    umls: Umls
    evidence: tuple[Source, ...]
    passages: Passages
    grounding: Grounding
    tasks: Mapping[str, Task]
    concepts: Concepts
    tiers: Mapping[str, TierPlan]
    translation: Translating
    filters: Mapping[str, Filter]
    overlap: Overlap
    text: str  # the TOML as read, for the manifest
    output: str = "build"  # where releases go, from where the build is started; a local folder

    @property
    def quotas(self) -> dict[tuple[str, str], Task]:
        """What is asked for, by task and stratum."""
        tasks = {(name, ""): task for name, task in self.tasks.items()}
        return tasks | {("concepts", name): tier.task for name, tier in self.tiers.items()}


def check_plan(plan: Plan) -> None:
    """Raise PlanError for the first thing in which parts of the plan do not fit together."""
    if "://" in plan.output or not plan.output:
        raise PlanError(f"output: {plan.output!r} is no local folder; publish from there later")
    if plan.seed not in _SEEDS:
        raise PlanError(f"seed: {plan.seed} is beyond 64 bits; choose a smaller number")
    _check_profile(plan)
    _check_languages(plan)
    _check_evidence(plan)
    _check_quotas(plan)


def _check_profile(plan: Plan) -> None:
    if plan.profile not in PROFILES:
        raise PlanError(f"profile: unknown name {plan.profile!r}; {known(plan.profile, PROFILES)}")
    if plan.profile == "open" and plan.umls.max_srl > 0:
        raise PlanError(
            f"umls.max_srl: {plan.umls.max_srl} lets text in that may not be redistributed, and "
            "profile 'open' is for publishing; set max_srl = 0, or profile = 'local'"
        )

    for source in plan.evidence:
        if plan.profile == "open" and source.reader.licence in NOT_TO_BE_PASSED_ON:
            raise PlanError(
                f"evidence {source.name}: its licence, {source.reader.licence}, forbids to pass it "
                "on, and profile 'open' is for publishing; leave it out, or set profile = 'local'"
            )


def _check_quotas(plan: Plan) -> None:
    """Three tasks without overlap are the benchmark: one that is empty proves nothing."""
    for task in TASKS:
        if not any(asked.quota for (name, _), asked in plan.quotas.items() if name == task):
            where = "tiers" if task == "concepts" else f"tasks.{task}"
            raise PlanError(f"{where}: no query is asked for; give the task {task} a quota")


def _check_languages(plan: Plan) -> None:
    for language in plan.languages:
        if language not in LANGUAGES:
            raise PlanError(f"languages: unknown {language!r}; {known(language, LANGUAGES)}")
    if "en" not in plan.languages or len(set(plan.languages)) != len(plan.languages):
        raise PlanError("languages: expected each once, 'en' (the evidence's language) among them")
    for slot, task in plan.quotas.items():
        for language in task.language_quotas:
            if language not in plan.languages:
                where = f"{'-'.join(filter(None, slot))}: language_quotas"
                raise PlanError(f"{where}: {language!r} is none of the plan's languages")


def _check_evidence(plan: Plan) -> None:
    names: set[str] = set()
    for source in plan.evidence:
        if source.name in names:
            raise PlanError(
                f"evidence: two sources are named {source.name!r}; give each a name of its own"
            )
        names.add(source.name)
    served = {task for source in plan.evidence for task in source.tasks}
    for task in sorted(plan.tasks.keys() - served):
        raise PlanError(f"tasks.{task}: no [[evidence]] names {task!r} among its tasks")
    for task in sorted(served - plan.tasks.keys()):
        raise PlanError(f"evidence: tasks name {task!r}, for which no [tasks.{task}] sets a quota")


def _at_least(name: str, value: float, least: int) -> None:
    """Raise unless the value is a finite number that is large enough."""
    if not (math.isfinite(value) and value >= least):
        raise ValueError(f"{name}: {value} is not allowed, expected {least} or more")


def _share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name}: {value} is not allowed, expected a number from 0 to 1")
