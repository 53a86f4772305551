"""The translation memory: what has been translated before, by whom, under which settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.records import Reject, Translation, TranslationRequest
from pipeline.text import content_id
from translation.base import ANY_SIGNATURE

TRUSTED_ENGINES = ("human", "curated")
"""Engines whose entries serve every other engine, the most trusted first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One text with its translation, and all that decided it.

    ``signature`` is the engine's; entries of trusted engines and of tables without it have "".
    """

    text: str
    source: str
    target: str
    translation: str
    back_translation: str
    engine: str
    model: str = ""
    revision: str = ""
    signature: str = ""
    score: float = float("nan")
    flags: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The hash of what was asked and of how it was answered."""
        return content_id(self.text, self.source, self.target, self.signature)

    @property
    def order(self) -> tuple[str | int, ...]:
        """Where the entry stands among others for the same text: trust, key, then content."""
        ranks = {engine: rank for rank, engine in enumerate(TRUSTED_ENGINES)}
        rank = ranks.get(self.engine, len(TRUSTED_ENGINES))
        answer = (self.translation, self.back_translation)
        origin = (self.engine, self.model, self.revision, repr(self.score), *self.flags)
        return (rank, self.key, *answer, *origin)

    @property
    def table_order(self) -> tuple[str | int, ...]:
        """Where the entry stands in a table for people: by direction and text."""
        return (self.source, self.target, self.text, *self.order)

    def serves(self, signature: str) -> bool:
        """Whether an engine of this signature may take the entry for its own."""
        return signature in (ANY_SIGNATURE, self.signature) or self.engine in TRUSTED_ENGINES

    def as_translation(self) -> Translation:
        """The entry as it flows on."""
        return Translation(
            text=self.translation,
            language=self.target,
            origin="mt",
            engine=self.engine,
            model=self.model,
            revision=self.revision,
            back_translation=self.back_translation,
            score=self.score,
            flags=self.flags,
        )


@dataclass(frozen=True)
class TranslationMemory:
    """Entries found by what they translate; equal in content, equal in every answer."""

    entries: tuple[Entry, ...] = ()

    @cached_property
    def _by_request(self) -> dict[TranslationRequest, list[Entry]]:
        found: dict[TranslationRequest, list[Entry]] = {}
        for entry in sorted(self.entries, key=lambda entry: entry.order):
            request = TranslationRequest(entry.text, entry.source, entry.target)
            found.setdefault(request, []).append(entry)
        return found

    def get(self, request: TranslationRequest, signature: str) -> Translation | None:
        """Look up what an engine of this signature would be given, or None.

        Human entries come first, then curated ones, then the engine's own; with
        ``ANY_SIGNATURE`` those of all engines, in order of their keys.
        """
        bare = TranslationRequest(request.text, request.source, request.target)
        entries, wanted = self._by_request.get(bare, ()), signed(signature, request)
        return next((e.as_translation() for e in entries if e.serves(wanted)), None)


def signed(signature: str, request: TranslationRequest) -> str:
    """An engine's signature, with the names that a request wants, if it wants any."""
    if not request.terms or signature == ANY_SIGNATURE:
        return signature
    return f"{signature} terms={content_id(*request.terms)} margin={request.margin}"


def fresh_entries(
    requests: Sequence[TranslationRequest],
    results: Sequence[Translation | Reject],
    memory: TranslationMemory,
    signature: str,
) -> list[Entry]:
    """Turn new translations into entries, sorted; what the memory already answers is left out."""
    pairs = zip(requests, results, strict=True)
    fresh = (
        _entry(request, result, signature)
        for request, result in pairs
        if isinstance(result, Translation) and memory.get(request, signature) is None
    )
    unique = {entry.order: entry for entry in fresh}
    return [unique[order] for order in sorted(unique)]


def _entry(request: TranslationRequest, translation: Translation, signature: str) -> Entry:
    return Entry(
        text=request.text,
        source=request.source,
        target=request.target,
        translation=translation.text,
        back_translation=translation.back_translation,
        engine=translation.engine,
        model=translation.model,
        revision=translation.revision,
        signature=signed(signature, request),
        score=translation.score,
        flags=translation.flags,
    )
