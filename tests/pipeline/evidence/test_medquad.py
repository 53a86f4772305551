import io
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pipeline.evidence import READERS, Evidence, EvidenceError, Reader, open_local
from pipeline.evidence.medquad import MedQuad
from pipeline.records import Passage, Question, Reject, Relevance
from pipeline.text import normalise

ReadAll = Callable[[Reader, Mapping[str, str]], list[Evidence]]

PAIRS = """<QAPairs>
<QAPair pid="1"><Question qid="q" qtype="t">What is  X ?</Question><Answer>It is
   <!-- aside -->a thing.</Answer></QAPair>
<QAPair pid="2"><Question qid="q">Who gets X ?</Question><Answer> </Answer></QAPair>
<QAPair pid="3"><Question qid="q">Why ?</Question></QAPair>
<QAPair pid="4"><Question/><Answer>Lost.</Answer></QAPair>
</QAPairs>"""
SCHEMAS = {
    "Document": f"""<Document id="1" source="S" url="http://x.org"><Focus>X</Focus>
<FocusAnnotations><UMLS><CUIs><CUI>C0000002</CUI><CUI>C0000001</CUI></CUIs></UMLS>
<Synonyms><Synonym>Y</Synonym></Synonyms></FocusAnnotations>{PAIRS}</Document>""",
    "DiseaseFile": f"""<DiseaseFile fid="1" source="S" url="http://x.org"><Focus>X</Focus>
<UMLS><CUI>C0000001</CUI><CUI>C0000002</CUI></UMLS>{PAIRS}</DiseaseFile>""",
    "doc": f"""<doc docid="1" corpus="S" url="http://x.org"><doctitle-focus>X</doctitle-focus>
<umls><cui>C0000001</cui><cui>C0000002</cui><cui></cui></umls>
{
        PAIRS.replace("QAPairs", "qaPairs")
        .replace("QAPair", "pair")
        .replace("Question", "question")
        .replace("Answer", "answer")
    }</doc>""",
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS.keys())
def test_three_schemas_give_the_same(read_all: ReadAll, schema: str) -> None:
    cuis = ("C0000001", "C0000002")
    found = Passage(
        "medquad-1_S-7-1", "X", "It is a thing.", cuis, (), "medquad", "CC-BY-4.0", "http://x.org"
    )
    asked = Question(
        "medquad:1_S/7:1",
        "What is X ?",
        "en",
        cuis,
        (),
        (Relevance("medquad-1_S-7-1", 1),),
        "medquad",
        "CC-BY-4.0",
    )
    assert read_all(MedQuad(), {"data/1_S/7.xml": schema}) == [
        found,
        asked,
        Reject("evidence", "medquad:1_S/7:2", "no_answer"),
        Reject("evidence", "medquad:1_S/7:3", "no_answer"),
        Reject("evidence", "medquad:1_S/7:4", "no_question"),
    ]


def test_a_document_without_pairs_is_counted(read_all: ReadAll) -> None:
    assert read_all(MedQuad(), {"c/1.xml": "<Document><Focus>X</Focus></Document>"}) == [
        Reject("evidence", "medquad:c/1:", "no_question")
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<html/>", "c/1.xml:1: the root is html"),
        (SCHEMAS["Document"].replace('pid="2"', 'pid="1"'), "c/1.xml:6: the pid '1' is .*repeated"),
        (SCHEMAS["Document"].replace(' pid="2"', ""), "c/1.xml:6: the pid '' is empty"),
        (SCHEMAS["Document"].replace("C0000001", "C1"), "c/1.xml: 'C1' is no CUI"),
        (SCHEMAS["Document"][:-20], r"c/1.xml:\d+: malformed XML"),
    ],
)
def test_damage_comes_before_the_first_record(content: str, message: str) -> None:
    reader = MedQuad()
    with pytest.raises(EvidenceError, match=message):
        next(reader.read("c/1.xml", lambda path: io.BytesIO(content.encode())))


def test_the_whole_collection(shared_data: Path) -> None:
    reader = READERS["medquad"]()
    listing = sorted(str(path) for path in (shared_data / "medquad").rglob("*") if path.is_file())
    found: list[Evidence] = []
    for unit in reader.units(listing):
        found.extend(reader.read(unit, open_local))
    passages = [record for record in found if isinstance(record, Passage)]
    questions = [record for record in found if isinstance(record, Question)]
    rejects = Counter(record.reason for record in found if isinstance(record, Reject))
    assert len(passages) == len(questions) == 16_423
    assert rejects == {"no_answer": 1_302, "no_question": 6}  # 17,725 pairs; six empty files
    assert len({passage.passage_id for passage in passages}) == 16_423
    assert len({question.source_id for question in questions}) == 16_423
    equal = Counter(normalise(passage.text) for passage in passages)
    assert len(equal) == 15_824
    assert equal.most_common(1)[0][1] == 348
    assert {question.relevant[0].passage_id for question in questions} == {
        passage.passage_id for passage in passages
    }
    assert all(passage.text for passage in passages)
    assert sum(not passage.title for passage in passages) == 14  # CDC files without a focus
