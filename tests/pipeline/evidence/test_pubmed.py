import io
import itertools

import pytest

from pipeline.evidence import Evidence, EvidenceError
from pipeline.evidence.pubmed import PubMed, latest
from pipeline.evidence.units import paths
from pipeline.records import Passage, Reject


def citation(
    pmid: str = "1",
    title: str = "A title.",
    abstract: str = "<Abstract><AbstractText>Some text.</AbstractText></Abstract>",
    extra: str = "",
    *,
    language: str = "<Language>eng</Language>",
    outside: str = "",
    version: int = 1,
) -> str:
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="{version}">{pmid}</PMID><Article>'
        f"<ArticleTitle>{title}</ArticleTitle>{abstract}{language}{extra}</Article>{outside}"
        "</MedlineCitation><PubmedData><ArticleIdList/></PubmedData></PubmedArticle>"
    )


def file_of(*content: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
        '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
        f"<PubmedArticleSet>{''.join(content)}</PubmedArticleSet>"
    )


def read(*content: str) -> list[Evidence]:
    return list(PubMed().read("p/a.xml", lambda path: io.BytesIO(file_of(*content).encode())))


def passage(*content: str) -> Passage:
    (found,) = read(*content)
    assert isinstance(found, Passage)
    return found


def rejects(*content: str) -> list[tuple[str, str]]:
    return [(lost.key, lost.reason) for lost in read(*content) if isinstance(lost, Reject)]


def test_a_citation_is_a_passage() -> None:
    mesh = (
        '<MeshHeadingList><MeshHeading><DescriptorName UI="D003924">Diabetes</DescriptorName>'
        '<QualifierName UI="Q000188">drug therapy</QualifierName></MeshHeading><MeshHeading>'
        '<DescriptorName UI="D000818">Animals</DescriptorName></MeshHeading></MeshHeadingList>'
    )
    assert passage(citation("12", outside=mesh)) == Passage(
        "pubmed-12",
        "A title.",
        "Some text.",
        (),
        ("D000818", "D003924"),
        "pubmed",
        "LicenseRef-PubMed",
        "https://pubmed.ncbi.nlm.nih.gov/12/",
    )


def heading(unique_id: str, descriptor: str, *qualifiers: str) -> str:
    below = "".join(f'<QualifierName MajorTopicYN="{one}">q</QualifierName>' for one in qualifiers)
    return (
        f'<MeshHeading><DescriptorName UI="{unique_id}" MajorTopicYN="{descriptor}">d'
        f"</DescriptorName>{below}</MeshHeading>"
    )


def test_a_heading_is_major_by_its_own_mark_or_by_a_qualifiers() -> None:
    headings = (heading("D3", "N"), heading("D2", "N", "N", "Y"), heading("D1", "Y"))
    mesh = f"<MeshHeadingList>{''.join(headings)}{heading('D1', 'N')}</MeshHeadingList>"
    found = passage(citation(outside=mesh))
    assert (found.headings, found.major) == (("D1", "D2", "D3"), ("D1", "D2"))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<AbstractText>per 1.73 m<sup>2</sup> of body</AbstractText>", "per 1.73 m² of body"),
        ("<AbstractText>10<sup>-3</sup> M</AbstractText>", "10⁻³ M"),
        (
            "<AbstractText>with <i>E. coli</i> and <i>S. aureus</i>.</AbstractText>",
            "with E. coli and S. aureus.",
        ),
        (
            '<AbstractText Label="AIM" NlmCategory="OBJECTIVE">One.</AbstractText>'
            '<AbstractText Label="RESULTS">Two.</AbstractText>',
            "AIM: One. RESULTS: Two.",
        ),
        ('<AbstractText Label="RESULTS">Alone.</AbstractText>', "RESULTS: Alone."),
        ('<AbstractText Label="">No label.</AbstractText>', "No label."),
        (
            '<AbstractText Label="METHODS"/><AbstractText Label="RESULTS">Two.</AbstractText>',
            "METHODS: RESULTS: Two.",
        ),
        (
            "<AbstractText>Text.</AbstractText><CopyrightInformation>©</CopyrightInformation>",
            "Text.",
        ),
    ],
)
def test_abstracts(inside: str, expected: str) -> None:
    assert passage(citation(abstract=f"<Abstract>{inside}</Abstract>")).text == expected


@pytest.mark.parametrize(
    ("title", "vernacular", "expected"),
    [
        ("Plain title.", "", "Plain title."),
        ("[English title].", "Titre", "English title."),
        ("[English title]", "Titre", "English title"),
        ("[English title (author's transl)].", "Titel", "English title."),
        ("[English <i>in vitro</i> title].", "Titre", "English in vitro title."),
        ("[A] and [B].", "Titre", "[A] and [B]."),
        ("[3H]thymidine uptake.", "Titre", "[3H]thymidine uptake."),
        ("[Bracketed in English].", "", "[Bracketed in English]."),
        ("[Not Available].", "Titre", ""),
        ("[Not Available].", "", ""),
        ("Not available.", "", ""),
        ("", "", ""),
    ],
)
def test_titles(title: str, vernacular: str, expected: str) -> None:
    extra = f"<VernacularTitle>{vernacular}</VernacularTitle>" if vernacular else ""
    assert passage(citation(title=title, extra=extra)).title == expected


def publication_type(name: str) -> str:
    return f"<PublicationTypeList><PublicationType>{name}</PublicationType></PublicationTypeList>"


def link(kind: str) -> str:
    return (
        f'<CommentsCorrectionsList><CommentsCorrections RefType="{kind}"><PMID>99</PMID>'
        "</CommentsCorrections></CommentsCorrectionsList>"
    )


