"""A small whole release, its exports, and no way out to the network."""

import socket
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest
import yaml

from pipeline.export import export_beir, export_ir_datasets, export_mteb, export_trec
from pipeline.release.card import configs
from pipeline.release.contents import read_contents
from pipeline.release.layout import TIERS
from pipeline.release.writing import write_shards
from pipeline.schemas import to_table

LANGUAGES = ("en", "de")
RELEASE = "build/sample/0.1.0"  # where the how-to has it; so are the names of its exports
TEXTS = {
    "p10": "A fever of two days\tneeds rest\u2028and water.",
    "p11": "Cough lasts three weeks.",
    "p12": "Most headaches pass by themselves.",
    "p13": "A broken wrist is set and kept still.",
}
JUDGED = {"qa-2": {"p10": 2, "p11": 1}, "qa-3": {"p12": 1}, "qa-4": {"p13": 3, "p12": 1}}
Row = dict[str, Any]


@pytest.fixture(scope="session")
def tables(audited: ModuleType) -> dict[str, list[Row]]:
    """Four questions with graded judgements, evidence, and a set of concepts of each tier."""
    tables: dict[str, list[Row]] = audited.small_release()
    tables["data/qa/corpus"] += [
        audited.document(id_, text, "C0000001") | {"title": f"About {id_}"}
        for id_, text in TEXTS.items()
    ]
    for language in LANGUAGES:
        for query, grades in JUDGED.items():
            text = f"{query} asked in {language}"
            asked = audited.query(query, text, "C0000001", language)
            tables[f"data/qa/queries/{language}"].append(asked)
            tables[f"data/qa/qrels/{language}"] += [
                audited.qrel(query, document) | {"score": grade}
                for document, grade in grades.items()
            ]
        for kind in ("queries", "qrels", "top_ranked"):
            for tier in ("easy", "medium"):
                same = tables[f"data/concepts/{kind}/hard/{language}"]
                tables[f"data/concepts/{kind}/{tier}/{language}"] = same
    return tables


@pytest.fixture(scope="session")
def release(
    audited: ModuleType, tables: dict[str, list[Row]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The release, with the configurations that a build gives it."""
    root = tmp_path_factory.mktemp("consumers") / RELEASE
    for folder, rows in tables.items():
        write_shards(to_table(folder.split("/")[2], rows), root, folder)
    audited.seal(root, tables)
    front = {"license": "mit", "configs": configs(read_contents(root, LANGUAGES, TIERS))}
    card = f"---\n{yaml.safe_dump(front, sort_keys=False)}---\n# Small\n"
    (root / "README.md").write_text(card, "utf-8")
    return Path(audited.reseal(root, audited.fields(root)))


@pytest.fixture(scope="session")
def exports(release: Path) -> Path:
    """A folder that holds every export of the release."""
    room = release.parents[2]
    export_beir(release, room / "beir")
    export_trec(release, room / "trec")
    export_mteb(release, room / "mteb_tasks")
    export_ir_datasets(release, room / "ir_datasets_of_ours")
    return room


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Caches of the test's own, and a fault in whoever opens a connection, or asks for a host."""
    import datasets

    asked: list[object] = []

    def refuse(*wanted: object) -> NoReturn:
        asked.append(wanted)
        raise OSError("these tests have no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    # It counts how often people read JSON and CSV.
    monkeypatch.setattr(datasets.config, "HF_UPDATE_DOWNLOAD_COUNTS", False)
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()
    assert asked == []
