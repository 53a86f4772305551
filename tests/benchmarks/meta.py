"""Writes a synthetic Metathesaurus of any number of MRCONSO rows; no name in it means anything.

Languages, restriction levels, suppression and names per concept are spread as in release 2025AA.
The same arguments give the same bytes.
"""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

# Atoms by language in 2025AA, in thousands; VIE stands for the languages that are not named here.
LANGUAGES = {
    "ENG": 10_492, "SPA": 1_957, "POR": 463, "FRE": 462, "JPN": 351, "RUS": 316, "GER": 280,
    "ITA": 271, "KOR": 157, "CHI": 91, "DUT": 2_304,
}  # fmt: skip
SUPPRESS = {"N": 8_590, "O": 1_200, "Y": 204, "E": 6}
# How many names a concept has, about five on average.
NAMES = {1: 28, 2: 20, 3: 13, 4: 10, 6: 12, 10: 10, 20: 5, 40: 2}
# Source and restriction level, with the share of the language's atoms.
SOURCES: dict[str, dict[tuple[str, int], int]] = {
    "ENG": {
        ("MSH", 0): 200, ("NCI", 0): 200, ("RXNORM", 0): 205, ("SNOMEDCT_US", 9): 215,
        ("MDR", 3): 140, ("ICD10", 1): 18, ("CPT", 4): 20, ("NANDA-I", 2): 2,
    },
    "SPA": {("SCTSPA", 9): 60, ("MDRSPA", 3): 20, ("MSHSPA", 3): 10, ("LNC-ES-ES", 0): 10},
    "POR": {("MDRPOR", 3): 60, ("MSHPOR", 3): 30, ("LNC-PT-BR", 0): 10},
    "FRE": {("MDRFRE", 3): 50, ("MSHFRE", 3): 30, ("LNC-FR-FR", 0): 20},
    "JPN": {("MDRJPN", 3): 60, ("MSHJPN", 3): 40},
    "RUS": {("MSHRUS", 3): 40, ("MDRRUS", 3): 30, ("LNC-RU-RU", 0): 30},
    "GER": {("MSHGER", 0): 40, ("MDRGER", 3): 60},
    "ITA": {("MDRITA", 3): 50, ("MSHITA", 3): 20, ("LNC-IT-IT", 0): 30},
    "KOR": {("MDRKOR", 3): 70, ("LNC-KO-KR", 0): 30},
    "CHI": {("LNC-ZH-CN", 0): 1},
    "DUT": {("MDRDUT", 3): 80, ("LNC-NL-NL", 0): 20},
}  # fmt: skip
TERM_TYPES = {"PT": 5, "SY": 3, "ET": 1, "LN": 1}
TYPES = {"T047": 6, "T121": 3, "T033": 3, "T061": 2, "T201": 2}
_LATIN = re.findall(
    r"\w+", "ar be cor di en fil gas hep in kar lo mi neu os phal rit sto tho ul xer"
)
_SYLLABLES = {
    "RUS": re.findall(r"\w+", "ар бе вол ги дер жел зи кар лим мон нос пер рит сер тон ул фил"),
    "JPN": list("症候群炎病腫瘍性急慢骨肺肝腎心ガンアレルギー"),
    "CHI": list("症候群炎病肿瘤性急慢骨肺肝肾心脏血管神经"),
    "KOR": list("증후군염병종양성급만골폐간신심장"),
}
_NOT_SPACED = frozenset({"JPN", "CHI"})


