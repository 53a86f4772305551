"""What each column of a release's tables holds; their types and order are the schemas'."""

from collections.abc import Mapping

WHERE: Mapping[str, str] = {
    "corpus": "`data/TASK/corpus/`, one for all languages of a task",
    "queries": "`data/TASK/queries/LANGUAGE/`, of concepts `data/concepts/queries/TIER/LANGUAGE/`",
    "qrels": "`data/TASK/qrels/…`, as the queries",
    "top_ranked": "`data/concepts/top_ranked/TIER/LANGUAGE/`",
    "verdicts": "`quality/verdicts/LANGUAGE.parquet`",
    "rejects": "`quality/rejects.parquet`",
    "sets": "`quality/sets.parquet`, a row for each distractor of a confusion set",
    "figures": "`quality/figures.parquet`, also in `quality/report.json`: the report's figures",
}

# Of the profile ids, behind the columns of other profiles.
WITHHELD: Mapping[str, str] = {
    "aui": 'the atom whose name is withheld, "" where the text stands or is a definition',
    "text_sha256": 'the SHA-256 of the text that is withheld, in UTF-8; "" where it stands',
    "full_srl": "the `max_srl` of the query once its text is restored; `max_srl` itself is 0",
}

MEANINGS: Mapping[str, Mapping[str, str]] = {
    "corpus": {
        "_id": "the document's id; of a concept `concept-` and its CUI",
        "title": 'the title, "" where there is none',
        "text": "the passage; of a concept the one name that it is shown under",
        "cuis": "the current CUIs of the concepts that the document is about",
        "source": "the source of evidence, or the UMLS source (SAB) of the name",
        "licence": "an SPDX expression, or the restriction level of the name",
        "url": 'where the source shows it, or ""',
    },
    "queries": {
        "_id": "the query's id, the same in every language",
        "text": "the query in this language",
        "language": "the language's code",
        "cuis": "the CUIs of the concepts that the query is about; of concepts the gold alone",
        "source_id": "the question that it was made from (with `::described` where it asks by a "
        "definition), or `umls:` and the gold's CUI",
        "origin": "`source` (as the source asks it), `umls` (in the words of a UMLS name or "
        "definition) or `mt` (translated)",
        "engine": 'the engine that translated it, else ""',
        "model": "the engine's model, if it has one",
        "revision": "the model's commit or content hash",
        "back_translation": "the text carried back into the original's language",
        "sabs": (
            "the UMLS sources of the wording, or of the one that was translated; of a confusion "
            "set also those of the names shown and of the hierarchies that made it"
        ),
        "max_srl": "the highest restriction level of the wording and of what `sabs` adds to it",
        "parallel_core": "whether the query is released in every language of the plan",
    },
    "qrels": {
        "query-id": "a query's id",
        "corpus-id": "the id of a document that is relevant to it",
        "score": "the grade, 1 or more",
    },
    "top_ranked": {
        "query-id": "a query's id",
        "corpus-ids": "the documents shown for it, the gold among them, in keyed order",
    },
    "verdicts": {
        "query-id": "a query's id, released or not",
        "task": "its task",
        "tier": 'its tier, "" outside concepts',
        "text": "the text that was judged",
        "origin": "as in the queries",
        "back_translation": "as in the queries",
        "filter": "the filter's name",
        "score": "what the filter measured; NaN where it does not apply",
        "accepted": "what it decided",
        "released": "whether the query was released in this language",
    },
    "rejects": {
        "stage": "where something was left out",
        "key": "what: an id of the stage's own",
        "reason": "why, in one of the stage's few words for it",
        "detail": "with what it collided, or what was missing",
    },
    "figures": {
        "figure": "`funnel`, `refused`, `filter`, `score`, `overlap`, `core` (accepted in every "
        "language) or `missing` (refused in this one alone)",
        "task": 'the task, "" in figures over all',
        "language": 'the language, "" in figures over all',
        "filter": "the filter",
        "other": "of an overlap: the other filter that refuses the same texts",
        "step": "of the funnel: judged, form, content or meaning",
        "bin": "of a score: the bar of the histogram, `00` to `19` over the filter's scale",
        "decision": "accepted, rejected or abstained",
        "count": "how many texts, or of `core` and `missing` queries",
    },
    "sets": {
        "query-id": "the confusion set",
        "tier": "its tier",
        "gold": "the CUI that is asked for",
        "wording": "what asks for it in English, and what is translated: `name` or `definition`",
        "distractor": "a CUI shown beside it",
        "similarity": "how alike the two names shown are, from 0 to 1",
        "measure": "what the similarity is",
        "why": "what puts the two into the tier: `KIND:WITNESS…`, the source and the ancestor, say",
        "excluded": "`REASON:NUMBER` of the candidates left out while the set was put together",
    },
}
