"""Questions that ask for a concept by its definition, so that matching words alone cannot win.

A template question names its focus, and so do the passages that answer it. The other form says
what the focus is instead, in the words of a UMLS source that the plan's licence level lets in.
"""

import re
from collections.abc import Iterable, Iterator

from pipeline.records import Concept, Definition, Wording
from pipeline.text import normalise
from umls_tools.linking import singular
from umls_tools.linking.keys import name_keys
from umls_tools.semantic_types import group_of

LONGEST_DEFINITION = 400  # characters; beyond, it is an article and no longer a query
NO_TEMPLATE = "follows no template"
NOT_NAMED = "focus is no name of its concepts"
NO_DEFINITION = "no definition of the concept"
NAMES_IT = "definition names the concept"

# What MedQuAD's questions are made of (Ben Abacha and Demner-Fushman 2019), the focus in the
# middle, with the same question about something that is described.
_TEMPLATES: dict[tuple[str, str], str] = {
    ("What is (are)", "?"): "Which {kind} is described as: {description}?",
    ("What are the symptoms of", "?"): "What are the symptoms of {described}?",
    ("What are the treatments for", "?"): "What are the treatments for {described}?",
    ("Is", "inherited ?"): "Is this {kind} inherited: {description}?",
    ("How many people are affected by", "?"): "How many people are affected by {described}?",
    ("What are the genetic changes related to", "?"): (
        "What are the genetic changes related to {described}?"
    ),
    ("What causes", "?"): "What causes {described}?",
    ("How to diagnose", "?"): "How to diagnose {described}?",
    ("what research (or clinical trials) is being done for", "?"): (
        "What research or clinical trials are being done for {described}?"
    ),
    ("What is the outlook for", "?"): "What is the outlook for {described}?",
    ("Who is at risk for", "? ?"): "Who is at risk for {described}?",
    ("Do you have information about", ""): "Do you have information about {described}?",
    ("What to do for", "?"): "What to do for {described}?",
    ("How to prevent", "?"): "How to prevent {described}?",
    ("What are the stages of", "?"): "What are the stages of {described}?",
    ("What are the complications of", "?"): "What are the complications of {described}?",
}
_PATTERNS = tuple(
    (re.compile(rf"{re.escape(before)} (.+?) ?{re.escape(after)}", re.IGNORECASE), form)
    for (before, after), form in _TEMPLATES.items()
)
_DESCRIBED = "the {kind} described as: {description}"
_KINDS = {"DISO": "condition", "CHEM": "substance", "PROC": "procedure"}


def describe(question: str, concepts: Iterable[Concept]) -> Wording | str:
    """The question with a definition of its focus instead of the name, or why there is none.

    No name of the concept stands in the other form, in whatever number, nor does the name that
    the question gave it. Of several definitions the first that fits is taken, as they are sorted.
    """
    asked = _focus_and_form(question)
    if asked is None:
        return NO_TEMPLATE
    focus, form = asked
    named = [one for one in concepts if _is_named(one, focus)]
    if not named:
        return NOT_NAMED
    forms = list(_forms(named, form))
    fit = [text for text, barred in forms if not _holds_any(text.text, {focus, *barred})]
    if fit:
        return fit[0]
    return NAMES_IT if forms else NO_DEFINITION


def _focus_and_form(question: str) -> tuple[str, str] | None:
    for pattern, form in _PATTERNS:
        if found := pattern.fullmatch(question.strip()):
            return found[1].strip(), form
    return None


def _is_named(concept: Concept, focus: str) -> bool:
    keys = set(name_keys(focus))
    return any(not keys.isdisjoint(name_keys(name.text)) for name in concept.names_in("en"))


def _forms(named: Iterable[Concept], form: str) -> Iterator[tuple[Wording, set[str]]]:
    """Every wording that a definition gives, with the names of its concept."""
    for concept in sorted(named, key=lambda one: one.cui):
        names = {name.text for name in concept.names}
        kind = _KINDS.get(group_of(concept.semantic_types), "subject")
        for one in concept.definitions:
            fits = one.language == "en" and 0 < len(one.text) <= LONGEST_DEFINITION
            # A question around a definition is a derivative, which levels above 0 forbid.
            if fits and one.restriction == 0:
                yield _wording(form, kind, one), names


def _wording(form: str, kind: str, definition: Definition) -> Wording:
    values = {"kind": kind, "description": definition.text.rstrip(" .")}
    text = form.format(described=_DESCRIBED.format(**values), **values)
    return Wording(text, "en", (definition.source,), definition.restriction)


def _holds_any(text: str, names: Iterable[str]) -> bool:
    padded = f" {_in_singular(text)} "
    return any(f" {plain} " in padded for name in names if (plain := _in_singular(name)))


def _in_singular(text: str) -> str:
    return " ".join(map(singular, normalise(text).split()))
