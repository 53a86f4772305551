import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from pipeline.records import Reject, Translation, TranslationRequest
from translation.base import Engine, Output, TranslationError
from translation.engines import ENGINES, MemoryOnly
from translation.memory import Entry, TranslationMemory, fresh_entries
from translation.nllb import Nllb
from translation.translate import pair_signature, translate_batch


@dataclass(frozen=True)
class Tagging(Engine):
    """Writes the direction before each text, and notes what it was asked."""

    name: ClassVar[str] = "tagging"
    tag: str = ""
    asked: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list, compare=False)

    def signature(self) -> str:
        return f"tagging {self.tag}"

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Output]:
        self.asked.append((source, target, tuple(texts)))
        return [self._output(f"{self.tag}{source}>{target}:{text}") for text in texts]

    def provenance(self) -> tuple[str, str]:
        return "m", "r"

    @staticmethod
    def _output(text: str) -> Output:
        if "endless" in text:
            return Output("", flags=("input_too_long",))
        return Output("", flags=("empty",)) if "void" in text else Output(text, -0.5)


def ask(text: str, target: str = "de") -> TranslationRequest:
    return TranslationRequest(text, "en", target)


def test_results_stand_in_the_order_of_the_requests() -> None:
    engine = Tagging()
    requests = [ask("b", "fr"), ask("b"), ask("a"), ask("endless"), ask("b", "fr")]
    results = translate_batch(requests, engine, TranslationMemory())
    assert [r.text if isinstance(r, Translation) else r.reason for r in results] == [
        "en>fr:b",
        "en>de:b",
        "en>de:a",
        "input_too_long",
        "en>fr:b",
    ]
    assert engine.asked == [
        ("en", "de", ("a", "b", "endless")),
        ("en", "fr", ("b",)),
        ("de", "en", ("en>de:a", "en>de:b")),
        ("fr", "en", ("en>fr:b",)),
    ]


def test_a_translation_says_where_it_comes_from() -> None:
    [result] = translate_batch([ask("a")], Tagging(), TranslationMemory())
    expected = Translation("en>de:a", "de", "mt", "tagging", "m", "r", "de>en:en>de:a", -0.5)
    assert result == expected


def test_another_engine_may_translate_back_under_its_own_signature() -> None:
    there, back = Tagging(), Tagging(tag="other ")
    [result] = translate_batch([ask("a")], there, TranslationMemory(), back)
    assert isinstance(result, Translation)
    assert result.back_translation == "other de>en:en>de:a"
    assert pair_signature(there, Tagging()) == pair_signature(there) == "tagging "
    assert pair_signature(there, back) not in (there.signature(), back.signature())


def test_the_memory_is_asked_first_and_learns_the_rest() -> None:
    engine = Tagging()
    curated = Entry("a", "en", "de", "A", "", "curated")
    memory = TranslationMemory((curated,))
    requests = [ask("a"), ask("b"), ask("void")]
    results = translate_batch(requests, engine, memory)
    assert repr(results[0]) == repr(curated.as_translation())
    assert engine.asked[0] == ("en", "de", ("b", "void"))
    fresh = fresh_entries(requests, results, memory, pair_signature(engine))
    assert sorted(entry.text for entry in fresh) == ["b", "void"]
    silent = Tagging()
    full = TranslationMemory((*memory.entries, *fresh))
    assert str(translate_batch(requests, silent, full)) == str(results)
    assert silent.asked == []


def test_an_empty_output_is_kept_with_its_flag() -> None:
    [result] = translate_batch([ask("void")], Tagging(), TranslationMemory())
    assert isinstance(result, Translation)
    assert (result.text, result.back_translation, result.flags) == ("", "", ("empty",))


def test_memory_alone_reports_what_it_lacks() -> None:
    entry = Entry("a", "en", "de", "A", "a", "nllb", "m", "r", "some signature")
    requests = [ask("b"), ask("a"), ask("a", "fr")]
    results = translate_batch(requests, MemoryOnly(), TranslationMemory((entry,)))
    assert repr(results[1]) == repr(entry.as_translation())
    misses = [result for result in results if isinstance(result, Reject)]
    assert [(r.stage, r.reason, r.detail) for r in misses] == [
        ("translate", "not_in_memory", "en to de"),
        ("translate", "not_in_memory", "en to fr"),
    ]
    assert len({miss.key for miss in misses}) == 2


@pytest.mark.parametrize("request_", [ask("a", "xx"), ask("a", "en")])
def test_directions_that_do_not_exist_are_refused(request_: TranslationRequest) -> None:
    with pytest.raises(TranslationError):
        translate_batch([request_], Tagging(), TranslationMemory())


def test_a_round_trip_with_a_model(
    engine: Nllb, sentence_pairs: dict[str, list[tuple[str, str]]]
) -> None:
    requests = [
        TranslationRequest(english, "en", target)
        for target, pairs in sentence_pairs.items()
        for english, _ in pairs[:2]
    ]
    results = translate_batch(requests, engine, TranslationMemory())
    known = {target: dict(pairs) for target, pairs in sentence_pairs.items()}
    for request, result in zip(requests, results, strict=True):
        assert isinstance(result, Translation)
        assert result.text == known[request.target][request.text]
        assert result.back_translation == request.text
        assert (result.engine, result.model) == ("nllb", engine.provenance()[0])


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_engines_are_named_configurations_that_pickle(name: str) -> None:
    engine = ENGINES[name]()
    assert engine.name == name
    assert pickle.loads(pickle.dumps(engine)) == engine
    assert name in engine.signature()
