"""Choice among hypotheses by the names of the concepts that a text is about.

No word is forced into an output: of what the model offers anyhow, nearly as probable as its best,
one is taken that holds a name as the target language's sources write it.
"""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.text import normalise
from translation.base import FAILURES, TERM_CHOSEN, TERM_MISSING, Terms
from translation.chinese import traditional_characters
from translation.languages import language
from translation.nllb_text import Hypothesis

_WITHOUT_SPACES = frozenset({"Hans", "Jpan"})


def holds(text: str, names: Sequence[str], target: str) -> bool:
    """Whether a text holds one of the names word for word, in Chinese and Japanese by characters.

    Case and punctuation do not matter; another ending is another word.
    """
    searched = _key(text, target)
    return any(key.strip() and key in searched for key in (_key(one, target) for one in names))


def _key(text: str, target: str) -> str:
    """What is looked for and in: between spaces, or without any where words have none."""
    key = normalise(text)
    return key.replace(" ", "") if language(target).script in _WITHOUT_SPACES else f" {key} "


def choose(offered: Sequence[Hypothesis], terms: Terms, target: str) -> Hypothesis:
    """The most probable of the hypotheses that hold a name and are fit; else the first, the best.

    Fit is what is at most ``terms.margin`` less probable than the best (mean log-probability of a
    token, in nats) and has no fault that the best has not. Of equals the smaller text is taken.
    """
    best = offered[0]
    if not terms.names or best.flags & FAILURES or holds(best.text, terms.names, target):
        return best
    fit = [one for one in offered[1:] if _is_fit(one, best, terms, target)]
    if not fit:
        return replace(best, flags=best.flags | {TERM_MISSING})
    chosen = min(fit, key=lambda one: (-one.mean, one.text))
    return replace(chosen, flags=chosen.flags | {TERM_CHOSEN})


def _is_fit(one: Hypothesis, best: Hypothesis, terms: Terms, target: str) -> bool:
    return (
        one.flags <= best.flags
        and one.mean >= best.mean - terms.margin
        and not (target == "zh" and traditional_characters(one.text))
        and holds(one.text, terms.names, target)
    )
