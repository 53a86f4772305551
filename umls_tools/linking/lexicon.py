"""The names that texts ask for, and which of them a text holds."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from umls_tools.linking.keys import Sense
from umls_tools.linking.words import EDGE_WORDS, singular, words_of

AMBIGUOUS = "ambiguous"
# Questions of medicine are about what ails, then about what is done for it; other groups follow
# together.
_GROUP_ORDER = {"DISO": 0, "CHEM": 1, "PROC": 2, "ANAT": 3, "PHYS": 4, "LIVB": 5}


@dataclass(frozen=True, slots=True)
class Link:
    """A stretch of a text, in words, with the concept that it names.

    `how` tells by what it was found among others: "only", "heading", "type", "sources", "first
    name"; of an ambiguous name `cui` is "".
    """

    start: int
    end: int
    key: str
    cui: str
    how: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Keys with their senses.

    `reach` is how many words a name goes on for, by its first word; `chosen` what each key stands
    for where nothing else is known.
    """

    senses: Mapping[str, tuple[Sense, ...]]
    reach: Mapping[str, int]
    chosen: Mapping[str, tuple[str, str]]

    @classmethod
    def of(
        cls, entries: Iterable[tuple[str, Sense]], stop_words: Collection[str] = ()
    ) -> "Lexicon":
        """Gather entries of any order; a stop word alone is no name."""
        stopped = {f"name:{word}" for word in stop_words}
        gathered: dict[str, set[Sense]] = {}
        for key, sense in entries:
            if key not in stopped:
                gathered.setdefault(key, set()).add(sense)
        senses = {key: _sorted(gathered[key]) for key in sorted(gathered)}
        return cls(senses, _reach(senses), {key: choose(senses[key]) for key in senses})

    def cui(self, key: str) -> str:
        """The concept that a key stands for; "" where it is none, or one of several."""
        cuis = {sense.cui for sense in self.senses.get(key, ())}
        return min(cuis) if len(cuis) == 1 else ""

    def links(self, text: str, prefer: Collection[str] = ()) -> tuple[Link, ...]:
        """Return the longest names in a text that do not overlap, in text order.

        Of equally long names the leftmost wins. An ambiguous one still keeps shorter names out,
        as what it holds is part of a longer name. `prefer` holds concepts that are known to be
        in question.
        """
        found = dict(self._spans(*words_of(text)))
        taken: set[int] = set()
        links = []
        for start, end in sorted(found, key=lambda span: (span[0] - span[1], span[0])):
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                key = found[start, end]
                told = choose(self.senses[key], prefer) if prefer else self.chosen[key]
                links.append(Link(start, end, key, *told))
        return tuple(sorted(links, key=lambda link: link.start))

    def _spans(
        self, words: list[str], acronyms: list[tuple[int, str]]
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield the stretches that are names, each with its key; a later one replaces an earlier.

        As it stands in the text a name goes before the singular of it, and an acronym before a
        word.
        """
        reach = self.reach
        for start, word in enumerate(words):
            longest = reach.get(word, 0) or reach.get(singular(word), 0)
            if longest and word not in EDGE_WORDS:
                yield from self._spans_from(words, start, min(start + longest, len(words)))
        for place, key in acronyms:
            if key in self.senses:
                yield (place, place + 1), key

    def _spans_from(
        self, words: list[str], start: int, limit: int
    ) -> Iterator[tuple[tuple[int, int], str]]:
        leading = "name:"
        for at in range(start, limit):
            last = words[at]
            if last not in EDGE_WORDS:
                for key in (leading + last, leading + singular(last)):
                    if key in self.senses:
                        yield (start, at + 1), key
                        break
            leading += last + " "


def choose(senses: Collection[Sense], prefer: Collection[str] = ()) -> tuple[str, str]:
    """Return the concept that a name stands for and what told; ("", AMBIGUOUS) if nothing does.

    Concepts in `prefer` go before others, then what is of the group that questions are most about,
    then what most sources call by the name, then what is first called so.
    """
    left, told = list(senses), "only"
    for how, measure in _measures(prefer):
        if len(left) == 1:
            break
        least = min(map(measure, left))
        kept = [sense for sense in left if measure(sense) == least]
        left, told = kept, how if len(kept) < len(left) else told
    return (left[0].cui, told) if len(left) == 1 else ("", AMBIGUOUS)


def _measures(prefer: Collection[str]) -> tuple[tuple[str, Callable[[Sense], int]], ...]:
    """What tells the senses of a name apart, one after another; the least is kept."""
    return (
        ("heading", lambda sense: sense.cui not in prefer),
        ("type", lambda sense: _GROUP_ORDER.get(sense.group, len(_GROUP_ORDER))),
        ("sources", lambda sense: -sense.sources),
        ("first name", lambda sense: not sense.preferred),
    )


def _sorted(senses: Iterable[Sense]) -> tuple[Sense, ...]:
    return tuple(sorted(senses, key=lambda one: (one.cui, one.group, one.sources, one.preferred)))


def _reach(keys: Iterable[str]) -> dict[str, int]:
    reach: dict[str, int] = {}
    for key in keys:
        kind, _, name = key.partition(":")
        if kind == "name" and name:
            first = name.split(" ", 1)[0]
            reach[first] = max(reach.get(first, 0), name.count(" ") + 1)
    return reach
