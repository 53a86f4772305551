"""How often a set's gold is found by somebody who never read the question.

A shortcut looks at the candidates of a set as they are shown, and at how often each is shown in
all sets together, and picks one. With ten candidates a guess is right once in ten times.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import mean, median

from umls_tools.confusion.keys import normalised
from umls_tools.confusion.similarity import DIGITS, cosine

TOLERANCE = 0.03  # how far from chance a shortcut may stay by itself
STANDARD_ERRORS = 3.0


@dataclass(frozen=True, slots=True)
class Face:
    """A candidate as it is seen without the question.

    What a release does not tell, the term type and the number of names, is "" and 0.
    """

    concept: str
    name: str
    source: str
    term_type: str = ""
    names: int = 0


@dataclass(frozen=True, slots=True)
class Sighted:
    """A set: its candidates in the order in which they are shown, and the place of the gold."""

    faces: tuple[Face, ...]
    gold: int


@dataclass(frozen=True, slots=True)
class Found:
    """How often a shortcut finds the gold in so many sets; ties count by their share."""

    shortcut: str
    sets: int
    rate: float
    chance: float

    @property
    def tolerance(self) -> float:
        """How far from chance the rate may be: 0.03, and what so few sets scatter by.

        Three standard errors of a binomial share: with eighteen shortcuts and three tiers a
        narrower band would be left by chance alone.
        """
        scatter = sqrt(self.chance * (1 - self.chance) / max(self.sets, 1))
        return max(TOLERANCE, STANDARD_ERRORS * scatter)

    @property
    def tells(self) -> bool:
        """Whether the shortcut finds the gold more often than chance explains."""
        return self.rate - self.chance > self.tolerance

    @property
    def is_near_chance(self) -> bool:
        """Whether it helps nobody who never reads the question."""
        return abs(self.rate - self.chance) <= self.tolerance


Shown = Mapping[str, int]
Shortcut = Callable[[Sequence[Face], Shown], Sequence[float]]


def _most_shown(faces: Sequence[Face], shown: Shown) -> list[float]:
    return [shown[face.concept] for face in faces]


def _longest(faces: Sequence[Face], _: Shown) -> list[float]:
    return [len(face.name) for face in faces]


def _middle_length(faces: Sequence[Face], _: Shown) -> list[float]:
    middle = median(len(face.name) for face in faces)
    return [-abs(len(face.name) - middle) for face in faces]


def _most_words(faces: Sequence[Face], _: Shown) -> list[float]:
    return [len(face.name.split()) for face in faces]


def _commonest_words(faces: Sequence[Face], _: Shown) -> list[float]:
    """In the mean over its words, how many of the names have them."""
    words = [normalised(face.name).split() for face in faces]
    counts = Counter(word for one in words for word in set(one))
    return [round(mean([counts[word] for word in one] or [0]), DIGITS) for one in words]


def _first(faces: Sequence[Face], _: Shown) -> list[float]:
    return [-place for place, _ in enumerate(faces)]


def _commonest_source(faces: Sequence[Face], _: Shown) -> list[float]:
    counts = Counter(face.source for face in faces)
    return [counts[face.source] for face in faces]


def _commonest_term_type(faces: Sequence[Face], _: Shown) -> list[float]:
    counts = Counter(face.term_type for face in faces)
    return [counts[face.term_type] for face in faces]


def _most_names(faces: Sequence[Face], _: Shown) -> list[float]:
    return [face.names for face in faces]


def _most_typical(faces: Sequence[Face], _: Shown) -> list[float]:
    """Most alike, in the mean, to all the others."""
    names = [face.name for face in faces]
    return [round(sum(cosine(name, other) for other in names), DIGITS) for name in names]


def _first_cui(faces: Sequence[Face], _: Shown) -> list[float]:
    order = {concept: -place for place, concept in enumerate(sorted(f.concept for f in faces))}
    return [order[face.concept] for face in faces]


def _capital(faces: Sequence[Face], _: Shown) -> list[float]:
    return [face.name[:1].isupper() for face in faces]


def _against(shortcut: Shortcut) -> Shortcut:
    """The same view, but the last is taken for the gold."""
    return lambda faces, shown: [-score for score in shortcut(faces, shown)]


SHORTCUTS: dict[str, Shortcut] = {
    "most often shown": _most_shown,
    "least often shown": _against(_most_shown),
    "longest name": _longest,
    "shortest name": _against(_longest),
    "middle length": _middle_length,
    "most words": _most_words,
    "fewest words": _against(_most_words),
    "commonest words": _commonest_words,
    "rarest words": _against(_commonest_words),
    "first": _first,
    "last": _against(_first),
    "commonest source": _commonest_source,
    "rarest source": _against(_commonest_source),
    "commonest term type": _commonest_term_type,
    "rarest term type": _against(_commonest_term_type),
    "most names": _most_names,
    "fewest names": _against(_most_names),
    "most like the others": _most_typical,
    "least like the others": _against(_most_typical),
    "lowest CUI": _first_cui,
    "highest CUI": _against(_first_cui),
    "capital letter": _capital,
    "small letter": _against(_capital),
}


# Those that need no more than the files of a release.
TOLD: dict[str, Shortcut] = {
    name: shortcut
    for name, shortcut in SHORTCUTS.items()
    if "term type" not in name and not name.endswith(" names")
}


def times_shown(sets: Iterable[Sighted]) -> Shown:
    """In how many sets each concept is shown."""
    return Counter(face.concept for one in sets for face in one.faces)


def shortcut_rates(
    sets: Sequence[Sighted], shown: Shown, shortcuts: Mapping[str, Shortcut] = SHORTCUTS
) -> list[Found]:
    """What each shortcut finds in some sets; `shown` counts over all that are released together."""
    return [_found(name, shortcut, sets, shown) for name, shortcut in shortcuts.items()]


def _found(name: str, shortcut: Shortcut, sets: Sequence[Sighted], shown: Shown) -> Found:
    hits = [_hit(shortcut(one.faces, shown), one.gold) for one in sets]
    chances = [1 / len(one.faces) for one in sets]
    number = max(len(sets), 1)
    return Found(name, len(sets), sum(hits) / number, sum(chances) / number)


def _hit(scores: Sequence[float], gold: int) -> float:
    """The share of the highest score that is the gold's, if it has it."""
    best = max(scores)
    return (scores[gold] == best) / sum(score == best for score in scores)
