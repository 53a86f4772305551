"""What a confusion set rests on: the sources of its names and of the structure that made it."""

from collections.abc import Iterator, Mapping

from pipeline.records import Concept, ConfusionSet, Taint
from umls_tools.confusion.shown import shown_name

# The reasons of distractors that name a source, as the candidates write them: kind:SAB:…
STRUCTURAL = frozenset({"sibling", "cousin", "adjacent_code"})


def taint_of(
    mined: ConfusionSet, concepts: Mapping[str, Concept], levels: Mapping[str, int]
) -> Taint:
    """The sources of every name shown and of every hierarchy or code that put a concept there.

    A relation states no level of its own, so it has its source's, from `levels`. Relations that
    only kept concepts out of the set are not counted: nothing of them is in it.
    """
    shown = [name for cui in _members(mined) if (name := shown_name(concepts[cui]))]
    named = [(name.source, name.restriction) for name in shown]
    structural = [(source, levels[source]) for source in structural_sources(mined)]
    behind = named + structural
    sabs = sorted({source for source, _ in behind})
    return Taint(tuple(sabs), max((level for _, level in behind), default=0))


def structural_sources(mined: ConfusionSet) -> tuple[str, ...]:
    """The sources whose relations or codes made the set, sorted; none of look-alikes alone."""
    reasons = (one.why.split(":") for one in mined.distractors)
    return tuple(sorted({parts[1] for parts in reasons if parts[0] in STRUCTURAL}))


def _members(mined: ConfusionSet) -> Iterator[str]:
    yield mined.gold
    yield from (one.cui for one in mined.distractors)
