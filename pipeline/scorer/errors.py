"""What can go wrong: the data fell short, or the request was wrong."""

import difflib
from collections.abc import Iterable


class ScorerError(ValueError):
    """A run or a release that cannot be scored; names file, place, thing and remedy."""


class RequestError(ScorerError, FileNotFoundError):
    """The request names a release, run, subset or measure that is not there.

    Also a FileNotFoundError, so that a caller who knows only the built-in errors can tell a
    wrong request from bad data.
    """


def known(name: str, names: Iterable[str]) -> str:
    """The names there are, and the one that was probably meant."""
    ordered = list(names)
    close = difflib.get_close_matches(name, ordered, n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    return f"{guess}known: {', '.join(ordered) or 'none'}"
