import pytest

from pipeline.systems.words import terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COVID-19, HbA1c 6.5%", ["covid", "19", "hba1c", "6", "5"]),
        ("Straße ÉTÉ", ["strasse", "été"]),
        ("Сахарный диабет", ["сахарный", "диабет"]),
        ("2型糖尿病", ["2", "型", "糖", "尿", "病", "型糖", "糖尿", "尿病"]),
        ("HIV感染", ["hiv", "感", "染", "感染"]),
        ("がん", ["が", "ん", "がん"]),
        ("ｲﾝｽﾘﾝ", ["イ", "ン", "ス", "リ", "ン", "イン", "ンス", "スリ", "リン"]),
        ("snake_case pain pain", ["snake", "case", "pain", "pain"]),
        ("… – ・", []),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected
