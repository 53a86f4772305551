"""What a concept unique identifier looks like, and many of them at once."""

import re

import numpy as np

from umls_tools.rows import Mask, Words

# "CL" and six digits stand in the NCI Metathesaurus.
CUI = re.compile(rb"C[0-9L][0-9]{6}")

_FIRST = np.uint64(0x43 << 56)
_ZEROS = np.uint64(0x0030303030303030)
_OVER_NINE = np.uint64(0x0076767676767676)  # carries into the high bit from ten on
_HIGH_BITS = np.uint64(0x8080808080808080)
_LETTER_L = np.uint64((0x4C ^ 0x30) << 48)
_SECOND = np.uint64(0xFF << 48)


def are_cuis(words: Words) -> Mask:
    """Whether the words (see `umls_tools.rows`) are those of CUIs."""
    digits = words ^ (_FIRST | _ZEROS)
    digits = np.where(digits & _SECOND == _LETTER_L, digits & ~_SECOND, digits)
    fine: Mask = ((digits + _OVER_NINE) | digits) & _HIGH_BITS == 0
    fine &= digits >> np.uint64(56) == 0
    return fine
