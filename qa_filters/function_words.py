"""Little words that one language in Latin letters writes and the others do not."""

from collections.abc import Iterable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Articles, prepositions, pronouns, auxiliaries: the most frequent ones, written out by hand.
WORDS = {
    "de": _words(
        "der die das dem den des ein eine einer eines einem einen und oder ist sind war waren wird "
        "werden wurde wurden hat haben hatte mit von vom bei beim nicht für auf aus zu zur zum "
        "durch im am in an als nach über unter vor ohne wie welche welcher welches was wann wo es "
        "er sie wir ich sich man auch nur noch mehr sehr kann können muss soll so dass wenn du"
    ),
    "en": _words(
        "the of and or is are was were be been has have had with from by for to in on at as not no "
        "a an this that these those which what when where who how it its he she they we you i can "
        "may should does do did into than more most also only if but so am die des me son"
    ),
    "es": _words(
        "el la los las lo un una unos unas de del al y e o u es son era fue fueron ser está están "
        "ha han había con por para en a sin sobre entre hasta desde como más muy no se su sus le "
        "les que qué cuál cuáles cuándo dónde cómo quién me mi tu te ya si sí pero ni este esta "
        "estos estas ese esa puede pueden debe tiene tienen hay"
    ),
    "fr": _words(
        "le la les un une des de du au aux et ou est sont était été être a ont avait avec par pour "
        "en dans sur sous sans entre chez vers comme plus très ne pas se ce cet cette ces sa son "
        "ses leur leurs que qui quoi quel quelle quels quelles quand où comment il elle ils elles "
        "on nous vous je me si mais ni peut peuvent doit faut y à c d j l m n qu s t"
    ),
}
# What none of the others writes.
MARKS = {
    language: words - frozenset().union(*(WORDS[one] for one in WORDS if one != language))
    for language, words in WORDS.items()
}


def speaks_of_another(words: Iterable[str], language: str) -> bool:
    """Whether words in small letters are marks of another language, and none of the text's own."""
    small = {word for word in words if word.islower()}
    if small & MARKS[language]:
        return False
    return any(small & MARKS[other] for other in MARKS if other != language)
