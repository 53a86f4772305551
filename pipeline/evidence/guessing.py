"""Which reader a file of evidence is for, told from its name and its first kilobytes."""

import re
from collections.abc import Iterable

from pipeline.evidence.base import EvidenceError, OpenFile
from pipeline.evidence.files import opened, whole

_FIRST = 1 << 16  # bytes
# (ending, what stands near the beginning, reader), the first that fits decides.
_MARKS: tuple[tuple[str, re.Pattern[bytes], str], ...] = (
    (".xml", re.compile(rb"<(?:PubmedArticleSet|MedlineCitationSet)\b"), "pubmed"),
    (".xml", re.compile(rb"<(?:Document|DiseaseFile|doc)\s[^<>]*id="), "medquad"),
    (".json", re.compile(rb'"questions"\s*:\s*\['), "bioasq"),
    (".json", re.compile(rb'"[0-9]+"\s*:\s*\{[^{}]*"QUESTION"'), "pubmedqa"),
    (".jsonl", re.compile(rb'"rationale"\s*:'), "mmedbench"),
    (".jsonl", re.compile(rb'"_?id"\s*:'), "beir"),
)
_ENDINGS = tuple(sorted({f"{ending}{tail}" for ending, _, _ in _MARKS for tail in ("", ".gz")}))


def guess_reader(listing: Iterable[str], open_file: OpenFile) -> str:
    """The name of the reader for a folder's files, or for one file.

    Raises EvidenceError when no file tells it, and when two of its files tell differently: the
    first of each kind and folder is looked at.
    """
    found: dict[str, str] = {}
    for path in _one_of_each(listing):
        if reader := _told(path, open_file):
            found.setdefault(reader, path)
    if len(found) == 1:
        return next(iter(found))
    known = ", ".join(sorted({reader for _, _, reader in _MARKS}))
    if not found:
        raise EvidenceError(f"no file that a reader would know; name one of {known}")
    told = " and ".join(f"{path} is for {reader}" for reader, path in sorted(found.items()))
    raise EvidenceError(f"{told}; name one reader")


def _one_of_each(listing: Iterable[str]) -> list[str]:
    chosen: dict[tuple[str, str], str] = {}
    for path in sorted(listing):
        folder, _, name = path.rpartition("/")
        ending = next((one for one in _ENDINGS if name.endswith(one)), "")
        if ending and not name.startswith("."):
            chosen.setdefault((folder, ending), path)
    return sorted(chosen.values())


def _told(path: str, open_file: OpenFile) -> str:
    with whole(path), opened(path, open_file) as stream:
        first = stream.read(_FIRST)
    name = path.removesuffix(".gz")
    fitting = (r for ending, mark, r in _MARKS if name.endswith(ending) and mark.search(first))
    return next(fitting, "")
