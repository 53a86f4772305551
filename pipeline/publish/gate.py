"""What a release must be before anybody else may see it."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.lint import lint
from pipeline.publish.outgoing import Outgoing, PublishError
from splits.audit import verify

PUBLISHABLE = ("open", "ids")
_SHOWN = 10


def require_publishable(release: Path, outgoing: Outgoing) -> None:
    """Refuse a release that may not be published, or that does not hold what it promises.

    Raises:
        PublishError: With every reason, or the first few.
    """
    faults = list(_faults(release, outgoing))
    if not faults:
        return
    more = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
    told = "\n".join(f"  {line}" for line in [*faults[:_SHOWN], *more])
    raise PublishError(f"{release}: not published, for it has faults:\n{told}")


def _faults(release: Path, outgoing: Outgoing) -> Iterator[str]:
    if outgoing.profile not in PUBLISHABLE:
        yield (
            f"profile {outgoing.profile}: its texts may not be passed on; build with "
            f'profile = "open" or "ids"'
        )
    yield from verify(release)
    yield from map(str, lint(release))
