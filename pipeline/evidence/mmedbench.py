"""MMedBench: exam questions in six languages with rationales, one JSONL file a language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.evidence.base import Evidence, EvidenceError, OpenFile, Reader, reject
from pipeline.evidence.files import Json, json_lines, text_at
from pipeline.evidence.units import choose, folder, passage_id, source_id, stem
from pipeline.evidence.wording import collapse, is_english
from pipeline.records import LANGUAGES, Passage, Question, Relevance
from pipeline.text import content_id

_NAMES = {
    "english": "en",
    "german": "de",
    "spanish": "es",
    "french": "fr",
    "japanese": "ja",
    "russian": "ru",
    "chinese": "zh",
}


@dataclass(frozen=True)
class MMedBench(Reader):
    """Each English rationale is a passage; the question asks for it in its own language.

    Rationales in other languages are no English evidence and are rejected, as are those that
    failed their human check. Options are not used. Rows have no ids: theirs are hashes of what
    they hold.
    """

    licence: str = "CC-BY-NC-4.0"

    def units(self, listing: Sequence[str]) -> tuple[str, ...]:
        """One unit for each JSONL file; all must be named after a language."""
        chosen = choose("mmedbench", listing, ".jsonl")
        for path in chosen:
            _language(path)
        return chosen

    def read(self, unit: str, open_file: OpenFile) -> Iterator[Evidence]:
        """Passages and questions in order of id, once the whole file has been read."""
        language = _language(unit)
        by_id: dict[str, list[Json]] = {}
        for where, record in json_lines(unit, open_file, "question", "rationale"):
            by_id.setdefault(content_id(*_texts(record, where)), []).append(record)
        for identifier in sorted(by_id):
            first, *repeated = by_id[identifier]
            yield from self._row(first, identifier, language, unit)
            key = source_id("mmedbench", unit, identifier)
            yield from (reject(key, "repeated_row") for _ in repeated)

    def _row(self, record: Json, identifier: str, language: str, unit: str) -> Iterator[Evidence]:
        key = source_id("mmedbench", unit, identifier)
        asked, rationale = _texts(record, unit)
        if reason := _refusal(record, asked, rationale):
            yield reject(key, reason)
            return
        found = passage_id("mmedbench", folder(unit), stem(unit), identifier)
        yield Passage(found, "", rationale, (), (), "mmedbench", self.licence, "")
        relevant = (Relevance(found, 1),)
        yield Question(key, asked, language, (), (), relevant, "mmedbench", self.licence)


def _language(path: str) -> str:
    """The language that a file is named after, in full or by its code."""
    name = stem(path).casefold()
    code = _NAMES.get(name, name)
    if code not in LANGUAGES:
        known = ", ".join(sorted([*_NAMES, *LANGUAGES]))
        raise EvidenceError(
            f"{path}: {stem(path)!r} is no language we know; name it one of {known}"
        )
    return code


def _texts(record: Json, where: str) -> tuple[str, str]:
    return collapse(text_at(record, "question", where)), collapse(
        text_at(record, "rationale", where)
    )


def _refusal(record: Json, asked: str, rationale: str) -> str:
    """Why a row gives no question, or "" when it does."""
    if not asked:
        return "no_question"
    if not rationale:
        return "no_answer"
    if record.get("human_checked") and not record.get("human_check_passed", True):
        return "human_check_failed"
    return "" if is_english(rationale) else "no_english_evidence"
