"""Corruptions of how a text is written: in another language, script, or variant of Han."""

from qa_filters.corruptions.base import Pair, Spoilt, Surroundings
from qa_filters.words import script_of

ROMANISED = dict(
    zip(
        "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
        [
            *("a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p"),
            *("r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "yu"),
            *("ya", "yo"),
        ],
        strict=True,
    )
)
CYRILLIC = dict(zip("abvgdeziklmnoprstufhcy", "абвгдезиклмнопрстуфхцы", strict=True))
# Frequent in medical text, Simplified then Traditional; those of Japan keep neither form.
TRADITIONAL = dict(
    zip(
        "状体温发热传检测医护诊断疗药国经过内脏临时间应该问题关节头脑颅压试验织紧张轻严对这个们来"
        "说为会没还进与无实际数据报种类样变后从现开质气营养结论总统计产难尽岁动态点风险东乐旧当场"
        "处",
        "狀體溫發熱傳檢測醫護診斷療藥國經過內臟臨時間應該問題關節頭腦顱壓試驗織緊張輕嚴對這個們來"
        "說為會沒還進與無實際數據報種類樣變後從現開質氣營養結論總統計產難盡歲動態點風險東樂舊當場"
        "處",
        strict=True,
    )
)
# Japanese characters as China writes them.
SIMPLIFIED = dict(
    zip(
        "発熱経過薬剤検査療脳圧頭関節臓時間問題応験緊張軽厳対説無実際報種類様変後従現開質気栄養結"
        "論総統計産難動態風険脈腫瘍伝単細腎緑図転術",
        "发热经过药剂检查疗脑压头关节脏时间问题应验紧张轻严对说无实际报种类样变后从现开质气荣养结"
        "论总统计产难动态风险脉肿疡传单细肾绿图转术",
        strict=True,
    )
)
# The hiragana あ, the Hangul 가, and how many letters after them are taken.
FIRST_LETTERS = {"ja": 0xAC00, "zh": 0x3042}
LETTERS = 80

# The language that stands in a language's place: the one most like it that is at hand.
LIKEST = {
    "de": ("fr", "es"),
    "es": ("fr", "de"),
    "fr": ("es", "de"),
    "ja": ("zh",),
    "ru": ("es", "fr", "zh"),
    "zh": ("ja", "ru"),
}


def wrong_language(pair: Pair, surroundings: Surroundings) -> Spoilt | None:
    """Translate well, but into another language."""
    for language in LIKEST[pair.language]:
        text = surroundings.versions.get(language, "")
        if text and text.casefold() not in (pair.text.casefold(), pair.source_text.casefold()):
            return Spoilt(text, pair.source_text)
    return None


def wrong_script(pair: Pair, _: Surroundings) -> Spoilt | None:
    """Write Russian in Latin letters, Chinese in kana, Japanese in Hangul, the rest in Cyrillic."""
    if pair.language in FIRST_LETTERS:
        text = "".join(_as_other(c, FIRST_LETTERS[pair.language]) for c in pair.text)
    else:
        letters = ROMANISED if pair.language == "ru" else CYRILLIC
        text = "".join(letters.get(c, c) for c in pair.text.lower())
    return Spoilt(text, pair.source_text) if text.lower() != pair.text.lower() else None


def _as_other(character: str, first: int) -> str:
    """Some letter of another script for one of Han or kana."""
    is_wide = script_of(character) in ("Hani", "Kana")
    return chr(first + ord(character) % LETTERS) if is_wide else character


def han_variant(pair: Pair, _: Surroundings) -> Spoilt | None:
    """Write Chinese in Traditional characters, Japanese in those of China; keep the kana."""
    if pair.language not in ("ja", "zh"):
        return None
    table = TRADITIONAL if pair.language == "zh" else SIMPLIFIED
    text = "".join(table.get(c, c) for c in pair.text)
    return Spoilt(text, pair.source_text) if text != pair.text else None
