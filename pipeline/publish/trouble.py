"""Which failures of a network pass by themselves, and after how long."""

from collections.abc import Iterator

from huggingface_hub.errors import HfHubHTTPError

from pipeline.publish.outgoing import PublishError
from pipeline.publish.place import Trouble

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds
_CONFLICT, _RACE, _TOO_MANY, _SERVER = 409, 412, 429, 500
_REMEDIES = {
    401: "the token is not valid; log in again with `hf auth login` or set HF_TOKEN",
    403: "the token may not write here; ask for write access, or name another repository",
    404: "not there, or not to be seen with this token",
}


def pause_after(error: Exception, failures: int) -> float | None:
    """Seconds until it is worth looking again; None where it is not.

    After a rate limit the server says how long. A conflict means that somebody else was first, and
    an error of the server that the step may have been taken all the same: looking again tells.
    """
    grown = min(LONGEST_PAUSE, FIRST_PAUSE * float(2**failures))
    for cause in _causes(error):
        if isinstance(cause, HfHubHTTPError):
            return _after_answer(cause, grown)
        if _is_of_the_network(cause):
            return grown
    return None


def _after_answer(error: HfHubHTTPError, grown: float) -> float | None:
    status = int(error.response.status_code)
    if status == _TOO_MANY:
        asked = error.response.headers.get("Retry-After", "")
        return float(asked) if asked.isdecimal() else grown
    return grown if status in {_CONFLICT, _RACE} or status >= _SERVER else None


def explained(error: Exception, repo: str) -> PublishError:
    """The error for a person, with a remedy where one is known."""
    for cause in _causes(error):
        if isinstance(cause, HfHubHTTPError):
            status = cause.response.status_code
            said = cause.server_message or cause.response.reason_phrase
            return PublishError(f"{repo}: {status} {_REMEDIES.get(status, said)}")
    told = [str(cause).partition("\n")[0] or type(cause).__name__ for cause in _causes(error)]
    return PublishError(f"{repo}: {told[0]}" + (f" ({told[-1]})" if len(told) > 1 else ""))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_of_the_network(error: BaseException) -> bool:
    # The client's transport is named httpx or, since 2.0, httpx2; both name their errors so.
    names = {kind.__name__ for kind in type(error).__mro__}
    return isinstance(error, ConnectionError | TimeoutError) or "TransportError" in names


HUB = Trouble(pause_after, explained)
