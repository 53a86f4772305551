"""The kinds of atoms: which source gives which term types in which language and letters."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from tests.benchmarks.meta.draws import Numbers, spread
from tests.benchmarks.meta.shares import CHINESE_WEIGHT, SOURCES, WITHOUT_ENGLISH, Source
from tests.benchmarks.meta.syllables import SCRIPTS
from tests.benchmarks.meta.words import NO_TAG, WORDINGS

LANGUAGES = sorted({source.language for source in SOURCES})
ENGLISH = LANGUAGES.index("ENG")
# Sources whose full names end in a tag, and its place in the TAGS of words.
_TAGGED = {"SNOMEDCT_US": 0, "SCTSPA": 1}
# Beginnings of the names of sources that give codes to concepts of theirs, and to descriptors.
_WITH_SCUI = ("MSH", "NCI", "RXNORM", "SCT", "SNOMED")
_WITH_SDUI = ("MDR", "MSH")
_CONCEPTS = 3_454.294  # of the release, in thousands as the atoms of a source


@dataclass(frozen=True, slots=True)
class Kind:
    """A term type of a source, with its atoms in thousands."""

    source: Source
    term_type: str
    atoms: float

    @property
    def wording(self) -> int:
        """In what letters and order the source writes its names: the place in WORDINGS."""
        return WORDINGS.index(self._wording())

    @property
    def tag(self) -> int:
        return _TAGGED.get(self.source.name, NO_TAG) if "FN" in self.term_type else NO_TAG

    @property
    def has_scui(self) -> bool:
        return self.source.name.startswith(_WITH_SCUI)

    @property
    def has_sdui(self) -> bool:
        return self.source.name.startswith(_WITH_SDUI)

    def _wording(self) -> str:
        name, language = self.source.name, self.source.language
        if self.term_type.endswith("JKN"):
            return "katakana"
        if name == "MSHRUS":
            return "inverted cyrillic" if self.term_type == "MH" else "inverted transliterated"
        if name == "MSHGER":
            return "inverted accented"
        if language == "ENG" or self.term_type.startswith("MTH_"):
            return "latin"
        return SCRIPTS.get(language, "accented")


KINDS = tuple(
    Kind(source, term_type, source.atoms * share / sum(source.kinds.values()))
    for source in SOURCES
    for term_type, share in source.kinds.items()
)


@cache
def kinds_of_slots() -> Numbers:
    """For each language a row: for each slot the place in KINDS of the kind that has it."""
    rows = [
        spread(kind.atoms if kind.source.language == language else 0 for kind in KINDS)
        for language in LANGUAGES
    ]
    return np.stack(rows)


@cache
def languages_of_slots() -> Numbers:
    """For each slot the language of a further atom: of other, and of laboratory concepts."""
    weights = dict.fromkeys(LANGUAGES, 0.0)
    for source in SOURCES:
        weights[source.language] += source.atoms
    weights["ENG"] -= _CONCEPTS * (1 - WITHOUT_ENGLISH)
    of_laboratory = {**weights, "CHI": CHINESE_WEIGHT}
    return np.stack([spread({**weights, "CHI": 0}.values()), spread(of_laboratory.values())])
