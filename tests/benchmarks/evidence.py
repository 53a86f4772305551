"""How fast evidence is read: MedQuAD's files, many and small."""

import shutil
from pathlib import Path

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio, require_equal
from tests.benchmarks.reading import SAMPLE, open_data
from tests.benchmarks.timing import timed

COPIES = 40  # of the sample's files, where the real ones are not there


def figures(workshop: Workshop) -> list[Figure]:
    """The reader against a bare pass of lxml over the same files."""
    folder = workshop.prepare("evidence:prepare", workshop.folder)
    runs = workshop.measure(
        {
            "reader": workshop.ours("evidence:read", folder),
            "lxml": workshop.peer("peers:lxml_medquad", folder),
        }
    )
    ours, lxml = runs.values()
    require_equal("evidence", ours.answer, lxml.answer)
    files, questions = ours.answer["files"], ours.answer["questions"]
    return [
        *process_figures(f"read {files:,} files of MedQuAD", ours),
        Figure("answered questions in 1 s of CPU", questions / ours.seconds["read"], "per s"),
        *process_figures(f"lxml, the texts of {files:,} files", lxml),
        ratio("CPU of reading alone, to lxml", ours.seconds["read"], lxml.seconds["read"]),
    ]


def prepare(folder: str) -> str:
    """The folder of MedQuAD, or one with many copies of the sample's files."""
    found = open_data("medquad")
    if found is not None:
        return str(found)
    copies = Path(folder) / "medquad"
    for number in range(COPIES):
        for source in (SAMPLE / "evidence" / "medquad").iterdir():
            target = copies / f"{source.name}{number}"
            shutil.copytree(source, target, dirs_exist_ok=True)
    return str(copies)


def read(folder: str) -> dict[str, int]:
    """Read all units and count them with the questions they gave."""
    from pipeline.evidence import READERS, open_local
    from pipeline.records import Question

    reader = READERS["medquad"]()
    units = reader.units([str(path) for path in Path(folder).rglob("*.xml")])
    questions = 0
    with timed("read"):
        for unit in units:
            questions += sum(isinstance(one, Question) for one in reader.read(unit, open_local))
    return {"files": len(units), "questions": questions}
