"""The sample's Metathesaurus: what is shipped, what it promises, what its generator refuses."""

import re
import shutil
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from math import inf
from pathlib import Path

import pytest
from rapidfuzz import fuzz

import pipeline.sample
from pipeline.records import LANGUAGES
from pipeline.sample.authored import AuthoredConcept, AuthoringError, read_authored, read_concepts
from pipeline.sample.layout import LAYOUT
from pipeline.sample.rrf_rows import Identifiers
from pipeline.sample.write_meta import meta_files, write_meta
from pipeline.text import normalise
from umls_tools.semantic_types import group_of

SAMPLE = Path(pipeline.sample.__file__).parent
AUTHORING = SAMPLE / "authoring"
META = SAMPLE / "META"
SIBLINGS = 9  # distractors of a confusion set
NEAR = 4  # steps within which a common ancestor makes two concepts too near for the easy tier
# The only name there is MedQuAD's, for a page on a narrower topic.
MISNAMED_IN_OPENMETA = {"C0000768"}


@cache
def rows(table: str) -> list[list[str]]:
    """Rows of a shipped table, without the empty field behind the last pipe."""
    lines = (META / f"{table}.RRF").read_bytes().decode().split("\n")
    assert lines.pop() == ""
    return [line.split("|")[:-1] for line in lines]


@pytest.fixture(scope="module")
def families() -> list[AuthoredConcept]:
    return list(read_concepts(AUTHORING / "concepts_families.tsv"))


def children(concepts: list[AuthoredConcept]) -> dict[str, set[str]]:
    found = defaultdict(set)
    for concept in concepts:
        for parent in concept.parents:
            found[parent].add(concept.cui)
    return found


def ancestors(parents: dict[str, tuple[str, ...]], cui: str) -> dict[str, int]:
    """Every ancestor with the fewest steps to it."""
    steps, front = {cui: 0}, [cui]
    while front:
        front = [p for c in front for p in parents.get(c, ()) if steps.setdefault(p, steps[c] + 1)]
        front = [p for p in front if p != cui]
    return steps


def test_meta_is_what_the_generator_writes(tmp_path: Path) -> None:
    write_meta(AUTHORING, tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {p.name for p in META.iterdir()}
    for path in META.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name


def test_order_of_authored_rows_does_not_matter(tmp_path: Path) -> None:
    folder = tmp_path / "authoring"
    shutil.copytree(AUTHORING, folder)
    for path in folder.glob("*.tsv"):
        header, *lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join([header, *reversed(lines)]) + "\n", encoding="utf-8")
    assert meta_files(folder) == {p.name: p.read_bytes() for p in META.iterdir()}


@pytest.mark.parametrize("table", LAYOUT)
def test_layout(table: str) -> None:
    content = (META / f"{table}.RRF").read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"|\n")
    found = rows(table)
    assert {len(row) for row in found} == {len(LAYOUT[table].columns)}
    lines = content.splitlines(keepends=True)
    assert lines == sorted(lines, reverse=table == "MRRANK")
    assert len(set(lines)) == len(lines)


def test_identifiers_have_their_shapes_and_are_unique() -> None:
    shapes = {1: "C", 3: "L", 5: "S", 7: "A"}
    names = rows("MRCONSO")
    for row in names:
        for place, prefix in shapes.items():
            column = 0 if prefix == "C" else place
            assert re.fullmatch(prefix + (r"\d{7}" if prefix == "C" else r"\d{8}"), row[column])
    assert len({row[7] for row in names}) == len(names)
    assert len({row[8] for row in rows("MRREL")}) == len(rows("MRREL"))
    atuis = [row[4] for row in rows("MRSTY")] + [row[2] for row in rows("MRDEF")]
    assert len(set(atuis)) == len(atuis)
    assert all(re.fullmatch(r"AT\d{8}", atui) for atui in atuis)
    assert len({(row[1], row[14]) for row in names}) == len({row[5] for row in names})


def test_colliding_hashes_still_give_distinct_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.sample.rrf_rows._DIGITS", 1)
    contents = [(str(number),) for number in range(10)]
    numbers = Identifiers("A", contents)
    assert sorted(numbers[content] for content in contents) == [f"A{digit}" for digit in range(10)]


def test_preferred_name_is_unique_and_not_restricted() -> None:
    preferred = [row for row in rows("MRCONSO") if row[2] == "P"]
    assert max(Counter((row[0], row[1]) for row in preferred).values()) == 1
    assert len(preferred) == len(LANGUAGES) * len({row[0] for row in preferred})
    assert all(row[11].startswith("MMSAMPLE") for row in preferred)


