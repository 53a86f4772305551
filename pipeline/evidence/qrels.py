"""Relevance judgements in the TSV files of BEIR: query, document, grade."""

from collections.abc import Iterable

from pipeline.evidence.base import EvidenceError, OpenFile
from pipeline.evidence.files import lines

_COLUMNS = 3
_HIGHEST = 2**31 - 1  # a release's scores are of 32 bits
_HEADER = {"score", "relevance", "label", "grade"}


def read_qrels(paths: Iterable[str], open_file: OpenFile) -> dict[str, dict[str, int]]:
    """Grades by query, then document; of several for one pair the highest.

    A file may begin with a header or with its first judgement. Grades are whole numbers, also
    when written ``1.0``; grades below 1 are kept, for the caller to count.
    """
    judged: dict[str, dict[str, int]] = {}
    for path in paths:
        found = 0
        for number, line in lines(path, open_file):
            row = [cell.strip() for cell in line.split("\t")]
            where = f"{path}:{number}"
            if len(row) != _COLUMNS:
                raise EvidenceError(
                    f"{where}: {len(row)} columns, expected query-id, corpus-id and score "
                    "between tabs"
                )
            if found == 0 and row[-1].casefold() in _HEADER:
                continue
            found += 1
            _add(judged, row, where)
        if not found:
            raise EvidenceError(f"{path}: the file holds no judgement; download it again")
    return judged


def _add(judged: dict[str, dict[str, int]], row: list[str], where: str) -> None:
    query, passage, score = row
    if not query or not passage:
        raise EvidenceError(f"{where}: an empty id, expected query-id, corpus-id and score")
    grades = judged.setdefault(query, {})
    grade = _grade(score, where)
    grades[passage] = max(grade, grades.get(passage, grade))


def _grade(text: str, where: str) -> int:
    try:
        value = float(text)
        if value == int(value) and abs(value) <= _HIGHEST:
            return int(value)
    except (ValueError, OverflowError):
        pass
    raise EvidenceError(
        f"{where}: the score {text!r} is not a whole number of at most {_HIGHEST}; correct it"
    )
