"""Lets a process end itself by SIGKILL at a chosen moment, for tests of what it leaves behind."""

import os
import signal
import sys

_WATCHED = frozenset({"open", "os.rename", "os.remove"})


def die_at(number: int, folder: str) -> list[int]:
    """Count what is done with the folder's files, and end the process at the n-th time."""
    count = [0]

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event in _WATCHED and str(arguments[0]).startswith(folder):
            count[0] += 1
            if count[0] == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    return count
