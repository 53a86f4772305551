from collections import Counter
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.definitions import DEF_COLUMNS, filter_definitions, in_languages, plain_text
from umls_tools.licence import Gate

Rows = Callable[..., pa.RecordBatch]


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("<p>A disease.</p><p>It hurts.</p>", "A disease. It hurts."),
        ("A\tdisease \n of <i>E. coli</i>.", "A disease of E. coli."),
        ("one<br/>two<BR>three", "one two three"),
        ('see <a href="https://x.org/?a=1&b=2">there</a>', "see there"),
        ("<ul class=x><li>a</li><li>b</li></ul>", "a b"),
        ("10<sup>-3</sup> m<sup>2</sup> of H<sub>2</sub>O", "10^-3 m^2 of H2O"),
        ("x <b and y> z", "x <b and y> z"),
        ("p < 0.05 and q > 1", "p < 0.05 and q > 1"),
        ("<protein> is kept", "<protein> is kept"),
        ("Sj&#246;gren &amp; Ménière; &lt;p&gt;", "Sjögren & Ménière; <p>"),
        ("AT&T; R&D; m² ½", "AT&T; R&D; m² ½"),
        ("a\u2028b\u00a0c", "a\u2028b\u00a0c"),
        ("<p></p>", ""),
        ("", ""),
    ],
)
def test_only_markup_goes(definition: str, expected: str) -> None:
    assert plain_text(definition) == expected


def test_definitions_are_filtered() -> None:
    fields = [
        ("C1", "A1", "MSH", "kept", "N"),
        ("C1", "A2", "MSH", "kept too", ""),
        ("C1", "A3", "MSH", "old", "O"),
        ("C1", "A4", "SNOMEDCT_US", "restricted", "N"),
        ("C1", "A5", "UNHEARD_OF", "restricted", "N"),
        ("C1", "A6", "MSH", " \t", "N"),
    ]
    columns = [pa.array(column) for column in zip(*fields, strict=True)]
    batch = pa.RecordBatch.from_arrays(columns, names=list(DEF_COLUMNS))
    kept, left_out = filter_definitions(batch, Gate({"MSH": 0, "SNOMEDCT_US": 9}, 0))
    assert kept.column("DEF").to_pylist() == ["kept", "kept too"]
    assert left_out == Counter(definition_suppressed=1, definition_restricted=2, definition_blank=1)


LATS = {"MSH": "ENG", "DOIDSPA": "SPA", "MSHCZE": "CZE"}


@pytest.mark.parametrize(
    ("source", "atom", "lat"),
    [
        ("MSH", "A9", "ENG"),
        ("DOIDSPA", "A9", "SPA"),
        ("DOIDSPA", "A1", "SPA"),  # the source's word stands above the atom's
        ("MIXED", "A1", "ENG"),
        ("MIXED", "A2", "SPA"),
        ("MIXED", "A9", "definition_of_unknown_language"),
        ("MSHCZE", "A1", "definition_other_language"),
        ("MIXED", "A3", "definition_other_language"),
    ],
)
def test_a_definition_has_the_language_of_its_source_or_atom(
    rows: Rows, source: str, atom: str, lat: str
) -> None:
    atoms = pa.Table.from_batches([rows(("AUI", "LAT"), "A1 ENG", "A2 SPA", "A3 GER")])
    given = pa.Table.from_batches([rows(DEF_COLUMNS, f"C1 {atom} {source} text N")])
    kept, left_out = in_languages(given, atoms, LATS, ("en", "es"))
    assert [*kept.column("LAT").to_pylist(), *left_out] == [lat]


def test_without_sources_or_atoms_no_language_is_known(rows: Rows) -> None:
    atoms = pa.Table.from_batches([rows(("AUI", "LAT"))])
    given = pa.Table.from_batches([rows(DEF_COLUMNS, "C1 A1 MSH text N")])
    assert in_languages(given, atoms, {}, ("en",))[1] == {"definition_of_unknown_language": 1}
