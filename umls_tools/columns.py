"""The columns of the Metathesaurus tables that the project reads, in file order."""

# Source: Metathesaurus Rich Release Format, UMLS Reference Manual, chapter 3, and MRFILES.RRF.
_HEADERS = {
    "MRCONSO": (
        "CUI LAT TS LUI STT SUI ISPREF AUI SAUI SCUI SDUI SAB TTY CODE STR SRL SUPPRESS CVF"
    ),
    "MRREL": "CUI1 AUI1 STYPE1 REL CUI2 AUI2 STYPE2 RELA RUI SRUI SAB SL RG DIR SUPPRESS CVF",
    "MRSTY": "CUI TUI STN STY ATUI CVF",
    "MRDEF": "CUI AUI ATUI SATUI SAB DEF SUPPRESS CVF",
    "MRSAB": (
        "VCUI RCUI VSAB RSAB SON SF SVER VSTART VEND IMETA RMETA SLC SCC SRL TFR CFR CXTY TTYL "
        "ATNL LAT CENC CURVER SABIN SSN SCIT"
    ),
    "MRRANK": "RANK SAB TTY SUPPRESS",
    "MRCUI": "CUI1 VER REL RELA MAPREASON CUI2 MAPIN",
    "MRFILES": "FIL DES FMT CLS RWS BTS",
    "CHANGE/MERGEDCUI": "PCUI CUI",
    "CHANGE/DELETEDCUI": "PCUI PSTR",
}

COLUMNS: dict[str, tuple[str, ...]] = {
    table: tuple(header.split()) for table, header in _HEADERS.items()
}

# Where a CUI must stand; in order of the first of them the rows of these files are sorted.
CUI_COLUMNS: dict[str, tuple[str, ...]] = {
    "MRCONSO": ("CUI",),
    "MRREL": ("CUI1", "CUI2"),
    "MRSTY": ("CUI",),
    "MRDEF": ("CUI",),
}
