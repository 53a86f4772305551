"""Texts → passages, cut as the plan says, each once; relevance of questions follows them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import apache_beam as beam
from apache_beam.typehints.decorators import no_annotations

from pipeline.evidence.cutting import Passages, cut
from pipeline.evidence.merge import in_corpora_of, merge
from pipeline.evidence.near import Sketch, near_duplicates, sketch_of
from pipeline.plan import Plan
from pipeline.records import Passage, Reject
from pipeline.stages.relevance import Present, ResolveRelevance, present_as, text_id
from pipeline.stages.tally import CountIn, SetAside, note
from translation.sentences import split_sentences

MERGE = "merge passages"
_ALONE, _NEAR = "alone", "near"

Merged = tuple[Passage, tuple[str, ...]]  # with the other ids that it goes by
Group = tuple[Passage, tuple[str, ...], tuple[str, ...]]  # ids of equal texts, ids of near ones


class MergePassages(beam.PTransform):
    """Passages of equal text → one; questions of equal text → one; relevance follows them.

    An unjudged twin of a relevant passage would be counted as wrong when it is found, and the
    same question twice would be scored twice. An answer that stands under many questions word for
    word ("inherited in an autosomal recessive pattern") cannot be found by any of them.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.rule = plan.passages
        self.most = plan.grounding.max_equal_answers

    @no_annotations
    def expand(
        self, evidence: tuple[beam.PCollection, beam.PCollection]
    ) -> tuple[beam.PCollection, ...]:
        """Takes passages and questions; gives both, and rejects."""
        passages, questions = evidence
        equal = (
            passages
            | "Cut" >> beam.FlatMap(cut_passage, self.rule)
            | CountIn(MERGE)
            | "By text" >> beam.Map(_by_text)
            | "Twins" >> beam.GroupByKey()
            | "Merge" >> beam.Map(merge_equal)
        )
        groups = equal | "Near duplicates" >> MergeNear(self.rule.near_duplicates)
        merged = groups | "Merged" >> beam.FlatMap(_kept_and_lost) | SetAside(MERGE)
        present = groups | "Present" >> beam.FlatMap(_present, self.most)
        resolved, lost = questions | "Resolve relevance" >> ResolveRelevance(present)
        return merged.main, resolved, (merged.rejects, lost) | "Rejects" >> beam.Flatten()


class MergeNear(beam.PTransform):
    """(Passage, its other ids) → (passage, its other ids, those of near duplicates).

    Only passages that share a band of their sketches with another travel to the one worker that
    compares them; all others pass by.
    """

    def __init__(self, threshold: float) -> None:
        super().__init__()
        self.threshold = threshold

    @no_annotations
    def expand(self, equal: beam.PCollection) -> beam.PCollection:
        """Gives (passage, ids of equal text, ids of near text)."""
        if self.threshold >= 1:
            return equal | "No near ones" >> beam.Map(_without_near)
        sketches = equal | "Sketch" >> beam.Map(_sketch)
        meeting = (
            sketches
            | "Bands" >> beam.FlatMap(_bands)
            | "Meet" >> beam.GroupByKey()
            | "Several" >> beam.FlatMap(_several)
            | "Once" >> beam.Distinct()
        )
        kept = (
            {
                "sketches": sketches | "By id" >> beam.Map(_by_id),
                "meeting": meeting | "Marked" >> beam.Map(_marked),
            }
            | "Join" >> beam.CoGroupByKey()
            | "Met" >> beam.FlatMap(_met)
            | "Together" >> beam.GroupBy(_one_group)
            | "Compare" >> beam.FlatMap(_compare, self.threshold)
        )
        parted = equal | "Part" >> beam.FlatMap(_part, beam.pvalue.AsDict(kept)).with_outputs(
            _NEAR, main=_ALONE
        )
        united = parted[_NEAR] | "Near" >> beam.GroupByKey() | "Unite" >> beam.Map(merge_near)
        alone = parted[_ALONE] | "Alone" >> beam.Map(_without_near)
        return (alone, united) | "All" >> beam.Flatten()


def cut_passage(passage: Passage, rule: Passages) -> Iterator[Passage]:
    """The passages of a text, which is English."""
    parts = list(cut(passage, rule, partial(split_sentences, language="en")))
    if len(parts) > 1:
        note(MERGE, "parts of longer texts", len(parts))
    yield from parts


def merge_equal(group: tuple[str, Iterable[Passage]]) -> Merged:
    """One passage for all of equal text, in all their corpora, with the other ids it goes by."""
    passages = sorted(group[1], key=lambda passage: passage.passage_id)
    merged, aliases = merge(passages)
    return in_corpora_of(merged, passages), aliases


def merge_near(group: tuple[str, Iterable[Merged]]) -> Group:
    """The passage of the smallest id for all that are near it, with the ids of all."""
    every = sorted(group[1], key=lambda merged: merged[0].passage_id)
    passage, _ = merge_equal(("", [merged[0] for merged in every]))
    first, *others = every
    near = {name for one, aliases in others for name in (one.passage_id, *aliases)}
    return passage, first[1], tuple(sorted(near))


def _without_near(merged: Merged) -> Group:
    return (*merged, ())


def _kept_and_lost(group: Group) -> Iterator[Passage | Reject]:
    passage, equal, near = group
    yield passage
    for reason, aliases in (("equal_text", equal), ("near_duplicate", near)):
        for alias in aliases:
            yield Reject(MERGE, alias, reason, f"merged into {passage.passage_id}")


def _present(group: Group, most: int) -> Iterator[tuple[str, Present]]:
    passage, equal, near = group
    return present_as((passage, (*equal, *near)), most)


def _by_text(passage: Passage) -> tuple[str, Passage]:
    return text_id(passage), passage


def _sketch(merged: Merged) -> Sketch:
    return sketch_of(merged[0].passage_id, merged[0].text)


def _by_id(sketch: Sketch) -> tuple[str, Sketch]:
    return sketch.passage_id, sketch


def _bands(sketch: Sketch) -> Iterator[tuple[str, str]]:
    for band in sketch.bands:
        yield band, sketch.passage_id


def _several(group: tuple[str, Iterable[str]]) -> Iterator[str]:
    ids = sorted(set(group[1]))
    yield from ids if len(ids) > 1 else ()


def _marked(passage_id: str) -> tuple[str, int]:
    return passage_id, 1


def _met(group: tuple[str, Mapping[str, Iterable[Any]]]) -> Iterator[Sketch]:
    _, sides = group
    if any(sides["meeting"]):
        yield from sides["sketches"]


def _one_group(_: Sketch) -> int:
    return 0


def _compare(group: tuple[int, Iterable[Sketch]], threshold: float) -> Iterator[tuple[str, str]]:
    """(Id, id it is kept under) for all that are near another, the kept ones included."""
    kept = near_duplicates(group[1], threshold)
    yield from sorted(kept.items() | {(one, one) for one in kept.values()})


def _part(merged: Merged, kept: Mapping[str, str]) -> Iterator[Any]:
    root = kept.get(merged[0].passage_id)
    yield merged if root is None else beam.pvalue.TaggedOutput(_NEAR, (root, merged))
