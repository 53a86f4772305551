"""How the seven languages say the contrary: patterns and what to write in place of a match.

Tables of a corruption's own, not those of the filters that are to find it. Only places that are
sure to mean it are named; a text without any is left alone.
"""

import re

Rewritings = tuple[tuple[re.Pattern[str], str], ...]


def _read(*rules: tuple[str, str]) -> Rewritings:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


def _swap(*words: tuple[str, str]) -> Rewritings:
    """Each word for the other, whole words."""
    both = [pair for one, other in words for pair in ((one, other), (other, one))]
    return _read(*((rf"\b{one}\b", other) for one, other in both))


def _exchange(*signs: tuple[str, str]) -> Rewritings:
    """Each sign for the other, wherever it stands."""
    return _read(*(pair for one, other in signs for pair in ((one, other), (other, one))))


DROPPED: dict[str, Rewritings] = {
    "en": _read(
        (r"\bcannot\b", "can"),
        (r"(?<=\w)n['’]t\b", ""),
        (r"\s+not\b(?! only)", ""),
        (r"\b[Nn]o\b(?! longer)", "some"),
        (r"\bwithout\b", "with"),
    ),
    "de": _read(
        (r"\s+nicht\b(?! nur)", ""), (r"\bkein(?=e[nmrs]?\b|\b)", "ein"), (r"\bohne\b", "mit")
    ),
    "es": _read((r"\bno\s+(?!solo|sólo|obstante)", ""), (r"\bNo\s+", ""), (r"\bsin\b", "con")),
    "fr": _read((r"\b(?:ne |n['’])(\w+) (?:pas|plus)\b", r"\1"), (r"\bsans\b", "avec")),
    "ru": _read((r"\bне\s+(?!только)", ""), (r"\bНе\s+", ""), (r"\bбез\b", "с")),
    "zh": _read(
        ("没有", "有"),
        ("无法", "可以"),
        ("不(?=会|能|是|应|可|需|要|存在|属于)", ""),
        ("尚未", "已"),
    ),
    "ja": _read(
        ("ません", "ます"),
        ("ではない", "である"),
        ("しない", "する"),
        ("できない", "できる"),
        ("なし", "あり"),
    ),
}

_VERBS_EN = "is|are|was|were|can|could|has|have|had|may|will|would|should|must|does|did"
_VERBS_DE = "ist|sind|war|waren|kann|können|hat|haben|wird|werden|soll|sollte|sollten|darf|muss"
_VERBS_ES = (
    "es|son|está|están|fue|fueron|era|eran|ha|han|puede|pueden|tiene|tienen|debe|deben|hay|había"
)
_VERBS_FR = "peut|peuvent|doit|doivent|sera|seront|serait|fut|furent|sont|provoque|permet"
_VERBS_RU = (
    "может|могут|был|была|было|были|является|являются|имеет|имеют|следует|будет|будут|можно|"
    "должны|должен|стал|стали|вызывает|вызывают"
)

ADDED: dict[str, Rewritings] = {
    "en": _read((rf"\b({_VERBS_EN})\b(?! not|n't)", r"\1 not")),
    "de": _read((rf"\b({_VERBS_DE})\b(?! nicht)", r"\1 nicht")),
    "es": _read((rf"(?<!\bno )\b({_VERBS_ES})\b", r"no \1")),
    "fr": _read(
        (rf"(?<!\bne )\b({_VERBS_FR})\b", r"ne \1 pas"),
        (r"(?<!n['’])\b(est|ont|était|étaient|avait|avaient)\b", r"n'\1 pas"),
    ),
    "ru": _read((rf"(?<!\b[Нн]е )\b({_VERBS_RU})\b", r"не \1")),
    "zh": _read(
        ("(?<![但还可于就都也总若凡不])是(?!否|非)", "不是"),
        ("(?<!不)(可以|可能|需要|应该|能够|必须)", r"不\1"),
        ("(?<![没所只具含拥还也])有(?!效|关|害|限|机|时|些|毒)", "没有"),
    ),
    "ja": _read(
        ("です", "ではありません"),
        ("(?<!あり)ます", "ません"),
        ("である", "ではない"),
        ("する(?=。|か)", "しない"),
    ),
}