def test_no_name_is_on_two_concepts() -> None:
    owners = defaultdict(set)
    for row in rows("MRCONSO"):
        owners[normalise(row[14])].add(row[0])
    assert [name for name, cuis in owners.items() if len(cuis) > 1] == []


def test_relations_stand_both_ways_between_concepts_that_are_there() -> None:
    cuis = {row[0] for row in rows("MRCONSO")}
    auis = {row[7]: row[0] for row in rows("MRCONSO")}
    edges = {(row[0], row[3], row[4]) for row in rows("MRREL")}
    inverse = {"PAR": "CHD", "CHD": "PAR", "RB": "RN", "RN": "RB"}
    assert {rel for _, rel, _ in edges} >= {"PAR", "CHD", "RB", "RN", "RQ", "RL"}
    for first, rel, second in edges:
        assert {first, second} <= cuis
        assert (second, inverse.get(rel, rel), first) in edges
    assert all(auis[row[1]] == row[0] and auis[row[5]] == row[4] for row in rows("MRREL"))


def test_retired_suppressed_and_restricted_names_are_there() -> None:
    cuis = {row[0] for row in rows("MRCONSO")}
    retired = rows("MRCUI")
    assert {row[2] for row in retired} == {"SY", "DEL", "RO", "RB"}
    assert sum(row[2] == "SY" for row in retired) >= 12
    assert all((row[5] in cuis) == (row[2] != "DEL") for row in retired)
    assert not cuis & {row[0] for row in retired}
    assert sum(row[16] == "O" for row in rows("MRCONSO")) >= 5
    levels = {row[3]: row[13] for row in rows("MRSAB")}
    restricted = [row for row in rows("MRCONSO") if levels[row[11]] != "0"]
    assert len(restricted) >= 36
    marks = ("(restricted example)", "(gesperrtes Beispiel)", "（公開禁止の例）")
    for row in rows("MRCONSO"):
        assert row[15] == levels[row[11]]
        assert row[14].endswith(marks) == (row in restricted)


def test_every_source_has_one_language_and_its_ranks() -> None:
    languages = defaultdict(set)
    for row in rows("MRCONSO"):
        languages[row[11]].add(row[1])
    assert {row[3]: {row[19]} for row in rows("MRSAB")} == languages
    assert {(row[11], row[12]) for row in rows("MRCONSO")} == {
        (row[1], row[2]) for row in rows("MRRANK")
    }


def test_files_and_columns_are_described_truly() -> None:
    for row in rows("MRFILES"):
        content = (META / row[0]).read_bytes()
        assert (int(row[4]), int(row[5])) == (content.count(b"\n"), len(content))
    found = {(row[6], row[0]): row for row in rows("MRCOLS")}
    for table, layout in LAYOUT.items():
        for place, column in enumerate(layout.columns):
            lengths = [len(row[place]) for row in rows(table)]
            described = found[f"{table}.RRF", column.name]
            assert described[3:6] == [
                str(min(lengths)),
                f"{sum(lengths) / len(lengths):.2f}",
                str(max(lengths)),
            ]


def test_families_are_large_enough(families: list[AuthoredConcept]) -> None:
    """Enough siblings for hard sets, enough cousins of one type for medium ones."""
    assert len(families) >= 260
    parents = {concept.cui: concept.parents for concept in families}
    above = {cui: ancestors(parents, cui) for cui in parents}
    tuis = {concept.cui: set(concept.tuis) for concept in families}
    hard = medium = 0
    for gold, up in above.items():
        siblings = cousins = 0
        for other, way in above.items():
            common = set(up) & set(way)
            if other == gold or not common or gold in way or other in up:
                continue
            distance = min(max(up[cui], way[cui]) for cui in common)
            siblings += distance == 1
            cousins += distance in (2, 3) and bool(tuis[gold] & tuis[other])
        hard += siblings >= SIBLINGS
        medium += cousins >= SIBLINGS
    assert hard >= 100
    assert medium >= 60
    sizes = sorted(len(cuis) for cuis in children(families).values())
    assert sum(size >= 12 for size in sizes) >= 12


