"""How easily the names of two drugs are taken for each other, by the eye and by the ear.

Kondrak and Dorr ("Identification of confusable drug names", COLING 2004) found that a measure of
spelling and one of sound, put together, tell confusable pairs better than either alone. Spelling
is their n-SIM, written from the published formula; sound is the same measure over the code that
Metaphone gives a name.
"""

from functools import lru_cache

from jellyfish import metaphone

from umls_tools.confusion.keys import normalised
from umls_tools.confusion.similarity import DIGITS

BIGRAM = 2
MEASURE = "look_alike_sound_alike"


def spelled_alike(left: str, right: str, size: int = BIGRAM) -> float:
    """n-SIM of two names, from 0 to 1; BI-SIM for the default `size` of 2.

    Grams of letters are aligned in order; two grams count by the share of places in which they
    agree. The first letter is repeated before the name, which gives every letter a gram of its
    own and the beginning, which readers mind most, more weight.
    """
    ours, theirs = normalised(left), normalised(right)
    longest = max(len(ours), len(theirs))
    if not longest:
        return 0.0
    return round(_aligned(_n_grams(ours, size), _n_grams(theirs, size)) / (size * longest), DIGITS)


def _n_grams(text: str, size: int) -> list[str]:
    padded = text[:1] * (size - 1) + text
    return [padded[start : start + size] for start in range(len(text))]


def _aligned(left: list[str], right: list[str]) -> int:
    """The greatest number of letters that agree, gram by gram, in any alignment in order."""
    row = [0] * (len(right) + 1)
    for ours in left:
        above = row
        row = [0]
        for place, theirs in enumerate(right):
            gain = sum(one == other for one, other in zip(ours, theirs, strict=True))
            row.append(max(above[place + 1], row[place], above[place] + gain))
    return row[-1]


def sounded_alike(left: str, right: str) -> float:
    """BI-SIM of how two names sound, word by word, from 0 to 1."""
    return spelled_alike(_sound(left), _sound(right))


@lru_cache(maxsize=1 << 16)
def _sound(text: str) -> str:
    return " ".join(metaphone(word) for word in normalised(text).split())


def confusable(left: str, right: str) -> float:
    """The mean of how alike two names are spelled and sound, from 0 to 1."""
    return round((spelled_alike(left, right) + sounded_alike(left, right)) / 2, DIGITS)
