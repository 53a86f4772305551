"""The same work done by others: jobs that run where the peers are installed, without our code.

Readers of MRCONSO keep seven languages, unsuppressed, and gather each concept's names; where they
can, without readings.
"""

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.timing import timed

if TYPE_CHECKING:
    from lxml.etree import _Element

CONSO = [
    *("CUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "AUI", "SAUI", "SCUI", "SDUI"),
    *("SAB", "TTY", "CODE", "STR", "SRL", "SUPPRESS", "CVF", "end"),
]
KEPT = [
    *("CUI", "LAT", "TS", "STT", "ISPREF", "AUI"),
    *("SAB", "TTY", "CODE", "STR", "SRL", "SUPPRESS"),
]
LATS = ["ENG", "GER", "SPA", "FRE", "JPN", "RUS", "CHI"]
READING = "JKN"  # ends the term types of half-width readings, which are no names


def polars_ingest(path: str) -> dict[str, int]:
    """By polars' lazy reader, which filters as it reads."""
    import polars as pl

    with timed("read"):
        grouped = (
            pl.scan_csv(
                path, separator="|", has_header=False, quote_char=None,
                schema=dict.fromkeys(CONSO, pl.String), empty_string_is_null=False,
            )
            .select(KEPT)
            .filter(pl.col("LAT").is_in(LATS) & (pl.col("SUPPRESS") == "N"))
            .filter(~pl.col("TTY").str.ends_with(READING))
            .group_by("CUI", maintain_order=True)
            .agg(pl.all())
            .collect()
        )  # fmt: skip
        texts = grouped["STR"].explode()
        return _found(grouped.height, len(texts), int(texts.str.len_chars().sum()))


def pandas_ingest(path: str) -> dict[str, int]:
    """By pandas, with its C reader."""
    import pandas as pd

    rows = pd.read_csv(
        path, sep="|", header=None, names=CONSO, usecols=KEPT, dtype=str,
        quoting=csv.QUOTE_NONE, keep_default_na=False, encoding="utf-8",
    )  # fmt: skip
    is_reading = rows["TTY"].str.endswith(READING)
    kept = rows[rows["LAT"].isin(LATS) & (rows["SUPPRESS"] == "N") & ~is_reading]
    grouped = kept.groupby("CUI", sort=False).agg(list)
    texts = grouped["STR"].explode()
    return _found(len(grouped), len(texts), int(texts.str.len().sum()))


def scispacy_ingest(meta: str) -> dict[str, int]:
    """By scispacy's own loader, which gathers names in lists as well, duplicates and all.

    The loader takes one language, and compares it to that of each row. It is given what compares
    equal to all seven, so that it reads the file once and keeps what the others keep. That costs
    it some 60 ns a row of about 6 µs. Readings it cannot tell from names: it counts them, a
    hundredth of the names, and the concepts that have no other name.
    """
    from scispacy.umls_utils import read_umls_concepts

    concepts: dict[str, Any] = {}
    with timed("read"):
        read_umls_concepts(meta, concepts, lang=_AnyOf(LATS))
        names = [name for concept in concepts.values() for name in concept["aliases"]]
        names += [one["canonical_name"] for one in concepts.values() if "canonical_name" in one]
        return _found(len(concepts), len(names), sum(map(len, names)))


class _AnyOf:
    """What is equal to each of several texts, and to none else."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = frozenset(texts)

    def __eq__(self, other: object) -> bool:
        return other in self.texts

    def __ne__(self, other: object) -> bool:
        return other not in self.texts

    __hash__ = None  # type: ignore[assignment]


def lxml_medquad(folder: str) -> dict[str, int]:
    """Parse every file and take the texts of each question and answer, nothing else."""
    from lxml import etree

    paths = sorted(str(path) for path in Path(folder).rglob("*.xml"))
    found = {"files": len(paths), "questions": 0}
    with timed("read"):
        for path in paths:
            for pair in etree.parse(path).getroot().iter("QAPair", "pair"):
                asked, answer = (_text(pair, kind, kind.lower()) for kind in ("Question", "Answer"))
                found["questions"] += bool(asked and answer)
    return found


def sacrebleu_round_trips(path: str) -> dict[str, int]:
    """Only chrF of each back-translation, sentence by sentence."""
    from sacrebleu.metrics import CHRF

    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    metric = CHRF()
    with timed("score"):
        for row in rows:
            metric.sentence_score(row["back_translation"].lower(), [row["text"].lower()])
    return {"translations": len(rows)}


def rapidfuzz_nearest(names_path: str, golds_path: str, size: str) -> dict[str, int]:
    """The most similar names of each gold, by comparing it to all names."""
    import numpy as np
    from rapidfuzz import fuzz, process, utils

    names = Path(names_path).read_text("utf-8").splitlines()
    golds = Path(golds_path).read_text("utf-8").splitlines()
    with timed("search"):
        cleaned = [utils.default_process(name) for name in names]
        for gold in golds:
            scores = process.cdist([utils.default_process(gold)], cleaned, scorer=fuzz.ratio)[0]
            np.argpartition(scores, -int(size))[-int(size) :]
    return {"names": len(names), "golds": len(golds)}


def pytrec_eval_score(qrels_path: str, run_path: str) -> dict[str, float]:
    """By pytrec_eval on TREC files."""
    import pytrec_eval

    with Path(qrels_path).open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    with Path(run_path).open() as file:
        run = pytrec_eval.parse_run(file)
    measures = {"ndcg_cut.10", "recall.10,100", "recip_rank", "map_cut.10"}
    values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    return _mean([of_query["ndcg_cut_10"] for of_query in values.values()])


def ir_measures_score(qrels_path: str, run_path: str) -> dict[str, float]:
    """By ir_measures, with its own choice of provider."""
    import ir_measures
    from ir_measures import AP, RR, R, nDCG

    found = ir_measures.calc_aggregate(
        [nDCG @ 10, R @ 10, R @ 100, RR @ 10, AP @ 10],
        ir_measures.read_trec_qrels(qrels_path),
        ir_measures.read_trec_run(run_path),
    )
    return _mean([found[nDCG @ 10]])


def _mean(values: list[float]) -> dict[str, float]:
    return {"ndcg@10": round(sum(values) / len(values), 6)}


def _found(concepts: int, names: int, characters: int) -> dict[str, int]:
    return {"concepts": concepts, "names": names, "characters": characters}


def _text(pair: "_Element", *names: str) -> str:
    children: Any = (child for child in pair if child.tag in names)
    return " ".join("".join(child.itertext()) for child in children).strip()
