"""The plan of a build: everything that decides what a release contains, as frozen dataclasses.

``pipeline.plan_file`` reads them from TOML. Settings of a reader, tier, engine or filter are the
fields of its own dataclass, so that a new one brings its settings with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.evidence.base import Reader
from pipeline.evidence.cutting import Passages
from pipeline.limits import at_least, share, shares
from pipeline.overlap import Overlap
from pipeline.settings import known
from qa_filters.base import Filter
from translation.base import Engine
from umls_tools.confusion.tiers import Tier
from umls_tools.semantic_types import GROUPS

ON_BAD_ROWS = ("reject", "stop")
ASKED_TASKS = ("evidence", "qa")  # those whose queries are questions of the evidence's sources
DEFINITION = "definition"
PARAPHRASES = (DEFINITION, "none")
MOST_CANDIDATES = 1000  # claimed for one query: a build that needs as many has other troubles


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
        at_least("max_srl", self.max_srl, 0)
        at_least("buckets", self.buckets, 1)
        at_least("max_bad_rows", self.max_bad_rows, 0)
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
    # Of distractors: no passage of the source stands in a corpus but those that answer a question,
    # and as many others as fill the corpus up to this number of passages.
    corpus_size: int = 0

    def __post_init__(self) -> None:
        """Refuse a corpus of less than nothing."""
        at_least("corpus_size", self.corpus_size, 0)


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
    paraphrase: str = "none"  # or definition: template questions stand without the name, too

    def __post_init__(self) -> None:
        """Refuse what is no share or no number of documents."""
        share("max_document_share", self.max_document_share)
        share("max_word_share", self.max_word_share)
        at_least("min_documents", self.min_documents, 0)
        at_least("max_equal_answers", self.max_equal_answers, 1)
        if self.paraphrase not in PARAPHRASES:
            wrong = f"paraphrase: unknown {self.paraphrase!r}"
            raise ValueError(f"{wrong}; {known(self.paraphrase, PARAPHRASES)}")


@dataclass(frozen=True, slots=True)
class Task:
    """How many queries a task shall have, and how many candidates are claimed for one of them."""

    quota: int  # queries, each counted once in however many languages it is released
    factor: float = 2.0  # candidates for one query: the filters will refuse some
    language_quotas: dict[str, int] = field(default_factory=dict)  # for languages that need less
    language_floor: int = 0  # with fewer queries than these a language is not released at all
    # Of the candidates claimed: how many are posed in a language, or are about a semantic group
    # first, as far as there are any; what one lacks goes to the others.
    language_shares: dict[str, float] = field(default_factory=dict)
    group_shares: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what could not be met: fewer candidates than queries, or less than nothing."""
        at_least("quota", self.quota, 0)
        at_least("factor", self.factor, 1)
        at_least("language_floor", self.language_floor, 0)
        if self.factor > MOST_CANDIDATES:
            raise ValueError(
                f"factor: {self.factor} is not allowed, expected {MOST_CANDIDATES} or less"
            )
        shares("language_shares", self.language_shares)
        shares("group_shares", self.group_shares)
        for group in self.group_shares:
            if group not in GROUPS.values():
                message = known(group, set(GROUPS.values()))
                raise ValueError(f"group_shares: unknown {group!r}; {message}")
        for language, quota in self.language_quotas.items():
            at_least(f"language_quotas.{language}", quota, 0)


@dataclass(frozen=True, slots=True)
class Concepts:
    """What is common to all tiers of the concepts task."""

    distractors: int = 9  # of each set
    golds: int = 5000  # concepts around which mining looks for others, at most
    # In how many sets a concept is shown, at most: of the concepts that are shown together so
    # many are asked for in turn. More than `distractors` and the gold there cannot be.
    max_shown: int = 10
    # The semantic groups of all that is shown, since all may be golds.
    groups: tuple[str, ...] = ("ANAT", "CHEM", "DEVI", "DISO", "LIVB", "PHYS", "PROC")

    def __post_init__(self) -> None:
        """Refuse sets of a gold alone, and semantic groups that there are not."""
        at_least("distractors", self.distractors, 1)
        at_least("golds", self.golds, 0)
        at_least("max_shown", self.max_shown, 1)
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
    reference: tuple[str, ...] = ()  # files as of `memory`: the report compares with them, no more
    # What the step that translates asks of a runner, in Beam's words; a local runner has no ear.
    accelerator: str = ""
    # Of an engine's hypotheses of a question, one that holds a free name of its concepts, as
    # sources write it in the target language, goes before the best.
    terminology: bool = False
    # By how many nats the mean log-probability of that one's tokens may lie below the best's.
    terminology_margin: float = 0.1
    # How often reserves are called for what the filters leave short; 0 leaves it short.
    top_ups: int = 2

    def __post_init__(self) -> None:
        """Refuse what could not be done."""
        at_least("top_ups", self.top_ups, 0)
        at_least("terminology_margin", self.terminology_margin, 0)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what a release contains."""

    name: str  # with the version, the folder of the release
    version: str
    title: str  # for people; without one, the name
    seed: int  # with the content, decides whatever could be chosen otherwise
    profile: str  # open; ids: without restricted texts; local: not to be published
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
    notes: str = ""  # Markdown whose ## sections stand in every card; relative to the plan's file
    output: str = "build"  # where releases go, from where the build is started; a local folder

    @property
    def corpus_sizes(self) -> dict[str, int]:
        """Up to which size distractors fill the corpora, by task."""
        return {
            task: one.corpus_size for one in self.evidence if one.corpus_size for task in one.tasks
        }

    @property
    def quotas(self) -> dict[tuple[str, str], Task]:
        """What is asked for, by task and stratum."""
        tasks = {(name, ""): task for name, task in self.tasks.items()}
        return tasks | {("concepts", name): tier.task for name, tier in self.tiers.items()}
