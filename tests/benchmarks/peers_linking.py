"""Names found in questions by others: jobs that run where the peers are installed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.timing import timed

_WORD = re.compile(r"[^\W_]+")


def ahocorasick_link(names: str, questions: str) -> dict[str, int]:
    """The leftmost longest names by pyahocorasick, as they are written, without any variant.

    Every word stands between spaces of its own, so that only whole words match and two names may
    follow one another.
    """
    with timed("names"):
        automaton = _automaton(names)
    rows = [line.split("\t") for line in Path(questions).read_text("utf-8").splitlines()]
    found = {"as written": 0, "linked": 0}
    with timed("link"):
        for kind, text in rows:
            senses = [cuis for _, cuis in automaton.iter_long(_padded(text))]
            found["as written"] += bool(senses) and kind == "as written"
            found["linked"] += any(len(cuis) == 1 for cuis in senses)
    return found


def _automaton(path: str) -> Any:  # noqa: ANN401 - the peer has no types
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for cui, name in _rows(path):
        padded = _padded(name)
        known = automaton.get(padded, None)
        if known is None:
            automaton.add_word(padded, {cui})
        else:
            known.add(cui)
    automaton.make_automaton()
    return automaton


def _rows(path: str) -> Iterator[list[str]]:
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def _padded(text: str) -> str:
    """The words of a text, case folded, each between spaces."""
    return f" {'  '.join(_WORD.findall(text.casefold()))} "
