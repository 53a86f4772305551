"""Rows of the sample's Metathesaurus tables, made from what is written by hand."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple

from pipeline.records import LANGUAGES
from pipeline.sample.authored import Authored, AuthoredConcept
from pipeline.text import normalise

RELEASE = "2026MM"
SOURCE = "MMSAMPLE"
RESTRICTED_SOURCE = "MMRESTRICTED"
RESTRICTED_LEVEL = 3  # internal research use only: may be neither translated nor released
INVERSE = {"PAR": "CHD", "CHD": "PAR", "RB": "RN", "RN": "RB"}
INVERSE_LABEL = {
    "isa": "inverse_isa",
    "inverse_isa": "isa",
    "has_tradename": "tradename_of",
    "tradename_of": "has_tradename",
    "may_treat": "may_be_treated_by",
    "may_be_treated_by": "may_treat",
}
_DIGITS = 8  # of a minted identifier, as in releases of recent years

Row = tuple[str, ...]


class Atom(NamedTuple):
    """A name in the place where MRCONSO keeps it."""

    cui: str
    lat: str
    sab: str
    tty: str
    text: str
    restriction: int
    suppress: str
    preferred: bool


class Identifiers:
    """Numbers for contents, drawn from their hashes, distinct even where hashes collide."""

    def __init__(self, prefix: str, contents: Iterable[Row]) -> None:
        """Number the contents; their order does not matter."""
        self._numbers: dict[Row, str] = {}
        taken: set[str] = set()
        for content in sorted(set(contents)):
            salt = 0
            while (number := _number(prefix, content, salt)) in taken:
                salt += 1
            taken.add(number)
            self._numbers[content] = number

    def __getitem__(self, content: Row) -> str:
        """The number of one of the contents."""
        return self._numbers[content]


def _number(prefix: str, content: Row, salt: int) -> str:
    digest = blake2b("\x1f".join((prefix, *content, str(salt))).encode(), digest_size=8).digest()
    return f"{prefix}{int.from_bytes(digest, 'big') % 10**_DIGITS:0{_DIGITS}d}"


def source_of(language: str, family: str = SOURCE) -> str:
    """The member of a family of sources that holds one language: a source has no more than one."""
    lat = LANGUAGES[language].umls_lat
    return family if lat == "ENG" else family + lat


def atoms_of(authored: Authored) -> list[Atom]:
    """Every name: the concepts' own, then suppressed and restricted ones."""
    atoms = [atom for concept in authored.concepts for atom in _own_atoms(concept)]
    for cui, language, name in authored.suppressed:
        lat = LANGUAGES[language].umls_lat
        atoms.append(Atom(cui, lat, source_of(language), "OP", name, 0, "O", preferred=False))
    for cui, language, name in authored.restricted:
        lat = LANGUAGES[language].umls_lat
        place = (source_of(language, RESTRICTED_SOURCE), "PT", name, RESTRICTED_LEVEL, "N")
        atoms.append(Atom(cui, lat, *place, preferred=False))
    return atoms


def _own_atoms(concept: AuthoredConcept) -> Iterable[Atom]:
    for language, names in concept.names:
        lat = LANGUAGES[language].umls_lat
        for place, name in enumerate(names):
            first = place == 0
            tty = "PT" if first else "SY"
            yield Atom(concept.cui, lat, source_of(language), tty, name, 0, "N", preferred=first)


def _key(atom: Atom) -> Row:
    return (atom.cui, atom.lat, atom.sab, atom.tty, atom.text)


def name_rows(atoms: Iterable[Atom], auis: Identifiers) -> list[Row]:
    """MRCONSO. A concept's names differ after normalisation, so each is its own lexical group."""
    atoms = list(atoms)
    luis = Identifiers("L", ((atom.lat, normalise(atom.text)) for atom in atoms))
    suis = Identifiers("S", ((atom.lat, atom.text) for atom in atoms))
    return [
        (
            *(atom.cui, atom.lat, "P" if atom.preferred else "S"),
            *(luis[atom.lat, normalise(atom.text)], "PF", suis[atom.lat, atom.text], "Y"),
            *(auis[_key(atom)], "", "", "", atom.sab, atom.tty, "NOCODE"),
            *(atom.text, str(atom.restriction), atom.suppress, ""),
        )
        for atom in atoms
    ]