# 左右 alone means "about".
_HAN_SIDES = _read(("左(?!右)", "右"), ("(?<!左)右", "左"))

SIDES: dict[str, Rewritings] = {
    "en": _read((r"\b([Ll])eft\b", "right"), (r"\b([Rr])ight\b(?! now| to | away)", "left")),
    "de": _read(
        (r"\b[Ll]ink(?=s\b|e[nmrs]?\b|sseitig)", "recht"),
        (r"\b[Rr]echt(?=s\b|e[nmrs]?\b|sseitig)", "link"),
    ),
    "es": _read((r"\b([Ii])zquierd(?=[oa]s?\b)", "derech"), (r"\bderech(?=[oa]\b)", "izquierd")),
    "fr": _read(
        (r"\bgauches?\b", "droite"), (r"\bdroites?\b", "gauche"), (r"\bdroit\b(?! de| à)", "gauche")
    ),
    "ru": _read(
        (r"\bлев(?=(?:ый|ая|ое|ого|ой|ом|ому|ую|ые|ых|ым|ыми)\b)", "прав"),
        (r"\bправ(?=(?:ый|ая|ое|ого|ой|ому|ую|ые|ых|ым|ыми)\b)", "лев"),
        (r"\bслева\b", "справа"),
        (r"\bсправа\b", "слева"),
    ),
    "zh": _HAN_SIDES,
    "ja": _HAN_SIDES,
}

COMPARISONS: dict[str, Rewritings] = {
    "en": _swap(
        ("more", "less"),
        ("higher", "lower"),
        ("increased", "decreased"),
        ("increase", "decrease"),
        ("before", "after"),
        ("acute", "chronic"),
        ("above", "below"),
        ("high", "low"),
    ),
    "de": _swap(
        ("mehr", "weniger"),
        ("höher", "niedriger"),
        ("erhöht", "verringert"),
        ("vor", "nach"),
        ("akut", "chronisch"),
        ("akute", "chronische"),
        ("akuter", "chronischer"),
        ("hoch", "niedrig"),
        ("hohe", "niedrige"),
        ("über", "unter"),
    ),
    "es": _swap(
        ("más", "menos"),
        ("mayor", "menor"),
        ("mayores", "menores"),
        ("aumento", "descenso"),
        ("antes", "después"),
        ("aguda", "crónica"),
        ("agudo", "crónico"),
        ("alta", "baja"),
        ("alto", "bajo"),
    ),
    "fr": _swap(
        ("plus", "moins"),
        ("augmentation", "diminution"),
        ("avant", "après"),
        ("aiguë", "chronique"),
        ("aigu", "chronique"),
        ("élevé", "faible"),
        ("élevée", "faible"),
        ("supérieur", "inférieur"),
        ("supérieure", "inférieure"),
    ),
    "ru": _swap(
        ("более", "менее"),
        ("больше", "меньше"),
        ("выше", "ниже"),
        ("повышение", "снижение"),
        ("высокий", "низкий"),
        ("высокая", "низкая"),
        ("острая", "хроническая"),
        ("острый", "хронический"),
        ("до", "после"),
    ),
    "zh": _exchange(
        ("更多", "更少"),
        ("较高", "较低"),
        ("增加", "减少"),
        ("急性", "慢性"),
        ("以上", "以下"),
        ("之前", "之后"),
    ),
    "ja": _exchange(
        ("増加", "減少"), ("急性", "慢性"), ("以上", "以下"), ("高い", "低い"), ("前に", "後に")
    ),
}

_LATIN_UNITS = (
    *(("mg", "g"), ("μg", "mg"), ("kg", "g"), ("ml", "l"), ("mL", "L"), ("km", "m")),
    *(("mm", "cm"), ("°C", "°F"), ("nm", "mm"), ("dl", "ml"), ("dL", "mL")),
)


