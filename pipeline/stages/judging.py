"""Queries in a language → the same with every filter's verdict."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.plan import Plan
from pipeline.records import JudgedQuery, Query, Reject, Translation, TranslationRequest
from pipeline.release.layout import FIGURES, REPORT
from pipeline.release.manifest import to_json
from pipeline.release.withheld import IDS, judged_withheld
from pipeline.release.writing import write_parquet
from pipeline.schemas import to_table
from pipeline.stages.filesystems import list_files, open_file
from pipeline.stages.tally import GIVEN, TAKEN, CountIn, SetAside, count, note
from qa_filters.figures import as_rows
from qa_filters.judge import judge, reasons
from qa_filters.page import render
from qa_filters.reference import References, compare
from qa_filters.report import Example, Tally, choose_examples, examples_of, narrow_of, tally
from translation.memory_files import load_memory
from umls_tools.confusion.shown import shown_name

STAGE = "judge"
EXAMPLES = 3  # of each filter and language, in the report
WRITING = "write"  # the stage under which all rows of a release's tables are counted

Label = str  # query id/language
Gathered = tuple[Tally, list[Example], list[Example]]  # counts, refused, barely accepted


class JudgeQueries(beam.PTransform):
    """(Query, text in a language) → judged queries; refused ones go on, with their verdicts."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan

    @no_annotations
    def expand(self, pairs: beam.PCollection) -> tuple[beam.PCollection, beam.PCollection]:
        """Score first, decide second, keep both: gives all judged queries, and the rejects."""
        judged = (
            pairs
            | "Spread" >> beam.Reshuffle()
            | CountIn(STAGE)
            | "Judge" >> beam.Map(judge_pair, self.plan)
        )
        ruled = judged | "Refuse" >> beam.Map(refused_or_accepted) | SetAside(STAGE)
        return judged, ruled.rejects


def judge_pair(pair: tuple[Query, Translation], plan: Plan) -> JudgedQuery:
    """Judge one text, and note by which filters it is refused."""
    judged = judge(*pair, plan.filters, answer_of(pair[0]))
    for reason in reasons(judged):
        note(STAGE, f"refused by {reason}")
    return judged


def answer_of(query: Query) -> str:
    """The name that a confusion set shows its gold under; questions are answered by passages."""
    shown = shown_name(query.concepts[0]) if query.task == "concepts" else None
    return shown.text if shown else ""


def refused_or_accepted(judged: JudgedQuery) -> Label | Reject:
    """The query's label, or why it is refused: by the first filter, and all in the detail."""
    label = label_of(judged)
    refusing = reasons(judged)
    return Reject(STAGE, label, refusing[0], ", ".join(refusing)) if refusing else label


def label_of(judged: JudgedQuery) -> Label:
    """A query in a language, as rejects name it."""
    return f"{judged.query.query_id}/{judged.translation.language}"


class WriteReport(beam.PTransform):
    """Judged queries → the page that sums up every filter's scores and decisions."""

    def __init__(self, plan: Plan, folder: str) -> None:
        super().__init__()
        self.plan = plan
        self.folder = folder

    def expand(self, judged: beam.PCollection) -> beam.PCollection:
        """Gives the path of the page."""
        shown = judged | "Show" >> beam.Map(_as_profile_allows, self.plan.profile)
        return (
            shown
            | "Gather" >> beam.CombineGlobally(_Gather(self.plan))
            | "Render" >> beam.Map(write_report, self.plan, self.folder)
        )


def _as_profile_allows(judged: JudgedQuery, profile: str) -> JudgedQuery:
    return judged_withheld(judged) if profile == IDS else judged


class _Gather(beam.CombineFn):
    """Counts and examples of parts, which add up to the whole's."""

    def __init__(self, plan: Plan) -> None:
        self.filters = plan.filters
        self.reference = plan.translation.reference
        self.references: References = {}

    def setup(self) -> None:
        entries = load_memory(self.reference, open_file, list_files).entries
        ordered = sorted(entries, key=lambda entry: entry.order, reverse=True)
        self.references = {
            TranslationRequest(one.text, one.source, one.target): one.translation for one in ordered
        }

    def create_accumulator(self) -> Gathered:
        return Counter(), [], []

    def add_input(self, gathered: Gathered, judged: JudgedQuery) -> Gathered:
        counts, refused, narrow = gathered
        counts.update(tally([judged], self.filters))
        counts.update(compare(judged, self.references))
        refused = choose_examples([*refused, *examples_of([judged])], EXAMPLES)
        return counts, refused, _narrowest([*narrow, *narrow_of([judged], self.filters)])

    def merge_accumulators(self, parts: Iterable[Gathered]) -> Gathered:
        counts: Tally = Counter()
        refused: list[Example] = []
        narrow: list[Example] = []
        for some_counts, some_refused, some_narrow in parts:
            counts.update(some_counts)
            refused = choose_examples([*refused, *some_refused], EXAMPLES)
            narrow = _narrowest([*narrow, *some_narrow])
        return counts, refused, narrow

    def extract_output(self, gathered: Gathered) -> Gathered:
        return gathered


def _narrowest(examples: Iterable[Example]) -> list[Example]:
    return choose_examples(examples, 1)


def write_report(gathered: Gathered, plan: Plan, folder: str) -> str:
    """Write the page into the release, and its figures as JSON and as a table."""
    path = Path(folder) / REPORT
    path.parent.mkdir(parents=True, exist_ok=True)
    title = f"{plan.title} {plan.version}: quality of the queries"
    path.write_text(render(*gathered, plan.filters, title), "utf-8")
    rows = as_rows(gathered[0])
    path.with_suffix(".json").write_text(to_json({"figures": rows}), "utf-8")
    count(WRITING, TAKEN, len(rows))
    if rows:
        write_parquet(to_table("figures", rows), Path(folder), FIGURES)
    count(WRITING, GIVEN, len(rows))
    return str(path)