def relation_rows(authored: Authored, preferred: Mapping[str, str]) -> list[Row]:
    """MRREL: every relation stored both ways; ``preferred`` gives a concept's English atom."""
    stated = [
        *((c.cui, "PAR", "inverse_isa", parent) for c in authored.concepts for parent in c.parents),
        *authored.relations,
    ]
    both = sorted(
        {
            *((first, rel, rela, second) for first, rel, rela, second in stated),
            *(
                (second, INVERSE.get(rel, rel), INVERSE_LABEL.get(rela, rela), first)
                for first, rel, rela, second in stated
            ),
        }
    )
    ruis = Identifiers("R", both)
    return [
        (
            *(first, preferred[first], "AUI", rel, second, preferred[second], "AUI", rela),
            *(ruis[first, rel, rela, second], "", SOURCE, SOURCE, "", "", "N", ""),
        )
        for first, rel, rela, second in both
    ]


def type_rows(authored: Authored) -> list[Row]:
    """MRSTY."""
    pairs = [(concept.cui, tui) for concept in authored.concepts for tui in concept.tuis]
    atuis = Identifiers("AT", pairs)
    return [(cui, tui, *authored.semantic_types[tui], atuis[cui, tui], "") for cui, tui in pairs]


def definition_rows(authored: Authored, preferred: Mapping[str, str]) -> list[Row]:
    """MRDEF: one English definition each."""
    atuis = Identifiers("AT", ((c.cui, "DEF", c.definition) for c in authored.concepts))
    return [
        (
            *(c.cui, preferred[c.cui], atuis[c.cui, "DEF", c.definition]),
            *("", SOURCE, c.definition, "N", ""),
        )
        for c in authored.concepts
    ]


def source_rows(atoms: Iterable[Atom]) -> list[Row]:
    """MRSAB, with the counts of what each source holds."""
    atoms = list(atoms)
    levels = {atom.sab: atom.restriction for atom in atoms}
    return [
        _source_row(sab, level, [a for a in atoms if a.sab == sab])
        for sab, level in sorted(levels.items())
    ]


def _source_row(sab: str, level: int, atoms: list[Atom]) -> Row:
    lat = min(atom.lat for atom in atoms)
    name = "MMed-Bench-IR sample" + (", names that must never be released" if level else "")
    return (
        *("", "", f"{sab}_{RELEASE}", sab, f"{name} ({lat})", SOURCE, RELEASE, "", "", RELEASE),
        *("", "MMed-Bench-IR", "MMed-Bench-IR", str(level), str(len(atoms))),
        *(str(len({atom.cui for atom in atoms})), "FULL-MULTIPLE" if sab == SOURCE else ""),
        *(",".join(sorted({atom.tty for atom in atoms})), "", lat, "UTF-8", "Y", "Y", name),
        f"{name}. Written for MMed-Bench-IR; no UMLS text.",
    )


def rank_rows(atoms: Iterable[Atom]) -> list[Row]:
    """MRRANK, from high to low: preferred names, synonyms, obsolete names.

    Restricted names rank highest, as they often do in a release: who forgets the licence gate
    shows them first.
    """
    order = {"PT": 0, "SY": 1, "OP": 2}
    kinds = sorted({(order[a.tty], -a.restriction, a.sab, a.tty) for a in atoms})
    return [
        (f"{len(kinds) - place:04d}", sab, tty, "Y" if tty == "OP" else "N")
        for place, (_, _, sab, tty) in enumerate(kinds)
    ]


def retired_rows(authored: Authored) -> list[Row]:
    """MRCUI."""
    return [
        (old, RELEASE, rel, "", "", new, "Y" if new else "") for old, rel, new in authored.retired
    ]


def content_rows(authored: Authored) -> dict[str, list[Row]]:
    """The rows of every table but those that describe the release itself."""
    atoms = atoms_of(authored)
    auis = Identifiers("A", map(_key, atoms))
    preferred = {a.cui: auis[_key(a)] for a in atoms if a.preferred and a.lat == "ENG"}
    return {
        "MRCONSO": name_rows(atoms, auis),
        "MRREL": relation_rows(authored, preferred),
        "MRSTY": type_rows(authored),
        "MRDEF": definition_rows(authored, preferred),
        "MRSAB": source_rows(atoms),
        "MRRANK": rank_rows(atoms),
        "MRCUI": retired_rows(authored),
    }
