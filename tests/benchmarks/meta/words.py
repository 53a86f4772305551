"""Names and definitions by the million, as slices of one long run of words.

A vocabulary holds each part of a word as it stands in a text, with the space or the comma before
it; so a text is a run of parts, and an array of texts needs only their ends. A text's first word is
made of two parts, so that there are as many such words as concepts, and few are those of two.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from tests.benchmarks.meta.draws import Numbers, draw
from tests.benchmarks.meta.lines import string_array
from tests.benchmarks.meta.syllables import NOT_SPACED, SYLLABLES

PARTS = 4_096  # of a wording
_BITS = 12  # that choose one of them
_STANDS = 4  # at the start, glued to that, as second word, later
_SYLLABLES_OF_A_PART = (2, 3, 2, 3, 2, 3, 3, 4)

WORDINGS = (*SYLLABLES, "inverted accented", "inverted cyrillic", "inverted transliterated")
# What readers trip over: read as nothing, as a line's end or as the start of a quotation.
WHOLE_TEXTS = ("NA", "None", "null", "NaN", "N/A", "E11.9", '"', "-", "#N/A", "0")
ODD_WORDS = (
    *(' "ardi', ' os"', " m²", "\tnos", " mi\u2028neu", " ul\x85", " ri\x1cto", " 5' \\"),
    *(" <b>lo</b>", " µ\u00a0g", " ''", " xer,"),
)
TAGS = ("(disorder)", "(trastorno)")
MARKUP = (" <p>", "</p>", "\t", " <i>mi</i>", " &lt;", ' "')
_SPECIAL = (*WHOLE_TEXTS, *ODD_WORDS, *(f" {tag}" for tag in TAGS), *MARKUP)
_SPECIAL_START = len(WORDINGS) * _STANDS * PARTS
# Every so manieth name is, or holds, one of these.
_WHOLE_EVERY, _ODD_EVERY, _MARKUP_EVERY = 5_003, 499, 17
NO_TAG = -1


class Texts(NamedTuple):
    """What texts to make: for each its number, its first word's, its wording, length and tag.

    ``tags`` are places in TAGS or NO_TAG; ``words`` counts the words.
    """

    numbers: Numbers
    firsts: Numbers
    wordings: Numbers
    words: Numbers
    tags: Numbers


def names(texts: Texts, seed: int) -> pa.Array:
    """Names; a few are whole texts of the odd kind, a few have an odd word or a tag at the end."""
    is_whole = texts.numbers % _WHOLE_EVERY == 7
    run, starts, ends = _run(texts, np.where(is_whole, 1, texts.words + 1), seed)
    has_more = (texts.words > 1) & ~is_whole
    has_tag = (texts.tags != NO_TAG) & has_more
    run[ends[has_tag] - 1] = _special(f" {TAGS[0]}") + texts.tags[has_tag]
    is_odd = (texts.numbers % _ODD_EVERY == 3) & has_more
    _put(run, starts[is_odd] + 2, ODD_WORDS, texts.numbers[is_odd] // _ODD_EVERY)
    _put(run, starts[is_whole], WHOLE_TEXTS, texts.numbers[is_whole] // _WHOLE_EVERY)
    return _merged(run, ends)


def definitions(texts: Texts, seed: int) -> pa.Array:
    """Definitions; some hold HTML, tabs and quotation marks."""
    run, starts, ends = _run(texts, texts.words + 1, seed)
    is_marked = (texts.numbers % _MARKUP_EVERY == 3) & (texts.words > 1)
    _put(run, starts[is_marked] + 2, MARKUP, texts.numbers[is_marked] // _MARKUP_EVERY)
    return _merged(run, ends)


def _run(texts: Texts, counts: Numbers, seed: int) -> tuple[Numbers, Numbers, Numbers]:
    """Places in the vocabulary of the parts of all texts, and where each text starts and ends."""
    ends = np.cumsum(counts)
    starts = ends - counts
    stand = np.arange(ends[-1]) - np.repeat(starts, counts)
    parts = draw(np.repeat(texts.numbers, counts) * 4_099 + stand, "words", seed)
    firsts = draw(texts.firsts, "first words", seed)
    parts[starts] = firsts
    parts[starts[counts > 1] + 1] = firsts[counts > 1] >> np.uint64(_BITS)
    places = (parts % np.uint64(PARTS)).astype(np.int64)
    stands = np.repeat(texts.wordings, counts) * _STANDS + np.minimum(stand, _STANDS - 1)
    return stands * PARTS + places, starts, ends


def _put(run: Numbers, where: Numbers, choices: tuple[str, ...], turns: Numbers) -> None:
    """Put the special words in, one after another by turns."""
    run[where] = _special(choices[0]) + turns % len(choices)


def _special(text: str) -> int:
    return _SPECIAL_START + _SPECIAL.index(text)


def _merged(run: Numbers, ends: Numbers) -> pa.Array:
    words = _vocabulary().take(pa.array(run))
    word_ends = np.frombuffer(words.buffers()[1], np.int32)[: len(run) + 1]
    offsets = np.concatenate([word_ends[:1], word_ends[ends]])
    return string_array(offsets, words.buffers()[2])


@cache
def _vocabulary() -> pa.Array:
    parts = [part for wording in WORDINGS for part in _parts(wording)]
    return pa.array([*parts, *_SPECIAL], pa.string())


def _parts(wording: str) -> list[str]:
    manner, _, script = wording.rpartition(" ")
    syllables = SYLLABLES["latin" if script == "transliterated" else script]
    parts = [_part(number, syllables) for number in range(PARTS)]
    if manner and script != "accented":
        parts = [part.upper() for part in parts]
    space = "" if script in NOT_SPACED else " "
    second = ", " if manner else space
    return [before + part for before in ("", "", second, space) for part in parts]


def _part(number: int, syllables: list[str]) -> str:
    left, part = number * 7_919 + 1, ""
    for _ in range(_SYLLABLES_OF_A_PART[number % len(_SYLLABLES_OF_A_PART)]):
        left, place = divmod(left, len(syllables))
        part += syllables[place]
    return part
