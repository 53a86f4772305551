"""Words of either end of a scale, in the seven languages: left and right, more and less.

Beginnings of words where a bar or a bracket does not say otherwise; Han and kana wherever they
stand. What a list lacks is not seen; what it has too much is seen on both sides alike.
"""

import re

Ends = tuple[re.Pattern[str], re.Pattern[str]]


def _begin(one: str, other: str) -> Ends:
    """Words that begin so; a mark ``$`` ends a word that must be met whole."""
    return _words(one), _words(other)


def _words(stems: str) -> re.Pattern[str]:
    whole = "|".join(rf"{stem[:-1]}\b" if stem[-1] == "$" else stem for stem in stems.split())
    return re.compile(rf"\b(?:{whole})", re.IGNORECASE)


def _signs(one: str, other: str) -> Ends:
    """Characters, wherever they stand."""
    return re.compile(one), re.compile(other)


SCALES: dict[str, dict[str, Ends]] = {
    "en": {
        "side": _begin("left$ leftw left-", "right$ rightw right-"),
        "amount": _begin(
            "more$ higher high$ greater increas rise$ rises rising rose$ elevat above$ over$ "
            "larger upper exceed",
            "less$ lower low$ fewer decreas reduc declin fall$ falls drop diminish below$ under$ "
            "smaller",
        ),
        "time": _begin("before$ prior$ earlier pre-", "after$ following later$ post-"),
        "course": _begin("acute", "chronic"),
    },
    "de": {
        "side": _begin("link(?=s|e)", "rechts rechte"),
        "amount": _begin(
            "mehr höher hoh hoch erhöh steig zunahm zunehm größer stärker über",
            "weniger niedrig niedriger verringer reduzier senk gesenk abnahm abnehm gering minder "
            "kleiner unter",
        ),
        "time": _begin("vor$ vorher bevor früher zuvor", "nach$ nachdem nachher später danach"),
        "course": _begin("akut", "chronisch"),
    },
    "es": {
        "side": _begin("izquierd", "derech[oa]"),
        "amount": _begin(
            "más$ mayor aument increment elevad alt[oa] superior sub[ei] encima sobre$ crec",
            "menos$ menor disminu reduc reduj descen baj[oaó] inferior debajo cae caí",
        ),
        "time": _begin("antes previ", "después tras$ posterior luego"),
        "course": _begin("agud", "crónic"),
    },
    "fr": {
        "side": _begin("gauche", "droit"),
        "amount": _begin(
            "plus$ augment élev élèv supérieur accr hauss haut au-dessus dessus dépass",
            "moins$ diminu réduc rédui faible inférieur baiss bas$ basse dessous sous$ recul",
        ),
        "time": _begin("avant préalable précéd", "après suite$ suivant"),
        "course": _begin("aigu aiguë", "chroni"),
    },
    "ru": {
        "side": _begin(
            "лев(?=ый|ая|ое|ого|ой|ом|ую|ые|ых|ым) слева",
            "прав(?=ый|ая|ое|ого|ой|ом|ую|ые|ых|ым) справа",
        ),
        "amount": _begin(
            "более больше выше повыш увелич высок рост$ роста возраста(?=ет|ют|ни) вырос свыше "
            "сверх",
            "менее меньше ниже пониж сниж уменьш низк сокра снизи меньш",
        ),
        "time": _begin("до$ перед прежде ранее", "после затем спустя"),
        "course": _begin("остр", "хронич"),
    },
    "zh": {
        "side": _signs("左(?!右)", "(?<!左)右"),
        "amount": _signs(
            "高(?!度|血压|危|效|质|速|烧)|更多|较多|增|上升|以上|大于|超过",
            "低|更少|较少|减|降|以下|小于|少于",
        ),
        "time": _signs("(?<![目当空提])前(?!线|所|景|往|列|胸)", "后(?!果|续|者|天|期)"),
        "course": _signs("急", "慢"),
    },
    "ja": {
        "side": _signs("左(?!右)", "(?<!左)右"),
        "amount": _signs("高|多|増|上昇|以上|超", "低|少|減|以下|下降"),
        "time": _signs("前", "後"),
        "course": _signs("急", "慢"),
    },
}
