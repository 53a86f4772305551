"""How the seven languages say no: plainly, and by words that may be said either way."""

import re


def _words(plain: str) -> re.Pattern[str]:
    return re.compile(plain, re.IGNORECASE)


# What denies; a negation in two parts (ne … pas, no … ningún) is one match where it can be.
PLAIN = {
    "en": _words(
        r"\b(?:no(?! longer than\b)(?=\s+\w)|not(?! only\b)|none|never|without|cannot|nor|neither|"
        r"nobody|nothing)\b|n['’]t\b"
    ),
    "de": _words(r"\b(?:nicht(?! nur\b)|kein(?:e[nmrs]?)?|ohne|nie(?:mals|mand)?|nichts|weder)\b"),
    "es": _words(
        r"\b(?:no(?! (?:solo|sólo|obstante)\b)|sin(?! embargo\b)|nunca|jamás|tampoco|ningun\w+|"
        r"ningún|nadie|ni)\b"
    ),
    "fr": _words(
        r"\b(?:ne\b(?!(?:\s\w+){1,2}\sque?\b)|n['’](?!import)|sans\b|aucune?s?\b|jamais\b|ni\b|"
        r"non\b|pas\b)"
    ),
    "ru": _words(
        r"\b(?:не(?! (?:только|менее|более|позднее)\b)|нет|без|ни|никогда|нельзя|"
        r"невозможно|никак\w+|никто)\b"
    ),
    "zh": _words(
        "(?<![是能会可])(?<!不得)不(?!退|满|作为|同|断|仅|良|过|久|论|管|少|足|但|只|等|适|明|安|便|幸|得不|再|如|齐|惜|时|锈|止|到)|"
        "(?<!有)没有?|尚未|未(?!来|成年)|切勿|请勿"
    ),
    "ja": _words("ません|ない(?!し|と|か)|なかった|なく|なし|ず(?!つ|れ|っ|、?に)"),
}

# What may stand for a negation or for none: unable, lack of, fails to.
SOFT = {
    "en": _words(
        r"\b(?:un\w+|dis\w+|mis\w+|under\w+|ir\w+|non|im(?:poss|prop|practic|mun|balanc)\w+|"
        r"in(?:abil|sufficien|effectiv|acti|adequa|complet|accura|correct|dist|frequen|compat)\w+|"
        r"lack\w*|absen\w+|fail\w*|free|rather|avoid\w*|instead|prevent\w*|only|barely|hardly|"
        r"rarely|few|longer|refus\w*|negativ\w*|exclud\w*|excep\w+|a?symptomatic|den(?:y|ies|ied)|"
        r"stop\w*|neg|no|otherwise|yet|against|difficult\w*|last|out|despite|though|besides|"
        r"abandon\w*|right|protect\w*)\b|\w+less\b|\bnon-?"
    ),
    "de": _words(
        r"\b(?:un\w+|fehl\w+|mangel\w*|nicht-?\w+|\w+los\w*|\w+frei\w*|selten\w*|nur|statt)\b"
    ),
    "es": _words(
        r"\b(?:falta|carec\w+|ausen\w+|evit\w+|imposible|in\w+|des\w+|im\w+|a?sintom\w+|neg\w+|apenas|"
        r"solo|sólo|salvo|excepto|nada|poco\w*)\b"
    ),
    "fr": _words(
        r"\b(?:manque|absen\w+|évit\w+|impossible|in\w+|im\w+|dé\w+|a?sympt\w+|nég\w+|seul\w*|"
        r"rien|sauf|peu|plus|personne|guère|que)\b"
    ),
    "ru": _words(
        r"\b(?:не\w+|отсутств\w+|бес\w+|без\w+|лиш\w+|только|избе\w+|отриц\w+|ни\w+|кроме)\b"
    ),
    "zh": _words("不|缺|否|免|避|失|仅|只|阴性|禁|勿|别|未|无|非|难|除"),
    "ja": _words("不|非|未|無|欠|避|除|陰性|ず|な[いくし]|まで|のみ|だけ"),
}

# In English again, where source and back-translation are compared: only what says it for certain.
NEARLY = _words(
    r"\b(?:unable|inability|lack\w*|absen\w+|fail\w*|free (?:of|from)|unknown|impossible|unless)\b"
)
