"""How fast a million names are met by a hundred thousand questions."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.harness import Figure, Workshop, process_figures, ratio, require_equal
from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from pipeline.records import Concept
    from umls_tools.linking import Lexicon

NAMES, QUESTIONS, NAMES_OF_A_CONCEPT = 1_000_000, 100_000, 4
GOAL_WALL = 180.0
TEMPLATES = (
    "What is (are) {} ?", "What are the symptoms of {} ?", "What causes {} ?",
    "Who is at risk for {} ?", "How to diagnose {} ?", "What are the treatments for {} ?",
    "Is {} inherited ?", "How many people are affected by {} ?", "How to prevent {} ?",
    "What research (or clinical trials) is being done for {} ?",
)  # fmt: skip


def figures(workshop: Workshop) -> list[Figure]:
    """Names with their variants, against the bare names in an Aho-Corasick automaton."""
    paths = workshop.prepare("linking:prepare", workshop.folder)
    runs = workshop.measure(
        {
            "link": workshop.ours("linking:link", *paths),
            "pyahocorasick": workshop.peer("peers_linking:ahocorasick_link", *paths),
        }
    )
    ours, theirs = runs.values()
    require_equal("linking", ours.answer["as written"], theirs.answer["as written"])
    work = f"{NAMES:,} names, {QUESTIONS:,} questions"
    names, texts = ours.seconds["names"], ours.seconds["wanted"] + ours.seconds["link"]
    return [
        Figure(f"link {work}: wall", ours.wall, "s", GOAL_WALL),
        *process_figures(f"link {work}", ours)[1:],
        Figure("names that are passed in 1 s of CPU", NAMES / names, "per s"),
        Figure("questions that are linked in 1 s of CPU", QUESTIONS / texts, "per s"),
        Figure("questions with a link", ours.answer["linked"] / QUESTIONS, "share"),
        *process_figures(f"pyahocorasick, {work}", theirs),
        Figure("the same by pyahocorasick", theirs.answer["linked"] / QUESTIONS, "share"),
        ratio("CPU: linking, to pyahocorasick", ours.cpu, theirs.cpu, 1.0),
        ratio("peak memory: linking, to pyahocorasick", ours.peak, theirs.peak, 1.0),
    ]


def prepare(folder: str) -> list[str]:
    """Write names and questions, unless this very code has; gives both files' paths."""
    digest = blake2b(Path(__file__).read_bytes(), digest_size=4).hexdigest()
    names, questions = (Path(folder) / f"{kind}-{digest}.tsv" for kind in ("names", "questions"))
    if not questions.is_file():
        for outdated in Path(folder).glob("*.tsv"):
            outdated.unlink()
        texts = list(_names())
        rows = (f"C{at // NAMES_OF_A_CONCEPT:07d}\t{text}\n" for at, text in enumerate(texts))
        with names.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(rows)
        questions.write_text("".join(_questions(texts)), "utf-8")
    return [str(names), str(questions)]


def link(names: str, questions: str) -> dict[str, int]:
    """Read both, pass the names by what the questions ask for, and link every question."""
    from umls_tools.linking import AMBIGUOUS

    rows = [line.split("\t") for line in Path(questions).read_text("utf-8").splitlines()]
    lexicon = _lexicon(names, [text for _, text in rows])
    found = {"as written": 0, "linked": 0}
    with timed("link"):
        for kind, text in rows:
            links = lexicon.links(text)
            found["as written"] += bool(links) and kind == "as written"
            found["linked"] += any(one.how != AMBIGUOUS for one in links)
    return found


def _lexicon(names: str, texts: list[str]) -> "Lexicon":
    from umls_tools.linking import KeyTable, Lexicon, lexicon_entries, text_fingerprints

    table = KeyTable.empty()
    with timed("wanted"):
        for text in texts:
            table.add(text_fingerprints(text))
    with timed("names"):
        return Lexicon.of(
            entry for concept in _concepts(names) for entry in lexicon_entries(concept, table)
        )


def _concepts(path: str) -> "Iterator[Concept]":
    """The names as the graph holds them: records, several to a concept."""
    from pipeline.records import Concept, Name

    with Path(path).open(encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t") for line in file)
        for cui, group in groupby(rows, key=itemgetter(0)):
            names = tuple(
                Name(text, "en", "MADE", "PT", "", 0, place == 0)
                for place, (_, text) in enumerate(group)
            )
            yield Concept(cui, names, ("T047",))


def _names() -> Iterator[str]:
    """One to five words, a single one long enough to be rare; every seventh name is inverted."""
    from tests.benchmarks.meta import Dice, name_of

    for number in range(NAMES):
        first, *words = name_of("ENG", Dice(1, f"name {number}")).split()
        if not words:
            first += name_of("ENG", Dice(1, f"ending {number}")).replace(" ", "")
        is_inverted = number % 7 == 0 and words
        yield f"{' '.join(words)}, {first}" if is_inverted else " ".join([first, *words])


def _questions(names: list[str]) -> Iterator[str]:
    """Two thirds with a name as it is written, the others with its plural or turned round."""
    from tests.benchmarks.meta import Dice

    for number in range(QUESTIONS):
        dice = Dice(2, f"question {number}")
        name, template = names[dice.below(NAMES)], dice.of(TEMPLATES)
        if number % 3:
            yield f"as written\t{template.format(name)}\n"
        else:
            turned = " ".join(reversed(name.split(", "))) if ", " in name else f"{name}s"
            yield f"varied\t{template.format(turned)}\n"
