"""A text is found by its atom and hash, or it is said why not."""

from pathlib import Path
from types import ModuleType

import pytest

from pipeline.hydrate.finding import find_texts
from pipeline.hydrate.wanted import Text
from pipeline.release.withheld import digest
from umls_tools.files import locate
from umls_tools.reading import Metathesaurus, assembly_of


def aui_of(text: str, write_meta: ModuleType) -> str:
    return str(write_meta.atom("", "", "", text)["AUI"])


@pytest.fixture(scope="module")
def meta(write_meta: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Metathesaurus:
    """C0000009 has become C0000002; C0000008 is gone; C0000007 may be one of two."""
    atom, history = write_meta.atom, {"VER": "2025AA", "MAPIN": "Y"}
    folder = write_meta.write(
        tmp_path_factory.mktemp("meta"),
        MRSAB=[write_meta.source("MDR", "3"), write_meta.source("SNOMEDCT_US", "9")],
        MRCONSO=[
            atom("C0000001", "ENG", "MDR", "Itch mite", "3"),
            atom("C0000001", "ENG", "MDR", "Itching (disorder)", "3"),
            atom("C0000002", "GER", "MDR", "Kopflaus", "3"),
            atom("C0000003", "ENG", "MDR", "Renamed since", "3", AUI="A0000003"),
            atom("C0000004", "ENG", "MDR", "Moved here", "3"),
            atom("C0000005", "ENG", "MDR", "Held back", "3", SUPPRESS="O"),
            atom("C0000006", "ENG", "SNOMEDCT_US", "Beyond the plan", "9"),
        ],
        MRDEF=[write_meta.definition("C0000001", "MDR", "A <i>mite</i> of the skin.")],
        MRCUI=[
            {"CUI1": "C0000009", "REL": "SY", "CUI2": "C0000002", **history},
            {"CUI1": "C0000008", "REL": "DEL", **history},
            {"CUI1": "C0000007", "REL": "SY", "CUI2": "C0000001", **history},
            {"CUI1": "C0000007", "REL": "SY", "CUI2": "C0000002", **history},
        ],
    )
    tables = locate(str(path) for path in Path(folder).iterdir())
    return Metathesaurus(tables, assembly_of(tables, ("en", "de"), 3))


@pytest.mark.parametrize(
    ("cui", "atom", "text"),
    [
        ("C0000001", "Itch mite", "Itch mite"),
        ("C0000001", "Itching (disorder)", "Itching (disorder)"),
        ("C0000001", "Itching (disorder)", "Itching"),  # as the build repairs it
        ("C0000001", "", "A mite of the skin."),
        ("C0000009", "Kopflaus", "Kopflaus"),
    ],
)
def test_a_text_is_restored_letter_for_letter(
    cui: str, atom: str, text: str, meta: Metathesaurus, write_meta: ModuleType
) -> None:
    wanted = Text(cui, aui_of(atom, write_meta) if atom else "", digest(text))
    found = find_texts({wanted}, meta)
    assert (found.texts, found.missing) == ({wanted: text}, {})


@pytest.mark.parametrize(
    ("cui", "atom", "text", "reason"),
    [
        ("C0000003", "A0000003", "Named otherwise", "the name has changed"),
        ("C0000001", "Itch mite", "itch mite", "the name has changed"),
        ("C0000001", "A9999999", "Never heard of", "no such name among those that the plan lets"),
        ("C0000005", "Held back", "Held back", "no such name among those that the plan lets"),
        ("C0000006", "Beyond the plan", "Beyond the plan", "no such name among those"),
        ("C0000002", "Moved here", "Moved here", "a name of C0000004 now"),
        ("C0000008", "Itch mite", "Itch mite", "retired without one successor (deleted)"),
        ("C0000007", "Itch mite", "Itch mite", "retired without one successor (several succ"),
        ("C0000001", "", "Another definition.", "no definition with this hash"),
    ],
)
def test_it_is_said_why_a_text_is_not_restored(
    cui: str, atom: str, text: str, reason: str, meta: Metathesaurus, write_meta: ModuleType
) -> None:
    aui = atom if atom.startswith("A") and atom[1:].isdigit() else ""
    wanted = Text(cui, aui or (aui_of(atom, write_meta) if atom else ""), digest(text))
    found = find_texts({wanted}, meta)
    assert found.texts == {}
    assert reason in found.missing[wanted]
    assert text not in found.missing[wanted]


def test_many_texts_are_found_in_one_reading(meta: Metathesaurus, write_meta: ModuleType) -> None:
    texts = {"C0000001": "Itch mite", "C0000009": "Kopflaus", "C0000003": "Gone"}
    wanted = {Text(cui, aui_of(text, write_meta), digest(text)) for cui, text in texts.items()}
    found = find_texts(wanted, meta)
    assert sorted(found.texts.values()) == ["Itch mite", "Kopflaus"]
    assert [one.cui for one in found.missing] == ["C0000003"]
