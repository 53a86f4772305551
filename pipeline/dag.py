"""The figure as code: from concepts and evidence to a release."""

from collections.abc import Iterable

import apache_beam as beam

from pipeline.plan import Plan
from pipeline.stages.claims import ClaimConcepts
from pipeline.stages.concepts import AsRecords, ReadConcepts
from pipeline.stages.confusion import MineConfusionSets
from pipeline.stages.distracting import FillCorpora
from pipeline.stages.enforcing import EnforceZeroOverlap
from pipeline.stages.evidence import ReadEvidence, Unit
from pipeline.stages.filling import FillQuotas
from pipeline.stages.general import GeneralConcepts
from pipeline.stages.grounding import Ground, KeepGrounded
from pipeline.stages.judging import WriteReport
from pipeline.stages.lexicon import GatherLexicon
from pipeline.stages.meta import Meta
from pipeline.stages.outside import CompareOutside
from pipeline.stages.passages import MergePassages
from pipeline.stages.queries import PoseQueries
from pipeline.stages.release import WriteRelease
from pipeline.stages.retired import ReadRetired


def build_graph(
    start: beam.Pipeline, plan: Plan, meta: Meta, units: Iterable[Unit], folder: str
) -> beam.PCollection:
    """Lay out the whole build; gives an entry for every file that it writes to `folder`."""
    batches, unreadable = start | "Read concepts" >> ReadConcepts(meta)
    concepts = batches | "As records" >> AsRecords()
    retired = start | "Follow retired CUIs" >> ReadRetired(meta)

    read, asked, unread = start | "Read evidence" >> ReadEvidence(units)
    merged, resolved, unmerged = (read, asked) | "Merge passages" >> MergePassages(plan)
    asking = GatherLexicon(plan, retired.main, (merged, resolved))
    lexicon = concepts | "List names" >> asking
    passages = merged | "Ground passages" >> Ground(lexicon, plan.grounding)
    linked = resolved | "Ground questions" >> Ground(lexicon, plan.grounding)
    counting = GeneralConcepts(plan.grounding, folder)
    general = (passages, linked) | "Find general concepts" >> counting
    questions = linked | "Keep the grounded" >> KeepGrounded(general)

    mining = MineConfusionSets(plan, general, questions.main, folder)
    sets, unfilled = batches | "Mine confusion sets" >> mining
    unposed = (questions.main, sets) | "Candidates" >> beam.Flatten()
    queries = unposed | "Pose queries" >> PoseQueries(plan, concepts, meta.assembly.gate)
    ours, known = queries.main | "Compare with the world" >> CompareOutside(plan, folder)
    claimed, reserves, unclaimed = ours | "Claim concepts" >> ClaimConcepts(plan, folder)

    # Translated and judged; what the filters leave short is topped up from the reserves.
    judged, refused = claimed | "Fill quotas" >> FillQuotas(plan, reserves)
    _ = judged | "Write report" >> WriteReport(plan, folder)
    ruled, unreleased = judged | "Enforce zero overlap" >> EnforceZeroOverlap(plan)
    corpora, unfit = passages | "Fill corpora" >> FillCorpora(plan, ruled)

    rejects = (
        *(unreadable, retired.rejects, unread, unmerged, questions.rejects, unfilled),
        *(queries.rejects, known, unclaimed, refused, unreleased, unfit),
    ) | "All rejects" >> beam.Flatten()
    return ruled | "Write release" >> WriteRelease(plan, corpora, rejects, folder)
