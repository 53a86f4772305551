from collections import Counter
from collections.abc import Callable

import pyarrow as pa
import pytest

from umls_tools.atoms import LANGUAGE_CODES
from umls_tools.definitions import DEF_SCHEMA, lats_of, plain_text, select_definitions
from umls_tools.licence import Gate
from umls_tools.rows import Rows

RowsOf = Callable[..., Rows]


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


def test_definitions_are_filtered(rows_of: RowsOf) -> None:
    rows = rows_of(
        "MRDEF",
        ("CUI", "AUI", "SAB", "DEF", "SUPPRESS"),
        "C1 A1 MSH kept N",
        "C1 A2 MSH kept_too -",
        "C1 A3 MSH old O",
        "C1 A4 SNOMEDCT_US restricted N",
        "C1 A5 UNHEARD_OF restricted N",
        "C1 A6 MSH - N",
    )
    found, left_out = select_definitions(rows, Gate({"MSH": 0, "SNOMEDCT_US": 9}, 0))
    assert found.kept.schema == DEF_SCHEMA
    assert found.kept.column("text").to_pylist() == ["kept", "kept_too"]
    assert left_out == Counter(definition_suppressed=1, definition_restricted=2, definition_blank=1)


@pytest.mark.parametrize(
    ("source", "atom", "lat"),
    [
        ("MSH", "A9", "ENG"),
        ("DOIDSPA", "A9", "SPA"),
        ("DOIDSPA", "A1", "SPA"),  # the source's word stands above the atom's
        ("MIXED", "A1", "ENG"),
        ("MIXED", "A2", "SPA"),
        ("MIXED", "A9", ""),
        ("MSHCZE", "A1", "CZE"),
        ("MIXED", "A3", "GER"),
    ],
)
def test_a_definition_has_the_language_of_its_source_or_atom(
    source: str, atom: str, lat: str
) -> None:
    places = [LANGUAGE_CODES.index(code) for code in ("en", "es", "de")]
    atoms = pa.RecordBatch.from_pydict({"atom_id": ["A1", "A2", "A3"], "language": places})
    given = {"atom_id": [atom], "source": [source], "text": ["text"]}
    lats = {"MSH": "ENG", "DOIDSPA": "SPA", "MSHCZE": "CZE"}
    assert lats_of(pa.RecordBatch.from_pydict(given), atoms, lats) == [lat]
