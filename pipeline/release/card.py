"""The dataset card: the Hub's YAML front matter and a page that says what the release is."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.release.contents import SET_WORDINGS, Contents, set_wordings
from pipeline.release.layout import Subset, corpus_folder, subset_folder
from pipeline.release.licences import NOTICES, UMLS_NOTICE, hub_licence, translation_notices
from pipeline.release.manifest import StageCount

# The Hub's size categories, by number of rows (queries and documents).
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
DEFAULT_CONFIG = "qa-en-queries"


@dataclass(frozen=True, slots=True)
class Identity:
    """What names a release."""

    name: str
    title: str
    version: str
    profile: str
    umls_release: str
    languages: tuple[str, ...]
    build_hash: str


def render_card(
    identity: Identity,
    contents: Contents,
    counts: Sequence[StageCount],
    certificate: Mapping[str, Any],
    absent: Mapping[str, str],
) -> str:
    """README.md of the release."""
    sections = (
        _front_matter(identity, contents),
        _opening(identity),
        _subset_table(contents, absent),
        _origin_table(contents),
        _wording_table(contents),
        _built(identity, counts, contents),
        _certificate(certificate),
        _use(identity),
        _licence(contents),
    )
    return "\n".join(sections)


def configs(contents: Contents) -> list[dict[str, Any]]:
    """Every configuration of the card: its name and the files of its one split."""
    found = [entry.subset for entry in contents.subsets]
    names = [config for subset in found for config in _configs_of(subset)]
    listed = [name for name, _ in names]
    default = DEFAULT_CONFIG if DEFAULT_CONFIG in listed else next(iter(listed), "")
    return [
        {
            "config_name": name,
            "data_files": [{"split": "test", "path": f"{folder}/test-*.parquet"}],
            **({"default": True} if name == default else {}),
        }
        for name, folder in names
    ]


def _configs_of(subset: Subset) -> list[tuple[str, str]]:
    own = [(f"{subset.name}-{kind}", subset_folder(subset, kind)) for kind in subset.kinds]
    return [(f"{subset.name}-corpus", corpus_folder(subset.task)), *own]


def _front_matter(identity: Identity, contents: Contents) -> str:
    licence, name = hub_licence(contents.engines, contents.licences)
    rows = sum(entry.queries for entry in contents.subsets) + sum(contents.documents.values())
    size = next((label for limit, label in SIZES if rows < limit), "1M<n<10M")
    values: dict[str, Any] = {
        "pretty_name": identity.title,
        "language": list(identity.languages),
        "license": licence,
        **({"license_name": name, "license_link": "LICENSE.md"} if name else {}),
        "multilinguality": ["multilingual"],
        "task_categories": ["text-retrieval", "text-ranking"],
        "task_ids": ["document-retrieval", "entity-linking-retrieval"],
        "tags": ["medical", "biomedical", "umls", "information-retrieval", "benchmark"],
        "size_categories": [size],
        "configs": configs(contents),
    }
    return "---\n" + "".join(f"{key}:{_yaml(value)}\n" for key, value in values.items()) + "---\n"


def _yaml(value: Any) -> str:  # noqa: ANN401
    """JSON is YAML; one list item a line keeps the differences between releases readable."""
    if isinstance(value, list):
        return "".join(f"\n- {json.dumps(item, ensure_ascii=False)}" for item in value)
    return " " + json.dumps(value, ensure_ascii=False)


def _opening(identity: Identity) -> str:
    return f"""# {identity.title} {identity.version}

A benchmark for multilingual medical information retrieval: queries in
{len(identity.languages)} languages ({", ".join(identity.languages)}) against English documents. It
measures three abilities apart, which share no concept and no query:

- **qa**: cross-lingual medical question answering retrieval, queries grounded in UMLS concepts;
- **concepts**: telling a concept from its look-alikes, in confusion sets of three tiers
  (easy: other semantic groups or far branches; medium: cousins of the same semantic type; hard:
  siblings, adjacent codes and similar names);
- **evidence**: finding evidence for retrieval-augmented generation, quality-assured queries.

