"""Which names of a query's concepts its translation had better hold."""

from collections.abc import Callable

from pipeline.records import Query
from pipeline.release.withheld import FREE_LEVEL
from umls_tools.confusion.shown import LONGEST_NAME
from umls_tools.naming.judging import usable_names

TermsOf = Callable[[Query, str], tuple[str, ...]]
ASKED_BY_SOURCE = "source"  # the origin of a question in its source's own words


def free_names(query: Query, language: str) -> tuple[str, ...]:
    """The names in a language that its concepts have from free sources, fit for use, sorted.

    Of questions in their source's own words alone: a confusion set and a paraphrase must not
    name what they ask for. A name above level 0 would make a restricted text of the translation.
    """
    if query.origin != ASKED_BY_SOURCE:
        return ()
    rulings = (one for each in query.concepts for one in usable_names(each, language, LONGEST_NAME))
    return tuple(sorted({one.name.text for one in rulings if one.name.restriction <= FREE_LEVEL}))


def no_names(_query: Query, _language: str) -> tuple[str, ...]:
    """None, where a plan leaves terms to the engine."""
    return ()
