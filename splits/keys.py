"""What a query holds that no other task may hold, as short typed strings."""

from collections.abc import Iterable, Iterator

from pipeline.records import Concept, Query
from pipeline.text import content_id, normalise

# Kinds of relation (pipeline.records.Relation) whose ends are too close for two tasks.
SYNONYM = "synonym"
CLOSE_RELATIONS = frozenset({SYNONYM, "family"})
# What ends the source id of a question's other form, which asks by a definition.
DESCRIBED = "::described"


def keys_of(query: Query) -> tuple[str, ...]:
    """Every key that the query's task must own, sorted.

    ``cui:`` a concept (gold, distractor or grounding) · ``text:`` a name of such a concept in any
    language, or a wording of the query · ``edge:`` a close relation of such a concept (with
    ``class:`` for what hangs together over several, splits.classes) ·
    ``source:`` the question it was made from · ``passage:`` what is relevant to it.

    Names, wordings and relevant passages' texts are one kind, so that a question or an answer of
    one task cannot be a name of another.
    """
    keys = {f"source:{query.source_id.removesuffix(DESCRIBED)}"}
    for concept in query.concepts:
        keys.update(_concept_keys(concept))
    keys.update(_text_keys(wording.text for wording in (query.original, *query.natives)))
    keys.update(f"cui:{cui}" for cui in query.unseen)
    if query.task != "concepts":  # there the relevant document is the gold, known by its CUI
        keys.update(f"passage:{relevance.passage_id}" for relevance in query.relevant)
        keys.update(f"text:{one.text_id}" for one in query.relevant if one.text_id)
    return tuple(sorted(keys))


def unique_keys_of(query: Query) -> tuple[str, ...]:
    """Every key that no other query of the same task may hold: its wording, and a set's gold."""
    keys = set(_text_keys([query.original.text]))
    if query.task == "concepts":
        keys.update(f"gold:{concept.cui}" for concept in query.concepts[:1])
    return tuple(sorted(keys))


def circle_of(query: Query) -> str:
    """What sets that show the same concepts have in common; of any other query, its own id."""
    if query.task != "concepts":
        return query.query_id
    return content_id(" ".join((query.stratum, *sorted(one.cui for one in query.concepts))))


def shared_keys_of(query: Query) -> tuple[str, ...]:
    """Keys that only sets of one circle may hold: the concepts shown.

    Then every concept is shown as often as the others of its set, or the gold would be the one
    that is shown least.
    """
    if query.task != "concepts":
        return ()
    return tuple(sorted(f"shown:{concept.cui}" for concept in query.concepts))


def synonym_keys_of(query: Query) -> tuple[str, ...]:
    """Of the ``edge:`` keys those of synonyms: the others tie the members of a drug's family."""
    keys = {
        _edge_key(concept.cui, relation.cui)
        for concept in query.concepts
        for relation in concept.relations
        if relation.kind == SYNONYM and relation.cui != concept.cui
    }
    return tuple(sorted(keys))


def text_key(text: str) -> str:
    """The key of a text, equal for texts that are equal once normalised; "" for a blank one."""
    normal = normalise(text)
    return f"text:{content_id(normal)}" if normal else ""


def _concept_keys(concept: Concept) -> Iterator[str]:
    yield f"cui:{concept.cui}"
    yield from _text_keys(name.text for name in concept.names)
    for relation in concept.relations:
        if relation.kind in CLOSE_RELATIONS and relation.cui != concept.cui:
            yield _edge_key(concept.cui, relation.cui)


def _edge_key(one: str, other: str) -> str:
    """The key that both ends of a close relation hold, and nobody else.

    Relations stand on both of their concepts, so two queries collide over an edge exactly when
    each holds one end of it. The neighbour's own ``cui:`` key would also part concepts that only
    have a neighbour in common: every two drugs in the form of a tablet. That is for classes, which
    are bounded: small ones part what is synonymous over a third, and a dose form makes none.
    """
    return f"edge:{min(one, other)}|{max(one, other)}"


def _text_keys(texts: Iterable[str]) -> Iterator[str]:
    """Keys of texts; one without letters and digits equals any other such and has no key."""
    return (key for text in texts if (key := text_key(text)))
