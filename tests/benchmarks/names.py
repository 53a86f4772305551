"""Names by the million for benchmarks: real ones, and beyond them ones recombined from their words.

A recombined name is a real one in which one word is another: seven times of eight one drawn from
all words of all real names, so by its frequency; else a coined one, the head of a word with the
tail of another, as a vocabulary grows with the names. So lengths and frequencies are about those
of real names, and a name has neighbours that differ by a word, as siblings do.

Real names are dealt out to two lists that share none, and each is recombined from its own words:
settings are chosen on one and measured on the other.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from pipeline.text import draw, normalise

SEED = 1
TUNED, MEASURED = range(2)  # the two lists
CONSO_LANGUAGE, CONSO_TEXT = 1, 14
COINED_EVERY = 8
SHORTEST = 4  # letters of a word that is worth cutting in two


def made_names(meta: Path, wanted: int, part: int = MEASURED) -> list[str]:
    """So many different normalised names; the real ones of a Metathesaurus come first."""
    found = dict.fromkeys(real_names(meta)[part::2])
    for name in _recombined(list(found)):
        if len(found) >= wanted:
            break
        found.setdefault(name)
    return list(found)[:wanted]


def real_names(meta: Path) -> list[str]:
    """All English names, normalised, each once, in an order that says nothing about them."""
    with (meta / "MRCONSO.RRF").open(encoding="utf-8") as file:
        rows = (line.split("|") for line in file)
        texts = {normalise(row[CONSO_TEXT]) for row in rows if row[CONSO_LANGUAGE] == "ENG"}
    return sorted(texts - {""}, key=lambda text: (draw(SEED, text), text))


def _recombined(real: list[str]) -> Iterator[str]:
    """Without end."""
    words = [word for name in real for word in name.split()]
    for number in count():
        changed = _drawn(real, "name", number).split()
        place = draw(SEED, "place", str(number)) % len(changed)
        changed[place] = _other_word(words, number)
        yield " ".join(changed)


def _other_word(words: list[str], number: int) -> str:
    word, other = _drawn(words, "word", number), _drawn(words, "tail", number)
    is_kept = draw(SEED, "kept", str(number)) % COINED_EVERY
    if is_kept or min(len(word), len(other)) < SHORTEST:
        return word
    return word[: (len(word) + 1) // 2] + other[len(other) // 2 :]


def _drawn(texts: list[str], purpose: str, number: int) -> str:
    return texts[draw(SEED, purpose, str(number)) % len(texts)]
