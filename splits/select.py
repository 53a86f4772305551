"""Which judged queries are released, in which languages, with no overlap left between tasks.

The claim parts the tasks by concepts, names and original wordings. Translations come later and
may coincide all the same, so they are compared once more, in every language.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.records import JudgedQuery, Reject
from pipeline.text import draw
from splits.candidates import Slot
from splits.keys import circle_of, text_key
from splits.near_duplicates import THRESHOLD, pairs

CORPUS_LANGUAGE = "en"  # the language of evidence, and of the names that confusion sets show


class SelectionError(ValueError):
    """Judged queries that the plan's languages and quotas do not provide for."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A judged query in one language as far as selecting needs it.

    `refused_by` names the filters that do not accept it; `names` are the keys of the English
    names of its concepts.
    """

    query_id: str
    task: str
    stratum: str
    language: str
    text: str
    origin: str
    back_translation: str
    refused_by: tuple[str, ...]
    names: tuple[str, ...]
    circle: str = ""  # that of splits.keys.circle_of, or the query alone

    @property
    def label(self) -> str:
        """Query and language, the key of its reject."""
        return f"{self.query_id}/{self.language}"

    @property
    def together(self) -> str:
        """What is released whole or not at all, if the quota allows it."""
        return self.circle or self.query_id

    @property
    def slot(self) -> Slot:
        """Where its quota stands."""
        return self.task, self.stratum

    @property
    def texts(self) -> set[str]:
        """The keys of what it says: its text, and its text carried back."""
        return {key for text in (self.text, self.back_translation) if (key := text_key(text))}


@dataclass(frozen=True, slots=True)
class Rules:
    """What the plan asks for: queries by slot and, where it says so, by slot and language."""

    languages: tuple[str, ...]
    quotas: Mapping[Slot, int]
    seed: int
    threshold: float = THRESHOLD
    language_quotas: Mapping[Slot, Mapping[str, int]] = field(default_factory=dict)
    floors: Mapping[Slot, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class Released:
    """A query in a language; of the parallel core when it is released in all of the plan's, but
    for those that the floor keeps back from its slot.
    """

    query_id: str
    language: str
    parallel_core: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """Every contender is either released or rejected; `shortfall` counts queries by slot."""

    released: tuple[Released, ...]
    rejects: tuple[Reject, ...]
    shortfall: Mapping[Slot, int]


def contender_of(judged: JudgedQuery) -> Contender:
    """Leave behind all that selecting does not need; a query's concepts weigh the most."""
    query, translation = judged.query, judged.translation
    names = {text_key(n.text) for c in query.concepts for n in c.names_in(CORPUS_LANGUAGE)}
    return Contender(
        query_id=query.query_id,
        task=query.task,
        stratum=query.stratum,
        language=translation.language,
        text=translation.text,
        origin=translation.origin,
        back_translation=translation.back_translation,
        refused_by=tuple(verdict.filter for verdict in judged.verdicts if not verdict.accepted),
        names=tuple(sorted(names - {""})),
        circle=circle_of(query),
    )


def select(contenders: Iterable[Contender], rules: Rules) -> Selection:
    """Release up to each quota, the queries that stand in most languages first.

    A translation that coincides with what another task says or shows is dropped in its language
    alone: the query's other languages do no harm. It then misses in the parallel core.
    """
    pool = sorted(contenders, key=lambda one: (one.query_id, one.language))
    _check(pool, rules)
    refused = {
        one.label: Reject("select", one.label, "not_accepted", ", ".join(one.refused_by))
        for one in pool
        if one.refused_by
    }
    accepted = [one for one in pool if one.label not in refused]
    refused |= _overlapping(accepted, _names_by_task(pool), rules)
    left = [one for one in accepted if one.label not in refused]
    refused |= _beyond_quota(left, rules)
    left = [one for one in left if one.label not in refused]
    refused |= (low := _below_floor(left, rules))
    chosen = [one for one in left if one.label not in refused]
    kept_back = {(one.slot, one.language) for one in left if one.label in low}
    released = _released(chosen, rules, kept_back)
    return Selection(released, _in_order(refused), _shortfall(chosen, rules))


def _check(pool: list[Contender], rules: Rules) -> None:
    seen: set[str] = set()
    for one in pool:
        if one.label in seen:
            raise SelectionError(f"select: {one.label} stands twice; judge each text once")
        seen.add(one.label)
        if one.language not in rules.languages:
            raise SelectionError(
                f"select: {one.label} is in none of the plan's languages: "
                f"{', '.join(rules.languages)}"
            )
        if one.slot not in rules.quotas:
            raise SelectionError(f"select: no quota for {one.task}/{one.stratum} ({one.label})")


def _names_by_task(pool: list[Contender]) -> dict[str, set[str]]:
    """For each name that may be shown, the tasks whose concepts bear it."""
    tasks: defaultdict[str, set[str]] = defaultdict(set)
    for one in pool:
        for name in one.names:
            tasks[name].add(one.task)
    return tasks


