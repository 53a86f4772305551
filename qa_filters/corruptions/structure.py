"""Corruptions of the whole: sentences lost, text cut off, looped, left untranslated, exchanged."""

import re

from qa_filters.corruptions.base import Pair, Spoilt, Surroundings, draw_one
from qa_filters.sentences import split_sentences

KEPT = 0.55  # of the text, where it is cut off
LOOPS = 4
MIN_LOOP = 4  # characters
WIDE = ("ja", "zh")  # written without spaces
MIN_NAME = 5  # letters of a name that cannot stand by chance


def drop_sentence(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Lose one sentence of several."""
    posed, made = split_sentences(pair.source_text), split_sentences(pair.text)
    if len(made) < 2 or len(posed) != len(made):  # noqa: PLR2004 - one of at least two
        return None
    lost = draw_one(len(made), "drop_sentence", pair, surroundings)
    joint = "" if pair.language in WIDE else " "
    return Spoilt(_without(made, lost, joint), _without(posed, lost, " "))


def _without(sentences: list[str], lost: int, joint: str) -> str:
    return joint.join(sentence for at, sentence in enumerate(sentences) if at != lost)


def truncate(pair: Pair, _: Surroundings) -> Spoilt | None:
    """Cut the text off where a limit of tokens would."""
    if not _is_long(pair):
        return None
    return Spoilt(cut(pair.text, KEPT), cut(pair.source_text, KEPT))


def loop(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Say a part again and again, after the text or instead of its end."""
    if not _is_long(pair):
        return None
    at_full_length = draw_one(2, "loop", pair, surroundings) == 1
    return Spoilt(*(_loop(text, at_full_length) for text in (pair.text, pair.source_text)))


def _loop(text: str, at_full_length: int) -> str:
    part = text[: max(MIN_LOOP, len(text) // LOOPS)].rstrip() + " "
    looped = part * LOOPS
    return looped if at_full_length else f"{text} {looped}"


def copy_source(pair: Pair, _: Surroundings) -> Spoilt | None:
    """Leave everything as it was."""
    if pair.text.casefold() == pair.source_text.casefold():
        return None
    return Spoilt(pair.source_text, pair.source_text)


def copy_half(pair: Pair, _: Surroundings) -> Spoilt | None:
    """Leave the first half as it was and translate the second."""
    if not _is_long(pair):
        return None
    half = cut(pair.source_text, 0.5)
    return Spoilt(f"{half} {pair.text[len(cut(pair.text, 0.5)) :].strip()}", pair.source_text)


def template_only(pair: Pair, _: Surroundings) -> Spoilt | None:
    """Translate all but the name of a concept."""
    for concept in pair.concepts:
        for there in concept.target:
            given = next((name for name in concept.source if _whole(name, pair.source_text)), "")
            is_alike = there.casefold() == given.casefold() or len(given) < MIN_NAME
            stands = there in pair.text if pair.language in WIDE else _whole(there, pair.text)
            if given and not is_alike and stands and there != pair.text:
                return Spoilt(pair.text.replace(there, given), pair.source_text)
    return None


def _whole(name: str, text: str) -> bool:
    """Whether a name stands in a text between borders of words."""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def other_query(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Translate something else."""
    other = surroundings.another
    if other.source_text == pair.source_text or other.text == pair.text:
        return None
    return Spoilt(other.text, other.back_translation or other.source_text)


def cut(text: str, share: float) -> str:
    """The beginning of a text, up to the end of a word where words have spaces between them."""
    end = int(len(text) * share)
    space = text.rfind(" ", 0, end + 1)
    return text[: space if space > end // 2 else end]


def _is_long(pair: Pair) -> bool:
    """Whether there is enough to lose a part of it: no term, and at least four words."""
    return pair.kind != "term" and len(pair.source_text.split()) > LOOPS - 1
