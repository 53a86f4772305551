"""Looks texts up in a Metathesaurus, by atom and hash."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.hydrate.wanted import Text
from pipeline.records import Concept, Name, Reject
from pipeline.release.withheld import digest
from umls_tools.concept_batches import concepts_of
from umls_tools.naming.company import Company
from umls_tools.naming.judging import judge, with_repaired_names
from umls_tools.reading import Metathesaurus, Watch, read_concepts
from umls_tools.retired import histories, resolve, successors

NEEDED = ("MRCONSO", "MRDEF")


@dataclass(slots=True)
class Found:
    """Texts that were found, and for every other why it was not."""

    texts: dict[Text, str] = field(default_factory=dict)
    missing: dict[Text, str] = field(default_factory=dict)


def find_texts(wanted: Set[Text], meta: Metathesaurus) -> Found:
    """Read the names and definitions once; MRCONSO must be in order of CUI, as it is released.

    A CUI that was retired is followed to the concept that it became. A name counts as found when
    the same atom gives it, as it stands or as the build repairs it, letter for letter.
    """
    fates = Fates.of(meta)
    by_key: dict[str, list[Text]] = {}
    for text in sorted(wanted):
        by_key.setdefault(text.aui or fates.present(text.cui), []).append(text)
    found, seen = Found(), dict[str, str]()
    for concept in _holders(by_key.keys(), meta):
        for key, candidates in _candidates(concept, by_key.keys()):
            seen[key] = concept.cui
            for text in by_key[key]:
                if fates.present(text.cui) == concept.cui and text.sha256 in candidates:
                    found.texts[text] = candidates[text.sha256]
    for text in sorted(wanted - found.texts.keys()):
        found.missing[text] = _why(text, seen, fates)
    return found


@dataclass(frozen=True, slots=True)
class Fates:
    """What became of concepts: those that have a successor, and why others have none."""

    successors: Mapping[str, str]
    lost: Mapping[str, str]

    @classmethod
    def of(cls, meta: Metathesaurus) -> "Fates":
        """As MRCUI and its like tell."""
        told = list(successors(histories(meta.tables, meta.open_file)))
        merged = dict(fate for fate in told if not isinstance(fate, Reject))
        lost = {fate.key: fate.reason for fate in told if isinstance(fate, Reject)}
        return cls(resolve(merged), lost)

    def present(self, cui: str) -> str:
        """The CUI that a concept has now."""
        return self.successors.get(cui, cui)


def _why(text: Text, seen: Mapping[str, str], fates: Fates) -> str:
    cui = fates.present(text.cui)
    if cui in fates.lost:
        reason = fates.lost[cui].replace("_", " ")
        return f"{cui}: the concept is retired without one successor ({reason})"
    if not text.aui:
        return f"{cui}: no definition with this hash"
    if text.aui not in seen:
        return f"{text.aui} of {cui}: no such name among those that the plan lets be seen"
    if seen[text.aui] != cui:
        return f"{text.aui} of {cui}: a name of {seen[text.aui]} now"
    return f"{text.aui} of {cui}: the name has changed"


def _holders(keys: Iterable[str], meta: Metathesaurus) -> Iterator[Concept]:
    """Concepts that hold a wanted atom, or are wanted themselves for a definition."""
    wanted = pa.array(sorted(keys), pa.string())
    tables = {name: meta.tables[name] for name in NEEDED if name in meta.tables}
    only = Metathesaurus(tables, meta.assembly, meta.open_file)
    for batch in read_concepts(only, Watch(_nobody_counts)):
        names = batch.column("names")
        held = pc.is_in(pc.struct_field(pc.list_flatten(names), "atom_id"), wanted)
        rows = pc.unique(pc.list_parent_indices(names).filter(held))
        own = pc.indices_nonzero(pc.is_in(batch.column("cui"), wanted))
        places = sorted({*rows.to_pylist(), *own.to_pylist()})
        yield from concepts_of(batch.take(pa.array(places, pa.int64())))


def _candidates(concept: Concept, keys: Set[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """What each wanted atom, or the concept's definitions, give: texts by their hash."""
    named = with_repaired_names(concept)
    for aui in sorted({name.atom_id for name in named.names} & keys):
        own = [name for name in named.names if name.atom_id == aui]
        texts = (text for name in own for text in _texts(name, named))
        yield aui, {digest(text): text for text in texts}
    if concept.cui in keys:
        yield concept.cui, {digest(one.text): one.text for one in concept.definitions}


def _texts(name: Name, concept: Concept) -> tuple[str, str]:
    """As the atom stands, and as the build repairs it among its neighbours."""
    return name.text, judge(name, Company(concept.names, name.language)).name.text


def _nobody_counts(_: Counter[str]) -> None:
    """What the plan does not let be seen was counted when the release was built."""