def _overlapping(
    accepted: list[Contender], names: Mapping[str, set[str]], rules: Rules
) -> dict[str, Reject]:
    """Contenders that coincide with another task, or ask in the words of another of their slot.

    What stands in more languages is kept: two queries of equal text with different answers cannot
    both be right.
    """
    partners = _near(accepted, rules.threshold)
    owner: dict[str, str] = {}
    asked: set[tuple[Slot, str, str]] = set()
    kept: set[str] = set()
    refused: dict[str, Reject] = {}
    for one in _by_precedence(accepted, rules.seed):
        words = (one.slot, one.language, text_key(one.text))
        near = sorted(kept.intersection(partners.get(one.label, ())))
        if any(owner.get(key, one.task) != one.task for key in one.texts):
            refused[one.label] = Reject("select", one.label, "text_of_other_task")
        elif any(names.get(key, set()) - {one.task} for key in one.texts):
            refused[one.label] = Reject("select", one.label, "name_of_other_task")
        elif near:
            refused[one.label] = Reject("select", one.label, "near_duplicate", near[0])
        elif words in asked:
            refused[one.label] = Reject("select", one.label, "not_unique")
        else:
            asked.add(words)
            kept.add(one.label)
            owner.update(dict.fromkeys(one.texts, one.task))
    return refused


def _by_precedence(accepted: list[Contender], seed: int) -> list[Contender]:
    """Wordings of the sources before translations, then what stands in more languages."""
    languages = Counter(one.query_id for one in accepted)

    def precedence(one: Contender) -> tuple[bool, int, int, str]:
        number = draw(seed, "overlap", one.query_id)
        return one.origin == "mt", -languages[one.query_id], number, one.label

    return sorted(accepted, key=precedence)


def _near(accepted: list[Contender], threshold: float) -> dict[str, list[str]]:
    """For each contender, those of other tasks that are near it in the same language."""
    by_language: defaultdict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for one in accepted:
        by_language[one.language][one.label] = (one.task, one.text)
    partners: defaultdict[str, list[str]] = defaultdict(list)
    for language in sorted(by_language):
        for left, right, _ in pairs(by_language[language], threshold):
            partners[left].append(right)
            partners[right].append(left)
    return partners


def _beyond_quota(left: list[Contender], rules: Rules) -> dict[str, Reject]:
    """Contenders for which there is no room, in their slot or in their language.

    Circles are released whole, as far as the quota goes: were of each the queries taken that
    stand in most languages, the gold would be the concept with the most names.
    """
    queries: defaultdict[str, list[Contender]] = defaultdict(list)
    for one in left:
        queries[one.query_id].append(one)
    spread = Counter(one.together for one in left)

    def precedence(query_id: str) -> tuple[int, int, str]:
        together = queries[query_id][0].together
        return -spread[together], draw(rules.seed, "select", together), query_id

    taken: Counter[Slot] = Counter()
    spoken: Counter[tuple[Slot, str]] = Counter()
    refused: dict[str, Reject] = {}
    for query_id in sorted(queries, key=precedence):
        group = queries[query_id]
        slot = group[0].slot
        room = taken[slot] < rules.quotas[slot]
        open_to = list(_open(group, spoken, rules)) if room else []
        taken[slot] += bool(open_to)
        spoken.update((slot, one.language) for one in open_to)
        reason = "over_language_quota" if room else "over_quota"
        for one in group:
            if one not in open_to:
                refused[one.label] = Reject("select", one.label, reason)
    return refused


def _open(
    group: list[Contender], spoken: Mapping[tuple[Slot, str], int], rules: Rules
) -> Iterator[Contender]:
    for one in group:
        limit = rules.language_quotas.get(one.slot, {}).get(one.language)
        if limit is None or spoken[one.slot, one.language] < limit:
            yield one


def _below_floor(left: list[Contender], rules: Rules) -> dict[str, Reject]:
    """All of a slot in a language that has fewer than the plan's floor.

    So few queries would be read as a score of the language and be one of its luck.
    """
    found = Counter((one.slot, one.language) for one in left)
    refused = {}
    for one in left:
        number, floor = found[one.slot, one.language], rules.floors.get(one.slot, 0)
        if number < floor:
            detail = f"{number} of at least {floor}"
            refused[one.label] = Reject("select", one.label, "below_language_floor", detail)
    return refused


def _released(
    chosen: list[Contender], rules: Rules, kept_back: set[tuple[Slot, str]]
) -> tuple[Released, ...]:
    languages = Counter(one.query_id for one in chosen)
    missing = Counter(slot for slot, _ in kept_back)
    return tuple(
        Released(
            one.query_id,
            one.language,
            languages[one.query_id] == len(rules.languages) - missing[one.slot],
        )
        for one in chosen
    )


def _in_order(refused: Mapping[str, Reject]) -> tuple[Reject, ...]:
    return tuple(refused[label] for label in sorted(refused))


def _shortfall(chosen: list[Contender], rules: Rules) -> dict[Slot, int]:
    """What each slot lacks; a query counts once, in however many languages it stands."""
    queries = Counter(slot for _, slot in {(one.query_id, one.slot) for one in chosen})
    return {slot: rules.quotas[slot] - queries[slot] for slot in sorted(rules.quotas)}
