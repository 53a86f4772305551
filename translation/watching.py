"""Tells whoever shows progress what an engine has done, batch by batch; nothing depends on it."""

from collections.abc import Callable

Watcher = Callable[[int, int], None]
"""Called with the sentences and the output's tokens of each batch."""

_watcher: Watcher | None = None


def watch(watcher: Watcher | None) -> None:
    """Have every batch of this process reported, or no more."""
    global _watcher  # noqa: PLW0603 - engines are values, and know nobody
    _watcher = watcher


def tell(sentences: int, tokens: int) -> None:
    """Report a batch."""
    if _watcher is not None:
        _watcher(sentences, tokens)
