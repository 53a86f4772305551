"""The fifteen groups of the UMLS semantic types."""

from collections import Counter
from collections.abc import Iterable

import pyarrow as pa

from umls_tools.rows import Rows
from umls_tools.selection import Selected, Sieve

STY_SCHEMA = pa.schema({"tui": pa.string()})

# Source: the Semantic Network's groups (McCray 2001) as of the network's 127 types of 2018, and
# the types that earlier networks had, which old releases still carry.
_GROUP_MEMBERS = {
    "ACTI": "T051 T052 T053 T054 T055 T056 T057 T064 T066",
    "ANAT": "T017 T018 T021 T022 T023 T024 T025 T026 T029 T030 T031",
    "CHEM": (
        "T103 T104 T109 T114 T116 T120 T121 T122 T123 T125 T126 T127 T129 T130 T131 T192 T195 "
        "T196 T197 T200"
    ),
    "CONC": "T077 T078 T079 T080 T081 T082 T089 T102 T169 T170 T171 T185",
    "DEVI": "T074 T075 T203",
    "DISO": "T019 T020 T033 T037 T046 T047 T048 T049 T050 T184 T190 T191",
    "GENE": "T028 T085 T086 T087 T088",
    "GEOG": "T083",
    "LIVB": (
        "T001 T002 T004 T005 T007 T008 T010 T011 T012 T013 T014 T015 T016 T096 T097 T098 T099 "
        "T100 T101 T194 T204"
    ),
    "OBJC": "T071 T072 T073 T167 T168",
    "OCCU": "T090 T091",
    "ORGA": "T092 T093 T094 T095",
    "PHEN": "T034 T038 T067 T068 T069 T070",
    "PHYS": "T032 T039 T040 T041 T042 T043 T044 T045 T201",
    "PROC": "T058 T059 T060 T061 T062 T063 T065",
}
_RETIRED_MEMBERS = {
    "CHEM": "T110 T111 T115 T118 T119 T124",
    "LIVB": "T003 T006 T009",
}

GROUPS: dict[str, str] = {
    tui: group
    for members in (_GROUP_MEMBERS, _RETIRED_MEMBERS)
    for group, tuis in members.items()
    for tui in tuis.split()
}


def group_of(tuis: Iterable[str]) -> str:
    """Return the group of most of the types, the alphabetically first of equals; "" if none."""
    counts = Counter(GROUPS[tui] for tui in sorted(set(tuis)) if tui in GROUPS)
    return min(counts, key=lambda group: (-counts[group], group), default="")


def select_types(rows: Rows) -> tuple[Selected, Counter[str]]:
    """All rows of MRSTY, with STY_SCHEMA; a blank type is ``blank_type``."""
    sieve = Sieve(rows)
    sieve.keep("blank_type", lambda types, places: types.lengths("TUI", places) > 0)
    kept = {"tui": rows.strings("TUI", sieve.places)}
    return sieve.selected("CUI", kept), sieve.left_out
