"""Tells Traditional characters from Simplified ones, without a dictionary.

GB 2312 holds the Simplified characters in use and Big5 the Traditional ones; what both hold is
common to the two scripts. So a character of Big5 that is not in GB 2312 is Traditional, but for a
few that the table of 2013 (Tongyong Guifan Hanzi Biao) keeps for names of substances and people.
"""

_KEPT = frozenset("噁喆堃淼犇甦蘋鎔昇陞")


def traditional_characters(text: str) -> str:
    """The characters of a text that Simplified Chinese does not write, in order."""
    return "".join(one for one in text if _is_traditional(one))


def _is_traditional(character: str) -> bool:
    if character in _KEPT or not "\u4e00" <= character <= "\u9fff":
        return False
    return _has(character, "big5") and not _has(character, "gb2312")


def _has(character: str, charset: str) -> bool:
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return False
    return True
