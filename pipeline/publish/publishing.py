"""Publishing: look, take the step that is missing, look again, until none is."""

import logging
from collections.abc import Iterator

from pipeline.publish.outgoing import Outgoing, PublishError
from pipeline.publish.place import Place, Trouble
from pipeline.publish.steps import Done, Propose, Refuse, Wish, after, next_step

FAILURES = 6  # in a row, before it is given up
STEPS = 40  # more means that somebody undoes what is done
_logger = logging.getLogger("mmed-bench")


def publish(outgoing: Outgoing, place: Place, wish: Wish, trouble: Trouble) -> str:
    """Bring the release there, and say what came of it; running it again is always safe.

    The release is taken as it is: `gate` says whether it may go out.

    Raises:
        PublishError: It is refused, or failed for good; what is there stays as it is.
    """
    failures = 0
    for _ in range(STEPS):
        try:
            step = next_step(outgoing, place.look(outgoing), wish)
            if isinstance(step, Done | Refuse):
                return _ended(step)
            _logger.info(step.words(outgoing))
            place.take(step, outgoing, wish)
            failures = 0
        except PublishError:
            raise
        except Exception as error:
            pause = trouble.pause_after(error, failures)
            if pause is None or failures == FAILURES:
                raise trouble.explained(error, place.repo) from error
            failures += 1
            _logger.info("%s; looking again in %.0f s", trouble.explained(error, place.repo), pause)
            trouble.wait(pause)
    raise PublishError(f"{place.repo}: changes as fast as it is written; try again later")


def rehearse(outgoing: Outgoing, place: Place, wish: Wish, trouble: Trouble) -> Iterator[str]:
    """What `publish` would do, a line a step; looks, and writes nothing."""
    try:
        remote = place.look(outgoing)
    except PublishError:
        raise
    except Exception as error:
        raise trouble.explained(error, place.repo) from error
    while not isinstance(step := next_step(outgoing, remote, wish), Done | Refuse):
        yield step.words(outgoing)
        if isinstance(step, Propose):
            yield from _listed(step)
        remote = after(outgoing, remote, step, wish)
    yield _ended(step)


def _listed(step: Propose) -> Iterator[str]:
    for file in step.changes.uploads:
        yield f"  upload {file.sha256} {file.size:>12,} {file.path}"
    for path in step.changes.deletions:
        yield f"  delete {path}"


def _ended(step: Done | Refuse) -> str:
    if isinstance(step, Refuse):
        raise PublishError(step.reason)
    return step.outcome
