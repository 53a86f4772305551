"""Texts as terms: words where scripts part them, single and paired characters where they don't.

Chinese and Japanese run on without blanks; there, character uni- and bigrams find about as much
as a dictionary's words do, in either language and without the dictionary.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

# Kana, the iteration mark 々 and Han with its extensions. NFKC has widened half-width katakana.
_UNPARTED = "\u3005\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_UNPARTED += "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_TERMS = re.compile(rf"(?P<unparted>[{_UNPARTED}]+)|[^\W_{_UNPARTED}]+")


def terms(text: str) -> list[str]:
    """The terms of a text in any language, as often as they occur: folded, never stemmed."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return list(_terms(folded))


def _terms(folded: str) -> Iterator[str]:
    for match in _TERMS.finditer(folded):
        if match["unparted"]:
            yield from match.group()
            yield from map("".join, pairwise(match.group()))
        else:
            yield match.group()
