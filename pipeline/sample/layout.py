"""The tables of a Metathesaurus release, column by column, as the sample lays them out."""

from typing import NamedTuple


class Column(NamedTuple):
    """A column's name, what it holds and its type in MRCOLS."""

    name: str
    meaning: str
    data_type: str


class Table(NamedTuple):
    """A file of the release, what it holds and its columns in order."""

    meaning: str
    columns: tuple[Column, ...]


_CUI = Column("CUI", "Concept", "char(8)")
_AUI = Column("AUI", "Atom", "varchar(9)")
_ATUI = Column("ATUI", "Attribute", "varchar(11)")
_SAB = Column("SAB", "Source", "varchar(40)")
_TTY = Column("TTY", "Kind of name within its source", "varchar(40)")
_SRL = Column("SRL", "Restriction level of the source", "integer")
_SUPPRESS = Column("SUPPRESS", "Whether and why not to be shown", "char(1)")
_CVF = Column("CVF", "Content views, a bit mask", "integer")
_FIL = Column("FIL", "File", "varchar(50)")
_DES = Column("DES", "Description", "varchar(200)")

LAYOUT: dict[str, Table] = {
    "MRCONSO": Table(
        "Names of concepts",
        (
            _CUI,
            Column("LAT", "Language", "char(3)"),
            Column("TS", "Whether the lexical group is the concept's preferred one", "char(1)"),
            Column("LUI", "Lexical group", "varchar(10)"),
            Column("STT", "Whether the string is its group's preferred form", "varchar(3)"),
            Column("SUI", "String", "varchar(10)"),
            Column("ISPREF", "Whether the atom is the string's preferred one", "char(1)"),
            _AUI,
            Column("SAUI", "Atom as its source numbers it", "varchar(50)"),
            Column("SCUI", "Concept as its source numbers it", "varchar(100)"),
            Column("SDUI", "Descriptor as its source numbers it", "varchar(100)"),
            _SAB,
            _TTY,
            Column("CODE", "Code within the source", "varchar(100)"),
            Column("STR", "Name", "varchar(3000)"),
            _SRL,
            _SUPPRESS,
            _CVF,
        ),
    ),
    "MRREL": Table(
        "Relations between concepts: what the second is to the first",
        (
            Column("CUI1", "First concept", "char(8)"),
            Column("AUI1", "Atom of the first concept", "varchar(9)"),
            Column("STYPE1", "What the first end is attached to", "varchar(50)"),
            Column("REL", "What the second concept is to the first", "varchar(4)"),
            Column("CUI2", "Second concept", "char(8)"),
            Column("AUI2", "Atom of the second concept", "varchar(9)"),
            Column("STYPE2", "What the second end is attached to", "varchar(50)"),
            Column("RELA", "The relation in finer words", "varchar(100)"),
            Column("RUI", "Relation", "varchar(10)"),
            Column("SRUI", "Relation as its source numbers it", "varchar(50)"),
            _SAB,
            Column("SL", "Source of the relation's label", "varchar(40)"),
            Column("RG", "Group of relations", "varchar(10)"),
            Column("DIR", "Direction as the source asserts it", "varchar(1)"),
            _SUPPRESS,
            _CVF,
        ),
    ),
    "MRSTY": Table(
        "Semantic types of concepts",
        (
            _CUI,
            Column("TUI", "Semantic type", "char(4)"),
            Column("STN", "Place of the type in the tree of types", "varchar(100)"),
            Column("STY", "Name of the semantic type", "varchar(50)"),
            _ATUI,
            _CVF,
        ),
    ),
    "MRDEF": Table(
        "Definitions of concepts",
        (
            _CUI,
            _AUI,
            _ATUI,
            Column("SATUI", "Attribute as its source numbers it", "varchar(50)"),
            _SAB,
            Column("DEF", "Definition", "varchar(16000)"),
            _SUPPRESS,
            _CVF,
        ),
    ),
    "MRSAB": Table(
        "Sources",
        (
            Column("VCUI", "Concept of the versioned source", "char(8)"),
            Column("RCUI", "Concept of the source without version", "char(8)"),
            Column("VSAB", "Versioned source", "varchar(40)"),
            Column("RSAB", "Source without version", "varchar(40)"),
            Column("SON", "Official name", "varchar(3000)"),
            Column("SF", "Family of sources", "varchar(40)"),
            Column("SVER", "Version", "varchar(40)"),
            Column("VSTART", "First day of the version", "char(8)"),
            Column("VEND", "Last day of the version", "char(8)"),
            Column("IMETA", "Release in which the version came", "varchar(10)"),
            Column("RMETA", "Release in which the version went", "varchar(10)"),
            Column("SLC", "Whom to ask for a licence", "varchar(1000)"),
            Column("SCC", "Whom to ask about content", "varchar(1000)"),
            _SRL,
            Column("TFR", "Number of names", "integer"),
            Column("CFR", "Number of concepts", "integer"),
            Column("CXTY", "Kind of hierarchy", "varchar(50)"),
            Column("TTYL", "Kinds of names", "varchar(400)"),
            Column("ATNL", "Kinds of attributes", "varchar(4000)"),
            Column("LAT", "Language", "char(3)"),
            Column("CENC", "Character encoding", "varchar(20)"),
            Column("CURVER", "Whether this version is the current one", "char(1)"),
            Column("SABIN", "Whether the source is in this release", "char(1)"),
            Column("SSN", "Short name", "varchar(3000)"),
            Column("SCIT", "Citation", "varchar(4000)"),
        ),
    ),
    "MRRANK": Table(
        "Precedence of sources and kinds of names",
        (Column("RANK", "Rank, the higher the better", "integer"), _SAB, _TTY, _SUPPRESS),
    ),
    "MRCUI": Table(
        "Retired concepts and what became of them",
        (
            Column("CUI1", "Retired concept", "char(8)"),
            Column("VER", "Last release that held it", "varchar(10)"),
            Column("REL", "What the second concept is to the retired one", "varchar(4)"),
            Column("RELA", "The relation in finer words", "varchar(100)"),
            Column("MAPREASON", "Reason", "varchar(4000)"),
            Column("CUI2", "Current concept", "char(8)"),
            Column("MAPIN", "Whether the current concept is in this release", "char(1)"),
        ),
    ),
    "MRFILES": Table(
        "Files of the release",
        (
            _FIL,
            _DES,
            Column("FMT", "Columns, comma separated", "varchar(300)"),
            Column("CLS", "Number of columns", "integer"),
            Column("RWS", "Number of rows", "integer"),
            Column("BTS", "Size in bytes", "integer"),
        ),
    ),
    "MRCOLS": Table(
        "Columns of the files",
        (
            Column("COL", "Column", "varchar(40)"),
            _DES,
            Column("REF", "Section of the documentation", "varchar(30)"),
            Column("MIN", "Shortest value in characters", "integer"),
            Column("AV", "Mean length in characters", "numeric(5,2)"),
            Column("MAX", "Longest value in characters", "integer"),
            _FIL,
            Column("DTY", "Data type", "varchar(40)"),
        ),
    ),
}
