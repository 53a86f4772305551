"""What a release really contains, read back from its files: the source of card and notices."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

from pipeline.records import TASKS
from pipeline.release.layout import SETS, Subset, corpus_folder, subset_folder, subsets
from pipeline.release.writing import FileEntry, entry_of
from pipeline.schemas import Row

# By what a concept is asked for in a confusion set, by the origin of the text and the kind of the
# English wording. In English a name is a synonym of the one shown, elsewhere a native name.
SET_WORDINGS = ("name", "definition", "translated_name", "translated_definition")

# Written last, over everything else; so neither can list itself.
UNLISTED = ("manifest.json",)


@dataclass(frozen=True, slots=True)
class SubsetContents:
    """One subset's counts: queries, of them in the parallel core, and by origin.

    ``wordings`` counts those of confusion sets by `SET_WORDINGS`.
    """

    subset: Subset
    queries: int
    parallel_core: int
    origins: Mapping[str, int]
    wordings: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contents:
    """Counts and provenance of a whole release."""

    subsets: tuple[SubsetContents, ...]
    documents: Mapping[str, int]  # by task
    sabs: Mapping[str, int]  # UMLS sources with the highest level seen of each alone
    licences: tuple[str, ...]
    engines: tuple[str, ...]  # "engine model revision"


def read_contents(root: Path, languages: Sequence[str], tiers: Sequence[str]) -> Contents:
    """Read the released tables (only the columns that are needed)."""
    found = [s for s in subsets(tuple(languages), tuple(tiers)) if _shards(root, s, "queries")]
    sabs: Counter[str] = Counter()
    engines: set[str] = set()
    asked = _asked_by(root)
    counts = tuple(_read_subset(root, subset, (sabs, engines), asked) for subset in found)
    licences: set[str] = set()
    documents = {task: _read_corpus(root, task, sabs, licences) for task in TASKS}
    return Contents(counts, documents, dict(sabs), tuple(sorted(licences)), tuple(sorted(engines)))


def list_files(root: Path) -> list[FileEntry]:
    """Every file of the release but the manifest, by path."""
    paths = sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file())
    return [entry_of(root, path, _rows(root / path)) for path in paths if path not in UNLISTED]


def _rows(path: Path) -> int:
    return pq.ParquetFile(path).metadata.num_rows if path.suffix == ".parquet" else 0


def _shards(root: Path, subset: Subset, kind: str) -> list[Path]:
    return sorted((root / subset_folder(subset, kind)).glob("test-*.parquet"))


def set_wordings(contents: Contents) -> dict[str, Counter[str]]:
    """By language, how many queries of confusion sets ask by which of `SET_WORDINGS`."""
    found: dict[str, Counter[str]] = {}
    for entry in contents.subsets:
        if entry.subset.task == "concepts":
            found.setdefault(entry.subset.language, Counter()).update(entry.wordings)
    return found


def _asked_by(root: Path) -> dict[str, str]:
    """By query id, the kind of the wording that each confusion set is asked by in English."""
    shards = [path for path in (root / SETS,) if path.is_file()]
    return {row["query-id"]: row["wording"] for row in _rows_of(shards, ["query-id", "wording"])}


def _wordings(rows: Sequence[Row], asked: Mapping[str, str]) -> dict[str, int]:
    """Counts of those queries whose sets are explained; a text in its own language is a name."""
    explained = [row for row in rows if row["_id"] in asked]
    return dict(sorted(Counter(_wording(row, asked[row["_id"]]) for row in explained).items()))


def _wording(row: Row, english: str) -> str:
    if row["origin"] == "mt":
        return f"translated_{english}"
    return english if row["language"] == "en" else "name"


def _read_subset(
    root: Path,
    subset: Subset,
    known: tuple[Counter[str], set[str]],
    asked: Mapping[str, str],
) -> SubsetContents:
    sabs, engines = known
    columns = ["_id", "language", "origin", "engine", "model", "revision", "sabs", "max_srl"]
    columns.append("parallel_core")
    columns.append("full_srl")  # of the profile ids: the level once its texts are restored
    rows = list(_rows_of(_shards(root, subset, "queries"), columns))
    for row in rows:
        _raise_levels(sabs, row["sabs"], row["full_srl" if "full_srl" in row else "max_srl"])
        if row["engine"]:
            engines.add(" ".join(filter(None, (row["engine"], row["model"], row["revision"]))))
    core = sum(row["parallel_core"] for row in rows)
    origins = dict(sorted(Counter(row["origin"] for row in rows).items()))
    wordings = _wordings(rows, asked) if subset.task == "concepts" else {}
    return SubsetContents(subset, len(rows), core, origins, wordings)


def _read_corpus(root: Path, task: str, sabs: Counter[str], licences: set[str]) -> int:
    shards = sorted((root / corpus_folder(task)).glob("test-*.parquet"))
    count = 0
    for row in _rows_of(shards, ["source", "licence"]):
        count += 1
        if task == "concepts":
            _raise_levels(sabs, [row["source"]], int(row["licence"].rpartition(" ")[2]))
        else:
            licences.add(f"{row['source']}: {row['licence']}")
    return count


def _raise_levels(sabs: Counter[str], names: Sequence[str], level: int) -> None:
    """Of several sources nobody can say here which has the level; the build knows each."""
    for name in names:
        sabs[name] = max(sabs[name], level if len(names) == 1 else 0)


def _rows_of(shards: Sequence[Path], columns: list[str]) -> Iterator[Row]:
    for shard in shards:
        file = pq.ParquetFile(shard)
        present = [name for name in columns if name in file.schema_arrow.names]
        for batch in file.iter_batches(columns=present):
            yield from batch.to_pylist()