def test_branches_are_apart(families: list[AuthoredConcept]) -> None:
    """Every gold has ten times the distractors of an easy set to choose from.

    Apart are another semantic group, or no common ancestor within four steps. Of diseases, which
    most golds are, so many of their own group are: another group alone would be told by the eye.
    """
    parents = {concept.cui: concept.parents for concept in families}
    above = {cui: ancestors(parents, cui) for cui in parents}
    groups = {concept.cui: group_of(concept.tuis) for concept in families}
    for gold, group in groups.items():
        far = {cui for cui in above if steps_between(above[gold], above[cui]) > NEAR}
        own = {cui for cui in far if groups[cui] == group}
        others = {cui for cui in above if groups[cui] != group}
        assert len(own if group == "DISO" else others) >= 10 * SIBLINGS, gold
    assert max(max(ancestors(parents, cui).values()) for cui in parents) >= 3


def steps_between(left: dict[str, int], right: dict[str, int]) -> float:
    """The longer way up to the nearest common ancestor."""
    return min((max(left[cui], right[cui]) for cui in left.keys() & right.keys()), default=inf)


def test_one_root_has_branches_for_medium_circles(families: list[AuthoredConcept]) -> None:
    """Ten cousins of whom no two are siblings need ten families under one ancestor."""
    parents = {concept.cui: concept.parents for concept in families}
    large = [cui for cui, held in children(families).items() if len(held) > SIBLINGS - 1]
    above = Counter(top for cui in large for top in ancestors(parents, cui) if not parents.get(top))
    assert max(above.values()) > SIBLINGS


def test_every_concept_has_a_second_english_name(families: list[AuthoredConcept]) -> None:
    for concept in families:
        english = dict(concept.names)["en"]
        assert len({normalise(name) for name in english}) > 1, concept.cui


def test_most_names_differ_from_english(families: list[AuthoredConcept]) -> None:
    """A native name equal to an English one would be no query."""
    for language in LANGUAGES:
        if language == "en":
            continue
        alike = 0
        for concept in families:
            names = dict(concept.names)
            english = {normalise(name) for name in names["en"]}
            alike += english >= {normalise(name) for name in names[language]}
        assert alike <= len(families) * 0.03, language


def scripts(text: str) -> set[str]:
    """The scripts of a text's letters, as Unicode names begin."""
    return {unicodedata.name(c).split()[0] for c in text if c.isalpha()}


@pytest.mark.parametrize(
    ("language", "allowed", "needed"),
    [
        ("en", {"LATIN"}, {"LATIN"}),
        ("de", {"LATIN"}, {"LATIN"}),
        ("es", {"LATIN"}, {"LATIN"}),
        ("fr", {"LATIN"}, {"LATIN"}),
        (
            "ja",
            {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "LATIN"},
            {"CJK", "HIRAGANA", "KATAKANA"},
        ),
        ("ru", {"CYRILLIC", "LATIN"}, {"CYRILLIC"}),
        ("zh", {"CJK", "LATIN"}, {"CJK"}),
    ],
)
def test_scripts(language: str, allowed: set[str], needed: set[str]) -> None:
    lat = LANGUAGES[language].umls_lat
    english = {(row[0], normalise(row[14])) for row in rows("MRCONSO") if row[1] == "ENG"}
    names = [(row[0], row[14]) for row in rows("MRCONSO") if row[1] == lat]
    assert len(names) >= 300
    for cui, name in names:
        assert scripts(name) <= allowed, name
        # COVID-19 is so written everywhere.
        assert scripts(name) & needed or (cui, normalise(name)) in english, name
        assert "  " not in name
        assert unicodedata.is_normalized("NFC", name)


# Characters that only traditional writing uses.
TRADITIONAL = set("貧腎臟體顱膚類鐵氣濕潰發黃壓癤關節脹縮動導瘡療質膿鏈絲蟲應過瘋腫頭爾腦經熱")


def test_chinese_is_simplified() -> None:
    for row in rows("MRCONSO"):
        if row[1] == "CHI":
            assert not set(row[14]) & TRADITIONAL, row[14]


def write_table(folder: Path, name: str, lines: list[str]) -> None:
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def authoring(folder: Path, *concepts: str, **tables: list[str]) -> Path:
    """A small authoring folder: concept rows with tabs written as `;`."""
    header = ["cui", "tuis", "parents", "en", "de", "es", "fr", "ja", "ru", "zh", "definition"]
    body = ["\t".join(header), *(row.replace(";", "\t") for row in concepts)]
    write_table(folder, "concepts_small.tsv", body)
    write_table(folder, "semantic_types.tsv", ["tui\tstn\tsty", "T047\tB2\tDisease or Syndrome"])
    empty = {
        "relations": "cui1\trel\trela\tcui2",
        "retired": "cui1\trel\tcui2",
        "suppressed": "cui\tlanguage\tname",
        "restricted": "cui\tlanguage\tname",
    }
    for name, columns in empty.items():
        write_table(folder, f"{name}.tsv", [columns, *tables.get(name, [])])
    return folder