class Dice:
    """Choices that depend on the seed and on what they are made for, taken off one long number."""

    def __init__(self, seed: int, name: str) -> None:
        key = seed.to_bytes(8, "big", signed=True)
        self.left = int.from_bytes(blake2b(name.encode(), digest_size=64, key=key).digest(), "big")

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1; fit for some fifty small bounds."""
        self.left, number = divmod(self.left, bound)
        return number

    def of(self, choices: Sequence[T]) -> T:
        """One of several, all alike."""
        return choices[self.below(len(choices))]


def spread(shares: Mapping[T, int]) -> tuple[T, ...]:
    """A table of shares laid out, so that an even choice has them."""
    return tuple(choice for choice, share in shares.items() for _ in range(share))


_LANGUAGES, _SUPPRESS, _NAMES = spread(LANGUAGES), spread(SUPPRESS), spread(NAMES)
_SOURCES = {language: spread(sources) for language, sources in SOURCES.items()}
_TERM_TYPES, _TYPES = spread(TERM_TYPES), spread(TYPES)


def made_meta(parent: Path, rows: int) -> str:
    """The folder of a Metathesaurus of that many rows, written by this very code or before."""
    digest = blake2b(Path(__file__).read_bytes(), digest_size=4).hexdigest()
    folder = parent / f"meta-{rows}-{digest}"
    if not folder.is_dir():
        for outdated in parent.glob(f"meta-{rows}-*"):
            shutil.rmtree(outdated)
        draft = folder.with_suffix(".draft")
        write_meta(draft, rows)
        draft.rename(folder)
    return str(folder)


def write_meta(folder: Path, rows: int, seed: int = 1) -> None:
    """Write MRCONSO with that many rows, and the tables without which it cannot be read."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "MRCONSO.RRF", conso_rows(rows, seed))
    _write(folder / "MRSTY.RRF", _type_rows(rows, seed))
    _write(folder / "MRSAB.RRF", _source_rows())
    _write(folder / "MRRANK.RRF", _rank_rows())


def conso_rows(rows: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Atoms in order of CUI, then language."""
    written = 0
    for cui, count in _concepts(rows, seed):
        languages = sorted(_atom_languages(cui, count, seed))
        for place, language in enumerate(languages):
            written += 1
            is_first = place == languages.index(language)
            yield _atom(cui, language, written, Dice(seed, f"{cui} {place}"), is_first)


def name_of(language: str, dice: Dice) -> str:
    """One to five words of the language's letters."""
    syllables = _SYLLABLES.get(language, _LATIN)
    words = ["".join(dice.of(syllables) for _ in range(2 + dice.below(3))) for _ in range(5)]
    joint = "" if language in _NOT_SPACED else " "
    return joint.join(words[: 1 + dice.below(5)])


def _concepts(rows: int, seed: int) -> Iterator[tuple[str, int]]:
    """CUIs, each with how many names it has."""
    left, number = rows, 0
    while left:
        number += 1
        cui = f"C{number:07d}"
        count = min(left, Dice(seed, cui).of(_NAMES))
        left -= count
        yield cui, count


def _atom_languages(cui: str, count: int, seed: int) -> Iterator[str]:
    dice = Dice(seed, f"{cui} languages")
    return (dice.of(_LANGUAGES) for _ in range(count))


def _atom(cui: str, language: str, number: int, dice: Dice, is_first: bool) -> tuple[str, ...]:
    source, level = dice.of(_SOURCES[language])
    code = f"{dice.below(10**8):08d}"
    status = (
        ("P", "PF", "Y") if is_first else (dice.of("PSS"), dice.of(("PF", "VO")), dice.of("YN"))
    )
    primary, variant, preferred = status
    return (
        *(cui, language, primary, f"L{number:07d}", variant, f"S{number:08d}", preferred),
        *(f"A{number:08d}", "", f"M{code}", f"D{code}", source, dice.of(_TERM_TYPES), code),
        *(name_of(language, dice), str(level), dice.of(_SUPPRESS), "256"),
    )


def _type_rows(rows: int, seed: int) -> Iterator[tuple[str, ...]]:
    for number, (cui, _) in enumerate(_concepts(rows, seed), 1):
        yield cui, Dice(seed, f"{cui} type").of(_TYPES), "", "", f"AT{number:08d}", "256"


def _source_rows() -> Iterator[tuple[str, ...]]:
    for language, sources in SOURCES.items():
        for source, level in sources:
            yield (
                *("", f"C{0:07d}", f"{source}_2025", source, source, source, "2025", "", ""),
                *("2025AA", "", "", "", str(level), "", "", "", "PT,SY,ET,LN", "", language),
                *("UTF-8", "Y", "Y", source, ""),
            )


def _rank_rows() -> Iterator[tuple[str, ...]]:
    named = [(source, kind) for of in SOURCES.values() for source, _ in of for kind in TERM_TYPES]
    for rank, (source, kind) in zip(range(len(named), 0, -1), named, strict=True):
        yield f"{rank:04d}", source, kind, "N"


def _write(path: Path, rows: Iterator[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines("|".join(row) + "|\n" for row in rows)