OTHER_ABSTRACT = (
    '<OtherAbstract Type="Publisher" Language="eng"><AbstractText>Other.</AbstractText>'
    "</OtherAbstract>"
)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (citation(language="<Language>ger</Language>"), "not_english"),
        (citation(language=""), "not_english"),
        (citation(abstract=""), "no_abstract"),
        (citation(abstract="<Abstract><AbstractText> </AbstractText></Abstract>"), "no_abstract"),
        (citation(abstract="", outside=OTHER_ABSTRACT), "no_abstract"),
        (citation(extra=publication_type("Retracted Publication")), "retracted"),
        (citation(extra=publication_type("Retraction of Publication")), "retracted"),
        (citation(extra=publication_type("Retraction Notice")), "retracted"),
        (citation(extra=publication_type("Expression of Concern")), "retracted"),
        (citation(outside=link("RetractionIn")), "retracted"),
        (citation(outside=link("ExpressionOfConcernIn")), "retracted"),
        (
            "<PubmedBookArticle><BookDocument><PMID>1</PMID></BookDocument></PubmedBookArticle>",
            "book",
        ),
    ],
)
def test_what_is_left_out_is_counted(content: str, reason: str) -> None:
    assert rejects(content) == [("pubmed-1", reason)]


@pytest.mark.parametrize(
    "content",
    [
        citation(language="<Language>fre</Language><Language>eng</Language>"),
        citation(extra=publication_type("Journal Article")),
        citation(outside=link("ErratumIn")),
        citation(outside=link("RetractedandRepublishedFrom")),
        citation(outside=OTHER_ABSTRACT),
        "<MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A title.</ArticleTitle><Abstract>"
        "<AbstractText>Some text.</AbstractText></Abstract><Language>eng</Language></Article>"
        "</MedlineCitation>",
    ],
)
def test_what_is_kept(content: str) -> None:
    assert passage(content).text == "Some text."


def test_the_highest_version_stays_and_of_equal_ones_the_last() -> None:
    found = read(
        citation("2", "Second.", version=2),
        citation("2", "First.", version=1),
        citation("10", "Old."),
        citation("10", "New."),
    )
    assert [one.title for one in found if isinstance(one, Passage)] == ["Second.", "New."]
    assert [(one.key, one.reason) for one in found if isinstance(one, Reject)] == [
        ("pubmed-10.1", "superseded"),
        ("pubmed-2.1", "superseded"),
    ]


def test_deletions_come_after_all_citations() -> None:
    deletion = "<DeleteCitation><PMID>1</PMID><PMID>3</PMID></DeleteCitation>"
    found = read(deletion, citation("1"), citation("2"))
    assert [getattr(one, "passage_id", "") or getattr(one, "reason", "") for one in found] == [
        "deleted",
        "pubmed-2",
        "deleted",
    ]


def test_latest_goes_by_the_name_of_the_file() -> None:
    old, new = passage(citation("1", "Old.")), passage(citation("1", "New."))
    (deleted,) = read("<DeleteCitation><PMID>1</PMID></DeleteCitation>")
    assert isinstance(deleted, Reject)
    versions = [("b/pubmed25n0001.xml.gz", old), ("a/pubmed25n1300.xml.gz", new)]
    gone = [*versions, ("a/pubmed25n1301.xml", deleted)]
    assert {latest(order) for order in itertools.permutations(versions)} == {new}
    assert {latest(order) for order in itertools.permutations(gone)} == {deleted}


def test_files_come_in_the_order_of_their_numbers() -> None:
    numbers = ("baseline/pubmed25n9999", "baseline/pubmed25n10000", "a/pubmed26n0001")
    listing = [f"{name}.xml.gz{end}" for name in numbers for end in ("", ".md5")]
    units = PubMed().units(sorted(listing))
    assert [paths(unit)[0] for unit in units] == [f"{name}.xml.gz" for name in numbers]
    old, new = passage(citation("1", "Old.")), passage(citation("1", "New."))
    assert latest([(units[0], old), (units[1], new)]) == new


def test_a_folder_without_files_is_an_error() -> None:
    for listing in ([], ["p/readme.txt"]):
        with pytest.raises(EvidenceError, match=r"pubmed: no \*.xml among"):
            PubMed().units(listing)


def test_a_file_with_another_sum_gives_nothing() -> None:
    files = {"p/a.xml": file_of(citation()).encode(), "p/a.xml.md5": b"0" * 32}
    (unit,) = PubMed().units(sorted(files))
    found = PubMed().read(unit, lambda path: io.BytesIO(files[path]))
    with pytest.raises(EvidenceError, match=r"p/a.xml: its MD5 is"):
        next(found)


def test_a_text_of_sixty_megabytes_is_an_error() -> None:
    huge = f"<Abstract><AbstractText>{'word ' * 12_000_000}</AbstractText></Abstract>"
    with pytest.raises(EvidenceError, match=r"p/a.xml:3: malformed XML .*Text node too long"):
        read(citation("1"), citation("2", abstract=huge))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (citation("x"), "p/a.xml:3: PMID 'x'"),
        (citation("1", version=0).replace('"0"', '"a"'), "version 'a'"),
        (
            "<PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation></PubmedArticle>",
            "p/a.xml:3: PMID 1 holds no Article",
        ),
        ("<PubmedArticle></PubmedArticle>", "PMID ''"),
    ],
)
def test_broken_citations_are_errors(content: str, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        read(content)


def test_nothing_is_given_of_a_file_that_breaks_in_the_middle() -> None:
    whole = file_of(*(citation(str(number)) for number in range(1, 3000))).encode()
    found = PubMed().read("p/a.xml", lambda path: io.BytesIO(whole[:-300]))
    with pytest.raises(EvidenceError, match=r"p/a.xml:\d+: malformed XML"):
        next(found)
