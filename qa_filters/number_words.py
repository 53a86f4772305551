"""How the seven languages write numbers, powers of ten and units of measure in words."""

# The beginning of a word, by which its inflected forms are known; under four letters, all of it.
NUMBER_WORDS: dict[str, dict[str, int]] = {
    "en": {
        **{"zero": 0, "no": 0, "one": 1, "once": 1, "first": 1, "single": 1, "a": 1, "an": 1},
        **{"two": 2, "twice": 2, "second": 2, "both": 2, "pair": 2, "half": 2, "double": 2},
        **{"three": 3, "third": 3, "triple": 3, "four": 4, "fourth": 4, "quarter": 4, "five": 5},
        **{"fifth": 5, "six": 6, "sixth": 6, "seven": 7, "seventh": 7, "eight": 8, "nine": 9},
        **{"ninth": 9, "ten": 10, "tenth": 10, "eleven": 11, "twelve": 12, "twelfth": 12},
        **{"dozen": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16},
        **{"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "twentieth": 20},
        **{"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80},
        **{"ninety": 90, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9},
        **{"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7},
        **{"august": 8, "september": 9, "october": 10, "november": 11, "december": 12},
        **{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9},
        **{"oct": 10, "nov": 11, "dec": 12},
    },
    "de": {
        **{
            "null": 0,
            "kein": 0,
            "ein": 1,
            "eine": 1,
            "einer": 1,
            "eins": 1,
            "einem": 1,
            "einen": 1,
        },
        **{"einmal": 1, "erst": 1, "zwei": 2, "zweit": 2, "beid": 2, "doppel": 2, "halb": 2},
        **{"drei": 3, "dritt": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "siebt": 7},
        **{"acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "dreizehn": 13},
        **{"vierzehn": 14, "fünfzehn": 15, "sechzehn": 16, "siebzehn": 17, "achtzehn": 18},
        **{"neunzehn": 19, "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50},
        **{"sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90, "hundert": 100},
        **{"tausend": 1000, "million": 10**6, "milliarde": 10**9, "januar": 1, "februar": 2},
        **{"märz": 3, "april": 4, "mai": 5, "juni": 6, "juli": 7, "august": 8, "september": 9},
        **{"oktober": 10, "november": 11, "dezember": 12},
    },
    "es": {
        **{"cero": 0, "un": 1, "una": 1, "uno": 1, "primer": 1, "dos": 2, "segund": 2, "ambos": 2},
        **{"ambas": 2, "doble": 2, "mitad": 2, "medio": 2, "tres": 3, "tercer": 3, "triple": 3},
        **{"cuatro": 4, "cuart": 4, "cinco": 5, "quint": 5, "seis": 6, "sext": 6, "siete": 7},
        **{"séptim": 7, "ocho": 8, "octav": 8, "nueve": 9, "noven": 9, "diez": 10, "décim": 10},
        **{"once": 11, "doce": 12, "docena": 12, "trece": 13, "catorce": 14, "quince": 15},
        **{"dieciséis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19, "veint": 20},
        **{"treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70},
        **{"ochenta": 80, "noventa": 90, "cien": 100, "ciento": 100, "mil": 1000, "mill": 10**6},
        **{"enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7},
        **{"agosto": 8, "septiembre": 9, "setiembre": 9, "octubre": 10, "noviembre": 11},
        **{"diciembre": 12},
    },
    "fr": {
        **{"zéro": 0, "un": 1, "une": 1, "premi": 1, "deux": 2, "second": 2, "double": 2},
        **{"moitié": 2, "demi": 2, "trois": 3, "tiers": 3, "triple": 3, "quatre": 4, "quatri": 4},
        **{"quart": 4, "cinq": 5, "cinqu": 5, "six": 6, "sixi": 6, "sept": 7, "septi": 7},
        **{"huit": 8, "neuf": 9, "neuvi": 9, "dix": 10, "dixi": 10, "onze": 11, "douz": 12},
        **{"treiz": 13, "quatorz": 14, "quinz": 15, "seiz": 16, "vingt": 20, "trent": 30},
        **{"quarant": 40, "cinquant": 50, "soixant": 60, "cent": 100, "mille": 1000},
        **{"million": 10**6, "milliard": 10**9, "janvier": 1, "février": 2, "mars": 3, "avril": 4},
        **{"mai": 5, "juin": 6, "juillet": 7, "août": 8, "septembre": 9, "octobre": 10},
        **{"novembre": 11, "décembre": 12},
    },
    "ru": {
        **{"ноль": 0, "нуле": 0, "один": 1, "одна": 1, "одно": 1, "одну": 1, "одной": 1, "перв": 1},
        **{"два": 2, "две": 2, "двух": 2, "двум": 2, "двое": 2, "втор": 2, "оба": 2, "обе": 2},
        **{"обоих": 2, "двойн": 2, "двук": 2, "половин": 2, "три": 3, "трех": 3, "трёх": 3},
        **{"трем": 3, "трое": 3, "трет": 3, "четыр": 4, "четвер": 4, "пять": 5},
        **{"пяти": 5, "пят": 5, "пятый": 5, "пятая": 5, "шест": 6, "сем": 7, "семь": 7, "семи": 7},
        **{"седьм": 7, "восем": 8, "восьм": 8, "девят": 9, "десят": 10, "одиннадц": 11},
        **{"двенадц": 12, "тринадц": 13, "четырнадц": 14, "пятнадц": 15, "шестнадц": 16},
        **{"семнадц": 17, "восемнадц": 18, "девятнадц": 19, "двадца": 20, "тридца": 30},
        **{"сорок": 40, "пятьдес": 50, "шестьдес": 60, "семьдес": 70, "восемьдес": 80},
        **{"девянос": 90, "сто": 100, "сотн": 100, "тысяч": 1000, "миллион": 10**6},
        **{"миллиард": 10**9, "январ": 1, "феврал": 2, "март": 3, "апрел": 4, "май": 5, "мая": 5},
        **{"мае": 5, "июн": 6, "июня": 6, "июне": 6, "июнь": 6, "июля": 7, "июле": 7, "июль": 7},
        **{"август": 8, "сентябр": 9, "октябр": 10, "ноябр": 11, "декабр": 12},
    },
    "ja": {"半": 2, "両": 2},
    "zh": {"半": 2, "双": 2, "首": 1, "头": 1},
}
WHOLE_WORD = 3  # letters; a shorter word must be met in full

HAN_DIGITS = {
    **{"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6},
    **{"七": 7, "八": 8, "九": 9},
}
HAN_TENS = {"十": 10, "百": 100, "千": 1000}
HAN_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}

# After a numeral: whole words, then (in ja and zh) characters.
POWERS: dict[str, dict[str, int]] = {
    "en": {
        **{"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9},
        **{"trillion": 10**12, "millions": 10**6, "billions": 10**9},
    },
    "de": {
        **{"hundert": 100, "tausend": 1000, "million": 10**6, "millionen": 10**6, "mio": 10**6},
        **{"milliarde": 10**9, "milliarden": 10**9, "mrd": 10**9, "billion": 10**12},
        **{"billionen": 10**12},
    },
    "es": {
        **{"mil": 1000, "millón": 10**6, "millones": 10**6, "millardo": 10**9, "billón": 10**12},
        **{"billones": 10**12},
    },
    "fr": {
        **{"mille": 1000, "million": 10**6, "millions": 10**6, "milliard": 10**9},
        **{"milliards": 10**9, "billion": 10**12, "billions": 10**12},
    },
    "ru": {
        **{"тысяча": 1000, "тысячи": 1000, "тысяч": 1000, "тысячам": 1000, "тыс": 1000},
        **{"миллион": 10**6, "миллиона": 10**6, "миллионов": 10**6, "миллионам": 10**6},
        **{"млн": 10**6, "миллиард": 10**9, "миллиарда": 10**9, "миллиардов": 10**9},
        **{"млрд": 10**9, "триллион": 10**12, "триллиона": 10**12, "триллионов": 10**12},
        **{"трлн": 10**12},
    },
    "ja": HAN_TENS | HAN_MYRIADS,
    "zh": HAN_TENS | HAN_MYRIADS,
}

# One unit under all its names; a mistaken unit (lb given as kg) changes the dose.
UNITS = {
    spelling: unit
    for unit, spellings in {
        "%": "% ％ percent percentage prozent процент процента процентов パーセント",
        "kg": "kg kgs kilogram kilograms kilogramm kilogramo kilogramos kilo kilos kilogramme "
        "kilogrammes кг килограмм килограмма килограммов 公斤 千克 キログラム キロ",
        "lb": "lb lbs pound pounds pfund libra libras livre livres фунт фунта фунтов 磅 ポンド",
        "oz": "oz ounce ounces unze unzen onza onzas once onces унция унции унций 盎司 オンス",
        "g": "g gram grams gramm gramo gramos gramme grammes г грамм грамма граммов 克 グラム",
        "mg": "mg milligram milligrams milligramm miligramo miligramos milligramme milligrammes "
        "мг миллиграмм миллиграмма миллиграммов 毫克 ミリグラム",
        "µg": "μg ug mcg microgram micrograms mikrogramm microgramo microgramos microgramme "
        "microgrammes мкг микрограмм микрограмма микрограммов 微克 マイクログラム",
        "ng": "ng nanogram nanograms nanogramm nanogramos nanogrammes нг нанограмм 纳克 ナノグラム",
        "l": "l liter liters litre litres litro litros л литр литра литров 升 リットル",
        "ml": "ml milliliter milliliters millilitre millilitres mililitro mililitros мл "
        "миллилитр миллилитра миллилитров 毫升 ミリリットル",
        "dl": "dl deciliter decilitre decilitro dezilitro дл децилитр 分升 デシリットル",
        "m": "m meter meters metre metres metro metros mètre mètres м метр метра метров 米 "
        "メートル",
        "km": "km kilometer kilometers kilómetro kilómetros kilomètre kilomètres км километр "
        "километра километров 公里 千米 キロメートル",
        "mi": "mile miles meile meilen milla millas миля мили миль 英里 マイル",
        "ft": "ft foot feet fuß pie pies pied pieds фут фута футов 英尺 フィート",
        "in": "inch inches zoll pulgada pulgadas pouce pouces дюйм дюйма дюймов 英寸 インチ",
        "cm": "cm centimeter centimeters centimetre centimetres zentimeter centímetro centímetros "
        "centimètre centimètres см сантиметр сантиметра сантиметров 厘米 公分 "
        "センチメートル センチ",
        "mm": "mm millimeter millimeters millimetre millimetres milímetro milímetros millimètre "
        "millimètres мм миллиметр миллиметра миллиметров 毫米 ミリメートル ミリ",
        "µm": "μm um micron microns micrometer micrometers mikrometer micrómetro micrómetros "
        "micra micras micromètre micromètres мкм микрометр микрон 微米 マイクロメートル",
        "nm": "nm nanometer nanometers nanometre nanómetro nanómetros nanomètre nanomètres нм "
        "нанометр нанометра нанометров 纳米 ナノメートル",
        "°C": "°c ℃ celsius 摄氏度 摂氏",
        "°F": "°f ℉ fahrenheit 华氏度 華氏",
        "min": "min minute minutes minuten minuto minutos минута минуты минут минуту 分钟 分間",
        "h": "hour hours stunde stunden hora horas heure heures час часа часов 小时 个小时 時間",
        "d": "day days tag tage tagen día días jour jours день дня дней дням сутки суток 天 日間",
        "w": "week weeks woche wochen semana semanas semaine semaines неделя недели недель неделю "
        "周 个星期 星期 週間 週",
        "mo": "month months monat monate monaten mes meses mois месяц месяца месяцев 个月 か月 "
        "ヶ月 カ月",
        "y": "year years jahr jahre jahren año años an ans année années год года лет "
        "годы годов 岁 歳",
        "s": "second seconds sekunde sekunden segundo segundos seconde secondes секунда секунды "
        "секунд 秒",
        "mmHg": "mmhg 毫米汞柱 水銀柱ミリメートル",
        "mmol": "mmol millimole millimoles milimol milimoles ммоль 毫摩尔 ミリモル",
        "$": "$ dollar dollars dólar dólares доллар доллара долларов 美元 ドル",
        "€": "€ euro euros евро 欧元 ユーロ",
    }.items()
    for spelling in spellings.split()
}
