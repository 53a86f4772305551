"""Links English texts and headings to concepts by the longest name that matches.

The names are millions and the texts few, or the other way round. So the texts first say, in a
table of bits, which keys they could be looked up by (``wanted``); the names pass by that table,
and what is left of them is a lexicon small enough for every worker (``keys``, ``lexicon``).
Keys are ``cui:``, ``mesh:``, ``name:`` (normalised) and ``acronym:`` (case kept, so that "all" in
a sentence is not ALL, a leukaemia).
"""

from umls_tools.linking.keys import Sense, heading_key, lexicon_entries
from umls_tools.linking.lexicon import AMBIGUOUS, Lexicon, Link
from umls_tools.linking.wanted import Everything, KeyTable, fingerprint, text_fingerprints
from umls_tools.linking.words import EDGE_WORDS, singular, words_of

__all__ = [
    "AMBIGUOUS",
    "EDGE_WORDS",
    "Everything",
    "KeyTable",
    "Lexicon",
    "Link",
    "Sense",
    "fingerprint",
    "heading_key",
    "lexicon_entries",
    "singular",
    "text_fingerprints",
    "words_of",
]