Profile `{identity.profile}`, UMLS release `{identity.umls_release}`, build hash
`{identity.build_hash}`.
{_notice(identity)}"""


def _notice(identity: Identity) -> str:
    """What may not be done with the release, where that is not for its sources alone to say."""
    notice = NOTICES.get(identity.profile)
    return f"\n{notice}\n" if notice else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return "\n".join(lines + [f"| {' | '.join(map(str, row))} |" for row in rows]) + "\n"


def _subset_table(contents: Contents, absent: Mapping[str, str]) -> str:
    by_name = {entry.subset.name: entry for entry in contents.subsets}
    rows = [
        (f"`{name}`", entry.queries, entry.parallel_core, contents.documents[entry.subset.task])
        for name, entry in by_name.items()
    ]
    table = _table(("subset", "queries", "in the parallel core", "documents"), rows)
    missing = [f"- `{name}`: {reason}" for name, reason in sorted(absent.items())]
    gaps = "\nAbsent:\n\n" + "\n".join(missing) + "\n" if missing else ""
    return (
        "## Subsets\n\nEach subset has the configurations `SUBSET-corpus`, `SUBSET-queries` and\n"
        "`SUBSET-qrels` (concepts also `SUBSET-top_ranked`), split `test`. The parallel core are\n"
        "the queries released in every language; compare languages on it.\n\n" + table + gaps
    )


def _origin_table(contents: Contents) -> str:
    origins = ("source", "umls", "mt")
    rows = [
        (f"`{entry.subset.name}`", *(entry.origins.get(origin, 0) for origin in origins))
        for entry in contents.subsets
    ]
    meaning = (
        "`source`: as its source asks it; `umls`: a name that a UMLS source gives in that\n"
        "language, or an English definition; `mt`: translated.\n\n"
    )
    return "## Where the queries come from\n\n" + meaning + _table(("subset", *origins), rows)


def _wording_table(contents: Contents) -> str:
    rows = [
        (language, counts.total(), *(_share(counts, kind) for kind in SET_WORDINGS))
        for language, counts in set_wordings(contents).items()
    ]
    meaning = (
        "Confusion sets, all tiers together. A name is in English a synonym of the one shown, in\n"
        "other languages a native name; a definition is English; either may be translated.\n\n"
    )
    head = ("language", "sets", *(kind.replace("_", " ") for kind in SET_WORDINGS))
    return meaning + _table(head, rows) if rows else ""


def _share(counts: Mapping[str, int], kind: str) -> str:
    found = counts.get(kind, 0)
    return f"{found} ({found / max(sum(counts.values()), 1):.1%})"


def _built(identity: Identity, counts: Sequence[StageCount], contents: Contents) -> str:
    rows = [(count.stage, count.taken, count.given, _reasons(count.rejected)) for count in counts]
    engines = ", ".join(f"`{engine}`" for engine in contents.engines) or "none"
    return (
        f"## How it was built\n\nPlan `{identity.name}` (whole in manifest.json). Translations: "
        f"{engines}.\nWhat a stage left out is kept, with its reason, in "
        "`quality/rejects.parquet`; every filter's\nverdict in `quality/verdicts/`, summed up in "
        "`quality/report.html`. Rows of the input files that\nnobody asked for are counted in "
        "`manifest.json`.\n\n" + _table(("stage", "in", "out", "left out, by reason"), rows)
    )


def _reasons(rejected: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items())) or "–"


def _certificate(certificate: Mapping[str, Any]) -> str:
    verdict = "passes" if certificate.get("passed") else "**does not pass**"
    return f"""## Zero overlap

The certificate in `overlap.json`, recomputed from the released files, {verdict}: no two tasks
share a concept, a name, a source question, an equal query in any language, or a near duplicate
(Jaccard similarity of character 5-grams of 0.7 or more). `mmed-bench verify` recomputes it.
"""


def _use(identity: Identity) -> str:
    return f"""## Use

```python
from datasets import load_dataset

queries = load_dataset("PATH", "qa-en-queries", split="test")
corpus = load_dataset("PATH", "qa-en-corpus", split="test")
qrels = load_dataset("PATH", "qa-en-qrels", split="test")
```

Write one TREC run file a subset (`qa-en.trec`, …) and score the folder with the scorer that lies in
this release; it needs Python, numpy and pyarrow:

```console
$ python scorer.pyz RUNS
```

## Limits

Machine translation loses and adds; every translated query has a back-translation and the filters'
scores beside it. Filters remove hard queries first, and not evenly between languages: hence the
parallel core. Relevance comes from the sources of the questions; other passages may be relevant
too. This data is for the evaluation of retrieval, not for medical advice.

## Citation

Name {identity.title}, version {identity.version}, and its build hash. The benchmark's design
follows *MMed-Bench-IR: A Heterogeneous Benchmark for Multilingual Medical Information Retrieval*
(arXiv 2606.24200).
"""


def _licence(contents: Contents) -> str:
    sources = ", ".join(f"{sab} (SRL {level})" for sab, level in sorted(contents.sabs.items()))
    evidence = "\n".join(f"- {licence}" for licence in contents.licences)
    translations = "".join(f"{one}\n\n" for one in translation_notices(contents.engines))
    return f"""## Licences

{UMLS_NOTICE}

UMLS sources used: {sources or "none"}. Evidence:

{evidence}

{translations}The notices stand in `LICENSE.md` as well.
"""
