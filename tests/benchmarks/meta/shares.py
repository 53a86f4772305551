"""The statistics after which the synthetic Metathesaurus is made.

Source, where not said otherwise: NLM's release statistics of 2025AA, which give 3,454,294 concepts,
17,144,356 atoms, the atoms of each language, and restriction levels 0, 3, 9, 4, 1 and 2 with 42.6,
34.9, 20.0, 1.3, 1.1 and 0.1 % of the atoms. How the atoms of a language divide among its sources
is chosen so that the levels come out; term types and their shares are rounded.
"""

from typing import NamedTuple


class Source(NamedTuple):
    """A vocabulary, its atoms in thousands, and the shares of its term types."""

    name: str
    language: str
    level: int
    atoms: float
    kinds: dict[str, int]


_MESH = {"MH": 3, "ET": 4, "NM": 2}
_MEDDRA = {"LLT": 6, "PT": 3, "HT": 1}
_LOINC = {"LN": 5, "LC": 3, "DN": 2}
_JAPANESE = {"LLT": 3, "PT": 2, "LLTJKN": 2, "PTJKN": 1}
_OLD = {"PT": 5, "SY": 3, "AB": 1}
# Languages of which only their sum, 2,303,533, is used: each gets as many.
_OTHERS = (
    *("ARA", "BAQ", "CZE", "DAN", "DUT", "EST", "FIN", "GRE", "HEB", "HUN"),
    *("ISL", "LAV", "LIT", "NOR", "POL", "SCR", "SWE", "TUR", "UKR"),
)
SOURCES = (
    Source("MSH", "ENG", 0, 900, {**_MESH, "PM": 3}),
    Source("NCI", "ENG", 0, 900, {"PT": 4, "SY": 5, "AB": 1}),
    Source("RXNORM", "ENG", 0, 1_000, {"IN": 1, "SCD": 3, "SBD": 3, "BN": 1, "PSN": 2, "TMSY": 1}),
    Source("LNC", "ENG", 0, 900, _LOINC),
    Source("NCBI", "ENG", 0, 1_957, {"SCN": 6, "SY": 3, "USN": 1}),
    Source("MTH", "ENG", 0, 300, {"PN": 8, "MM": 2}),
    Source("SNOMEDCT_US", "ENG", 9, 2_250, {"PT": 4, "FN": 3, "SY": 3, "MTH_PT": 1}),
    Source("MDR", "ENG", 3, 356, {**_MEDDRA, "MTH_LLT": 1}),
    Source("MEDCIN", "ENG", 3, 1_150, _OLD),
    Source("RCD", "ENG", 3, 350, _OLD),
    Source("ICD10", "ENG", 1, 189, {"PT": 5, "HT": 2, "PS": 1}),
    Source("CPT", "ENG", 4, 223, {"PT": 5, "ETCLIN": 3}),
    Source("NANDA-I", "ENG", 2, 17, {"PT": 1}),
    Source("SCTSPA", "SPA", 9, 1_179, {"PT": 4, "FN": 3, "SY": 2, "MTH_PT": 1, "MTH_FN": 1}),
    Source("MDRSPA", "SPA", 3, 330, _MEDDRA),
    Source("MSHSPA", "SPA", 3, 148, {"MH": 4, "EP": 5, "MTH_MH": 1}),
    Source("LNC-ES-ES", "SPA", 0, 300, _LOINC),
    Source("MDRPOR", "POR", 3, 300, _MEDDRA),
    Source("MSHPOR", "POR", 3, 120, {"MH": 4, "EP": 5}),
    Source("LNC-PT-BR", "POR", 0, 43, _LOINC),
    Source("MDRFRE", "FRE", 3, 230, _MEDDRA),
    Source("MSHFRE", "FRE", 3, 140, {"MH": 4, "EP": 5}),
    Source("LNC-FR-FR", "FRE", 0, 92, _LOINC),
    Source("MDRJPN", "JPN", 3, 211, _JAPANESE),
    Source("MSHJPN", "JPN", 3, 140, {"PT": 4, "SY": 3, "PTJKN": 1}),
    Source("MSHRUS", "RUS", 3, 150, {"MH": 3, "SY": 3, "EP": 1}),
    Source("MDRRUS", "RUS", 3, 86, _MEDDRA),
    Source("LNC-RU-RU", "RUS", 0, 80, _LOINC),
    Source("MSHGER", "GER", 0, 112, _MESH),
    Source("MDRGER", "GER", 3, 168, _MEDDRA),
    Source("MDRITA", "ITA", 3, 135, _MEDDRA),
    Source("MSHITA", "ITA", 3, 54, _MESH),
    Source("LNC-IT-IT", "ITA", 0, 82, _LOINC),
    Source("MDRKOR", "KOR", 3, 110, _MEDDRA),
    Source("LNC-KO-KR", "KOR", 0, 47, _LOINC),
    Source("LNC-ZH-CN", "CHI", 0, 91.4, _LOINC),
    *(Source(f"MDR{language}", language, 3, 95, _MEDDRA) for language in _OTHERS),
    *(Source(f"LNC-{language}", language, 0, 26.24, _LOINC) for language in _OTHERS),
)
SUPPRESS = {"N": 8_590, "O": 1_200, "Y": 204, "E": 6}
# How many atoms a concept has, 4.96 on average.
ATOMS = {1: 284, 2: 203, 3: 130, 4: 100, 6: 120, 10: 96, 20: 48, 40: 18, 120: 1}
WITHOUT_ENGLISH = 0.005  # share of concepts; not from a source
# Chinese has names of one source, whose concepts are all of this type. Weight among the further
# names of such a concept, in thousands as above, with which 91 thousand names come out.
LABORATORY = "T201"
CHINESE_WEIGHT = 1_700
# Type, its place in the network's tree and its name, and the share of concepts; rounded. Source of
# the names: the UMLS Semantic Network, which is not under the Metathesaurus licence.
TYPES = {
    ("T004", "A1.1.2", "Fungus"): 3,
    ("T007", "A1.1.4", "Bacterium"): 10,
    ("T023", "A1.2.3.1", "Body Part, Organ, or Organ Component"): 5,
    ("T033", "A2.2", "Finding"): 10,
    ("T037", "B2.3", "Injury or Poisoning"): 4,
    ("T046", "B2.2.1.2", "Pathologic Function"): 2,
    ("T047", "B2.2.1.2.1", "Disease or Syndrome"): 10,
    ("T048", "B2.2.1.2.1.1", "Mental or Behavioral Dysfunction"): 1,
    ("T059", "B1.3.1.1", "Laboratory Procedure"): 4,
    ("T061", "B1.3.1.3", "Therapeutic or Preventive Procedure"): 10,
    ("T109", "A1.4.1.2.1", "Organic Chemical"): 14,
    ("T121", "A1.4.1.1.1", "Pharmacologic Substance"): 6,
    ("T191", "B2.2.1.2.1.2", "Neoplastic Process"): 3,
    ("T200", "A1.3.3", "Clinical Drug"): 12,
    (LABORATORY, "A2.3.1", "Clinical Attribute"): 6,
}
TWO_TYPES = 0.05  # share of concepts
# Words of a name; with the rest of the row they make the 2.1 GB of
# MRCONSO, the length of a full row less that of the other fields. The longest name has
# 2,916 characters (release 2016).
NAME_WORDS = {
    1: 28_000, 2: 27_000, 3: 18_000, 4: 9_000, 5: 6_000, 6: 4_000, 8: 3_000, 10: 2_000,
    14: 1_800, 20: 900, 40: 300, 240: 2,
}  # fmt: skip
# Definitions of a concept, and words of one; they make the 124 MB of MRDEF. The longest has 10,258
# characters (release 2016).
DEFINITIONS = {0: 8_940, 1: 880, 2: 130, 3: 50}
DEFINITION_WORDS = {
    5: 10_000, 10: 20_000, 18: 25_000, 30: 20_000, 44: 15_000, 60: 7_000, 90: 2_000, 200: 500,
    1_200: 3,
}  # fmt: skip
DEFINED_BY = {"NCI": 60, "MSH": 20, "SNOMEDCT_US": 5, "MSHSPA": 5, "MDR": 5, "MSHFRE": 5}
