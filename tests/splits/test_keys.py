import dataclasses

from pipeline.records import Concept, Name, Query, Relation, Relevance, Wording
from pipeline.text import content_id, normalise
from splits.keys import DESCRIBED, keys_of, synonym_keys_of, text_key, unique_keys_of


def name(text: str, language: str = "en") -> Name:
    return Name(text, language, "SRC", "PT", f"A{text}", 0, True)


def query(task: str, concepts: tuple[Concept, ...], text: str = "What is gout?") -> Query:
    return Query(
        query_id=f"{task}-1",
        task=task,
        stratum="",
        source_id="set:7",
        source="set",
        origin="source",
        original=Wording(text, "en", (), 0),
        natives=(Wording("Was ist Gicht?", "de", (), 0),),
        concepts=concepts,
        relevant=(Relevance("p1", 1),),
        licence="CC0",
    )


GOUT = Concept(
    "C0018099",
    (name("Gout"), name("痛風", "ja"), name("+++")),
    ("T047",),
    relations=(
        Relation("synonym", "C0000002", "S"),
        Relation("family", "C9000000", "S"),
        Relation("parent", "C0000003", "S"),
        Relation("synonym", "C0018099", "S"),
    ),
)


def test_every_key_of_a_question() -> None:
    assert keys_of(query("qa", (GOUT,))) == tuple(
        sorted(
            [
                "cui:C0018099",
                "edge:C0000002|C0018099",
                "edge:C0018099|C9000000",
                "passage:p1",
                "source:set:7",
                text_key("gout"),
                text_key("痛風"),
                text_key("what is gout"),
                text_key("was ist gicht"),
            ]
        )
    )


def test_two_forms_of_a_question_are_one_question() -> None:
    plain = query("qa", (GOUT,))
    other = dataclasses.replace(plain, source_id=plain.source_id + DESCRIBED)
    assert keys_of(other) == keys_of(plain)


def test_an_answer_is_claimed_like_a_name() -> None:
    answered = (Relevance("p1", 1, content_id(normalise("Lumbago."))),)
    plain = query("qa", (GOUT,))
    keys = keys_of(dataclasses.replace(plain, relevant=answered))
    assert set(keys) - set(keys_of(plain)) == {text_key("lumbago")}


def test_what_is_not_shown_is_claimed_too() -> None:
    plain = query("qa", (GOUT,))
    hiding = dataclasses.replace(plain, unseen=("C0000077", "C0018099"))
    assert set(keys_of(hiding)) - set(keys_of(plain)) == {"cui:C0000077"}
    assert keys_of(hiding) == tuple(sorted(set(keys_of(hiding))))
    assert unique_keys_of(hiding) == unique_keys_of(plain)


def test_a_text_is_known_by_its_letters_and_digits() -> None:
    assert text_key("Vitamin-B₁₂ ") == text_key("vitamin b12")
    assert text_key("vitamin b12") != text_key("vitamin b1 2")
    assert text_key(" +/- ") == ""


def test_the_ends_of_an_edge_meet_and_their_other_neighbours_do_not() -> None:
    tablet = Relation("family", "C0000001", "S")
    aspirin = Concept("C0000010", (name("aspirin"),), (), relations=(tablet,))
    codeine = Concept("C0000020", (name("codeine"),), (), relations=(tablet,))
    form = Concept(
        "C0000001",
        (name("tablet"),),
        (),
        relations=(Relation("family", "C0000010", "S"), Relation("family", "C0000020", "S")),
    )

    def edges(concept: Concept) -> set[str]:
        return {key for key in keys_of(query("qa", (concept,))) if key.startswith("edge:")}

    assert edges(aspirin) & edges(form)
    assert edges(codeine) & edges(form)
    assert not edges(aspirin) & edges(codeine)


def test_synonyms_are_told_from_the_rest_of_the_edges() -> None:
    asked = query("qa", (GOUT,))
    assert synonym_keys_of(asked) == ("edge:C0000002|C0018099",)
    assert set(synonym_keys_of(asked)) < set(keys_of(asked))


def test_a_question_and_a_name_that_read_alike_meet() -> None:
    asked = query("qa", (), text="Hot  tub LUNG")
    named = query("concepts", (Concept("C0000030", (name("hot-tub lung"),), ()),), text="x")
    assert set(keys_of(asked)) & set(keys_of(named)) >= {text_key("hot tub lung")}


def test_only_the_gold_of_a_set_is_unique() -> None:
    other = Concept("C0000040", (name("pseudogout"),), ())
    asked = query("concepts", (GOUT, other))
    assert unique_keys_of(asked) == ("gold:C0018099", text_key("What is gout?"))
    assert unique_keys_of(query("qa", (GOUT, other))) == (text_key("What is gout?"),)
    assert not any(key.startswith("passage:") for key in keys_of(asked))
