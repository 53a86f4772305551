"""Times that a job takes of its own parts."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

seconds: dict[str, float] = {}


@contextmanager
def timed(part: str) -> Iterator[None]:
    """Add up the processor's time for a part of a job, of all threads of this process."""
    start = time.process_time()
    yield
    seconds[part] = seconds.get(part, 0.0) + time.process_time() - start
