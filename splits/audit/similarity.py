"""Equal and nearly equal texts, found in a way of the audit's own.

All grams of one side are indexed. A text of `n` grams that reaches Jaccard `t` with another shares
at least `t·n` grams with it, so that looking up all but `t·n - 1` of them meets every such text.
Those looked up are the ones that the other side holds least often.
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

GRAM_LENGTH = 5
THRESHOLD = 0.7
_ROUNDING = 1e-9


def plain(text: str) -> str:
    """A text as it is compared: NFKC, case folded, runs of letters and digits only."""
    characters: list[str] = []
    composed = unicodedata.normalize("NFKC", text).casefold()
    for character in unicodedata.normalize("NFKC", composed):
        characters.append(character if character.isalnum() else " ")
    return " ".join("".join(characters).split())


def near(left: Mapping[str, object], right: Mapping[str, object]) -> list[tuple[str, str, float]]:
    """Pairs of a left and a right text (both plain) whose Jaccard reaches the threshold."""
    sets = {text: _grams(text) for text in right}
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for text in sorted(right):
        for gram in sets[text]:
            holders[gram].append(text)
    found = []
    for text in sorted(left):
        mine = _grams(text)
        for other in _candidates(mine, holders):
            shared = len(mine & sets[other])
            similarity = shared / (len(mine) + len(sets[other]) - shared)
            if similarity >= THRESHOLD:
                found.append((text, other, similarity))
    return sorted(found)


def _grams(text: str) -> set[str]:
    if len(text) <= GRAM_LENGTH:
        return {text}
    return {text[i : i + GRAM_LENGTH] for i in range(len(text) - GRAM_LENGTH + 1)}


def _candidates(mine: set[str], holders: Mapping[str, list[str]]) -> Iterator[str]:
    held = Counter({gram: len(holders.get(gram, ())) for gram in mine})
    rarest = sorted(mine, key=lambda gram: (held[gram], gram))
    spare = math.ceil(THRESHOLD * len(mine) - _ROUNDING) - 1
    looked_up = rarest[: len(rarest) - spare]
    yield from sorted({text for gram in looked_up for text in holders.get(gram, ())})
