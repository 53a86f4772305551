"""What the words of each script are put together of."""

_SPACED = {
    "latin": "ar be cor di en fil gas hep in kar lo mi neu os phal rit sto tho ul xer",
    "accented": "ár be cór di én fil gás hép ção kar lö mí neu ós ñal rit sto thü ul ción",
    "cyrillic": "ар бе вол ги дер жел зи кар лим мон нос пер рит сер тон ул фил",
    "greek": "αρ βε γολ δι εν ζη θερ καρ λο μι νεφ οσ παλ ριτ στο τιδ ουλ",
    "hebrew": "אב בר גל דם הי זן חר טל כף לב מר נס סף עם פה",
    "arabic": "ال مر ضع قل بد مه كب دو سر طا نف سي تو رئ",
}
_LETTERS = {
    "japanese": "症候群炎病腫瘍性急慢骨肺肝腎心ガンアレルギー",
    "katakana": "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾊﾋﾌﾍﾎﾏﾝｯｬｭｮ",
    "chinese": "症候群炎病肿瘤性急慢骨肺肝肾心脏血管神经",
    "korean": "증후군염병종양성급만골폐간신심장",
}
SYLLABLES: dict[str, list[str]] = {
    **{script: syllables.split() for script, syllables in _SPACED.items()},
    **{script: list(letters) for script, letters in _LETTERS.items()},
}
NOT_SPACED = frozenset({"japanese", "katakana", "chinese"})
# Of the languages that are not written in Latin letters.
SCRIPTS = {
    "ARA": "arabic", "CHI": "chinese", "GRE": "greek", "HEB": "hebrew", "JPN": "japanese",
    "KOR": "korean", "RUS": "cyrillic", "UKR": "cyrillic",
}  # fmt: skip