def _units(*words: tuple[str, str]) -> Rewritings:
    """After a number, one unit for the other; ° and the like end no word."""
    return _read(
        *((rf"(?<=\d)([\s-]?){one}(?![^\W\d_])", rf"\g<1>{other}") for one, other in words)
    )


UNITS: dict[str, Rewritings] = {
    "en": _units(
        *_LATIN_UNITS,
        *(("days", "weeks"), ("hours", "days"), ("weeks", "days"), ("months", "weeks")),
        *(("years", "months"), ("minutes", "hours"), ("day", "week"), ("hour", "day")),
        *(("year", "month"), ("month", "year"), ("week", "day"), ("seconds", "minutes")),
    ),
    "de": _units(
        *_LATIN_UNITS,
        *(("Tage", "Wochen"), ("Tagen", "Wochen"), ("Stunden", "Tage"), ("Wochen", "Tage")),
        *(("Monate", "Wochen"), ("Monaten", "Wochen"), ("Jahre", "Monate")),
        *(("Jahren", "Monaten"), ("Minuten", "Stunden")),
    ),
    "es": _units(
        *_LATIN_UNITS,
        *(("días", "semanas"), ("horas", "días"), ("semanas", "días"), ("meses", "semanas")),
        *(("años", "meses"), ("minutos", "horas"), ("segundos", "minutos"), ("año", "mes")),
    ),
    "fr": _units(
        *_LATIN_UNITS,
        *(("jours", "semaines"), ("heures", "jours"), ("semaines", "jours"), ("mois", "semaines")),
        *(("ans", "mois"), ("années", "mois"), ("minutes", "heures"), ("secondes", "minutes")),
    ),
    "ru": _units(
        *(("мг", "г"), ("мкг", "мг"), ("кг", "г"), ("мл", "л"), ("км", "м"), ("мм", "см")),
        *(("°C", "°F"), ("нм", "мм"), ("дней", "недель"), ("дня", "недели")),
        *(("часов", "дней"), ("часа", "дня"), ("недель", "дней"), ("недели", "дня")),
        *(("месяцев", "недель"), ("месяца", "недели"), ("лет", "месяцев"), ("года", "месяца")),
        *(("минут", "часов"), ("секунд", "минут")),
    ),
    "zh": _read(
        (r"(?<=\d)(\s?)天", r"\1周"),
        (r"(?<=\d)(\s?)(?:小时|个小时)", r"\1天"),
        (r"(?<=\d)(\s?)周", r"\1天"),
        (r"(?<=\d)(\s?)个月", r"\1周"),
        (r"(?<=\d)(\s?)岁", r"\1个月"),
        (r"(?<=\d)(\s?)分钟", r"\1小时"),
        (r"(?<=\d)(\s?)毫克", r"\1克"),
        (r"(?<=\d)(\s?)公里", r"\1米"),
        (r"(?<=\d)(\s?)(?:°C|℃|摄氏度)", r"\1°F"),
        (r"(?<=\d)(\s?)mg", r"\1g"),
        (r"(?<=\d)(\s?)nm", r"\1mm"),
        (r"(?<=\d)(\s?)m[lL]", r"\1L"),
    ),
    "ja": _read(
        (r"(?<=\d)(\s?)日間", r"\1週間"),
        (r"(?<=\d)(\s?)時間", r"\1日"),
        (r"(?<=\d)(\s?)週間?", r"\1日間"),
        (r"(?<=\d)(\s?)(?:か月|ヶ月|カ月)", r"\1週間"),
        (r"(?<=\d)(\s?)歳", r"\1か月"),
        (r"(?<=\d)(\s?)(?:ミリグラム|mg)", r"\1g"),
        (r"(?<=\d)(\s?)(?:°C|℃|度)", r"\1°F"),
        (r"(?<=\d)(\s?)m[lL]", r"\1L"),
    ),
}
