import pytest

from pipeline.records import Concept, Definition, Name, Wording
from umls_tools.paraphrase import (
    LONGEST_DEFINITION,
    NAMES_IT,
    NO_DEFINITION,
    NO_TEMPLATE,
    NOT_NAMED,
    describe,
)

ITCH = "A skin disease that mites cause."
ASKED = "What are the symptoms of Scabies ?"
DESCRIBED = "What are the symptoms of the condition described as: A skin disease that mites cause?"


def concept(*names: str, definitions: tuple[str, ...] = (ITCH,), kind: str = "T047") -> Concept:
    named = tuple(Name(one, "en", "TST", "PT", f"A{one}", 0, False) for one in names)
    told = tuple(Definition(text, "TST", 0) for text in definitions)
    return Concept("C1", named, (kind,), told)


SCABIES = concept("Scabies", "Sarcoptic itch")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (ASKED, DESCRIBED),
        ("what are the symptoms of scabies?", DESCRIBED),
        ("What are the symptoms of itch, sarcoptic ?", DESCRIBED),
        (
            "What is (are) Scabies ?",
            "Which condition is described as: A skin disease that mites cause?",
        ),
        (
            "Is Scabies inherited ?",
            "Is this condition inherited: A skin disease that mites cause?",
        ),
        (
            "Who is at risk for Scabies? ?",
            "Who is at risk for the condition described as: A skin disease that mites cause?",
        ),
        (
            "Do you have information about Scabies",
            "Do you have information about the condition described as: "
            "A skin disease that mites cause?",
        ),
        (
            "What research (or clinical trials) is being done for Scabies ?",
            "What research or clinical trials are being done for the condition described as: "
            "A skin disease that mites cause?",
        ),
    ],
)
def test_the_definition_stands_for_the_name(question: str, expected: str) -> None:
    assert describe(question, [SCABIES]) == Wording(expected, "en", ("TST",), 0)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("T047", "condition"), ("T121", "substance"), ("T061", "procedure"), ("T028", "subject")],
)
def test_what_is_described_is_called_by_its_group(kind: str, expected: str) -> None:
    found = describe("What is (are) Scabies ?", [concept("Scabies", kind=kind)])
    assert isinstance(found, Wording)
    assert found.text.startswith(f"Which {expected} is")


@pytest.mark.parametrize(
    ("question", "known", "expected"),
    [
        ("Why do mites itch?", SCABIES, NO_TEMPLATE),
        ("What are the symptoms of ?", SCABIES, NO_TEMPLATE),
        ("What are the symptoms of Lice ?", SCABIES, NOT_NAMED),
        ("What are the symptoms of Scabies and lice ?", SCABIES, NOT_NAMED),
        (ASKED, concept("Scabies", definitions=()), NO_DEFINITION),
        (ASKED, concept("Scabies", definitions=("x" * (LONGEST_DEFINITION + 1),)), NO_DEFINITION),
        (ASKED, concept("Scabies", definitions=("",)), NO_DEFINITION),
        (ASKED, concept("Scabies", "Mite"), NAMES_IT),  # also in the plural
        (ASKED, concept("Scabies", "disease, skin"), DESCRIBED),
        (ASKED, concept("Scabies", "Skin diseases"), NAMES_IT),
        (ASKED, concept("Scabies", definitions=("SCABIES is an itch.",)), NAMES_IT),
        (ASKED, concept("Scabies", definitions=("Scabies.", ITCH)), DESCRIBED),
        (ASKED, concept("Scabies", "the condition"), NAMES_IT),  # in the form's own words
    ],
)
def test_no_form_names_the_concept(question: str, known: Concept, expected: str) -> None:
    found = describe(question, [known])
    assert (found.text if isinstance(found, Wording) else found) == expected


def test_names_of_other_languages_are_names() -> None:
    spanish = Name("mites", "es", "TST", "PT", "A9", 0, True)
    named = Concept("C1", (*SCABIES.names, spanish), ("T047",), SCABIES.definitions)
    assert describe(ASKED, [named]) == NAMES_IT


@pytest.mark.parametrize(
    ("level", "expected"), [(0, Wording(DESCRIBED, "en", ("NCI",), 0)), (1, NO_DEFINITION)]
)
def test_a_definition_brings_its_source_and_none_forbids_derivatives(
    level: int, expected: Wording | str
) -> None:
    known = Concept("C1", SCABIES.names, ("T047",), (Definition(ITCH, "NCI", level),))
    assert describe(ASKED, [known]) == expected


def test_the_concept_that_is_named_is_described() -> None:
    lice = Concept("C0", concept("Lice").names, ("T047",), (Definition("Other.", "TST", 0),))
    found = describe(ASKED, [lice, SCABIES])
    assert isinstance(found, Wording)
    assert found.text == DESCRIBED