FLU = "C0000001;T047;;Flu;Grippe;Gripe;La grippe;流感;Грипп;流行感冒;A fever."
COLD = "C0000002;T047;C0000001;Cold;Schnupfen;Catarro;Rhume;風邪;Насморк;伤风;A running nose."


def test_small_folder_is_accepted(tmp_path: Path) -> None:
    authored = read_authored(authoring(tmp_path, COLD, FLU))
    assert [concept.cui for concept in authored.concepts] == ["C0000001", "C0000002"]
    assert b"C0000002|" in meta_files(tmp_path)["MRREL.RRF"]


@pytest.mark.parametrize(
    ("concepts", "tables", "message"),
    [
        ([FLU, FLU], {}, r"concepts_small.tsv:3: C0000001 stands in concepts_small.tsv:2 too"),
        ([FLU.replace("C0000001", "C001")], {}, r":2: 'C001' is no CUI"),
        ([FLU.replace("T047", "T999")], {}, r"T999 is not in semantic_types.tsv"),
        ([FLU.replace("流感", "")], {}, r"C0000001 has a blank ja name"),
        ([FLU.replace("Grippe", "Grippe|GRIPPE")], {}, r"has a de name twice"),
        ([FLU.replace("A fever.", "")], {}, r"needs a semantic type and definition"),
        ([FLU, COLD.replace("Rhume", "FLU")], {}, r"'FLU' names C0000001 and C0000002"),
        ([COLD], {}, r"parent C0000001 of C0000002 is in no concepts table"),
        ([FLU.replace("T047;;", "T047;C0000002;"), COLD], {}, r"parents run in a circle: C000000"),
        ([FLU + ";more"], {}, r":2: 12 fields, expected 11"),
        ([FLU], {"relations": ["C0000001\tRQ\t\tC0000009"]}, r"relations.tsv: C0000009"),
        ([FLU], {"retired": ["C0000001\tDEL\t"]}, r"retired.tsv: C0000001 must be a CUI of no"),
        ([FLU], {"suppressed": ["C0000009\ten\tOld"]}, r"suppressed.tsv: C0000009"),
        ([FLU, COLD], {"restricted": ["C0000001\ten\tcold"]}, r"'cold' names C0000002 and"),
    ],
)
def test_faults_are_named(
    tmp_path: Path, concepts: list[str], tables: dict[str, list[str]], message: str
) -> None:
    with pytest.raises(AuthoringError, match=message):
        read_authored(authoring(tmp_path, *concepts, **tables))


def test_wrong_header_is_named(tmp_path: Path) -> None:
    folder = authoring(tmp_path, FLU)
    write_table(folder, "retired.tsv", ["cui\trel"])
    with pytest.raises(AuthoringError, match=r"retired.tsv:1: the header must be cui1 rel cui2"):
        read_authored(folder)


def test_cuis_are_true(shared_data: Path) -> None:
    """Where an open terminology names one of our CUIs, it means what we mean.

    XL-BEL and TICO-19 are left out: their names are mentions in running text, often wider or
    narrower than the concept.
    """
    open_names = defaultdict(list)
    with (shared_data / "openmeta/META/MRCONSO.RRF").open(encoding="utf-8", newline="\n") as file:
        for line in file:
            row = line.split("|")
            if row[1] == "ENG" and row[11] in {"DOID", "MONDO", "MSH", "MEDQUAD"}:
                open_names[row[0]].append(normalise(row[14]))
    ours = defaultdict(list)
    for row in rows("MRCONSO"):
        if row[1] == "ENG":
            ours[row[0]].append(normalise(row[14]))
    checked = sorted((set(ours) & set(open_names)) - MISNAMED_IN_OPENMETA)
    assert len(checked) >= 350
    for cui in checked:
        best = max(
            max(fuzz.ratio(name, other), fuzz.token_sort_ratio(name, other))
            for name in ours[cui]
            for other in open_names[cui]
        )
        assert best >= 80, (cui, ours[cui], open_names[cui][:5])
