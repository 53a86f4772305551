"""Carries texts into other languages and back: from the memory first, else by an engine."""

from collections.abc import Iterable, Mapping, Sequence

from pipeline.records import Reject, Translation, TranslationRequest
from pipeline.text import content_id
from translation.base import FAILURES, Asked, Engine, Output, Terms, TranslationError
from translation.languages import language
from translation.memory import TranslationMemory, fresh_entries
from translation.memory_files import write_entries

Direction = tuple[str, str]


def pair_signature(engine: Engine, back_engine: Engine | None = None) -> str:
    """The memory's signature of an engine and of the one that translates back, if another."""
    there, back = engine.signature(), (back_engine or engine.returning()).signature()
    return there if back == there else f"{there} back: {back}"


def translate_batch(
    requests: Sequence[TranslationRequest],
    engine: Engine,
    memory: TranslationMemory,
    back_engine: Engine | None = None,
) -> list[Translation | Reject]:
    """Answer each request, in order: by the memory, else there and back by the engine.

    The same request always has the same answer. What cannot be translated is a reject, whose
    reason is the engine's flag, keyed by a hash of the request. A second ``back_engine``, by
    default the one that the engine's own settings name, shows errors that one model makes
    symmetrically. Entries of the memory are taken as they are, also
    without a back-translation.
    """
    signature = pair_signature(engine, back_engine)
    answers: dict[TranslationRequest, Translation | Reject | None] = {
        request: memory.get(_checked(request), signature) for request in requests
    }
    missing = [request for request, answer in answers.items() if answer is None]
    answers |= _round_trip(missing, engine, back_engine or engine.returning())
    return [answer for request in requests if (answer := answers[request]) is not None]


def translate_and_keep(
    requests: Sequence[TranslationRequest], engine: Engine, memory: TranslationMemory, folder: str
) -> list[Translation | Reject]:
    """Answer requests, and write what is new to a folder, whole, before it is handed on.

    So a run that is killed has lost no more than the requests it was about to answer; whoever
    reads the folder into the memory afterwards is not asked again. Nothing is kept in "".
    """
    answers = translate_batch(requests, engine, memory)
    fresh = fresh_entries(requests, answers, memory, pair_signature(engine))
    if fresh and folder:
        write_entries(folder, fresh)
    return answers


def _round_trip(
    requests: Sequence[TranslationRequest], engine: Engine, back_engine: Engine
) -> Mapping[TranslationRequest, Translation | Reject]:
    there = _run(engine, requests)
    returning = {
        request: TranslationRequest(output.text, request.target, request.source)
        for request, output in there.items()
        if output.text
    }
    back = _run(back_engine, returning.values())
    texts = {request: back[returned].text for request, returned in returning.items()}
    return {
        request: _result(request, output, texts.get(request, ""), engine)
        for request, output in there.items()
    }


def _run(
    engine: Engine, requests: Iterable[TranslationRequest]
) -> dict[TranslationRequest, Output]:
    """Ask the engine once for each direction, with the distinct texts sorted."""
    directions: dict[Direction, dict[Asked, TranslationRequest]] = {}
    for request in requests:
        asked = request.text, Terms(request.terms, request.margin)
        directions.setdefault((request.source, request.target), {})[asked] = request
    outputs: dict[TranslationRequest, Output] = {}
    for (source, target), distinct in sorted(directions.items()):
        every = sorted(distinct)
        results = engine.translate_choosing(every, source, target)
        outputs |= zip((distinct[one] for one in every), results, strict=True)
    return outputs


def _result(
    request: TranslationRequest, output: Output, back_translation: str, engine: Engine
) -> Translation | Reject:
    failures = sorted(FAILURES.intersection(output.flags))
    if failures:
        key = content_id(request.text, request.source, request.target)
        return Reject("translate", key, failures[0], f"{request.source} to {request.target}")
    model, revision = engine.provenance()
    return Translation(
        text=output.text,
        language=request.target,
        origin="mt",
        engine=engine.name,
        model=model,
        revision=revision,
        back_translation=back_translation,
        score=output.score,
        flags=output.flags,
    )


def _checked(request: TranslationRequest) -> TranslationRequest:
    source, target = language(request.source), language(request.target)
    if source == target:
        raise TranslationError(
            f"{request.text!r} is to be translated from {source.code} into itself"
        )
    return request
