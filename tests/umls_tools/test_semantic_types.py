import itertools
from collections import Counter

import pytest

from umls_tools.files import TableFile
from umls_tools.rrf import read_batches
from umls_tools.semantic_types import GROUPS, group_of

RETIRED = {"T003", "T006", "T009", "T110", "T111", "T115", "T118", "T119", "T124"}


def test_the_network_has_127_types_in_15_groups() -> None:
    present = {tui: group for tui, group in GROUPS.items() if tui not in RETIRED}
    assert len(present) == 127
    assert Counter(present.values()) == {
        **{"ACTI": 9, "ANAT": 11, "CHEM": 20, "CONC": 12, "DEVI": 3, "DISO": 12, "GENE": 5},
        **{"GEOG": 1, "LIVB": 21, "OBJC": 5, "OCCU": 2, "ORGA": 4, "PHEN": 6, "PHYS": 9},
        "PROC": 7,
    }


@pytest.mark.parametrize(
    ("tuis", "group"),
    [
        (["T047"], "DISO"),
        (["T121", "T109"], "CHEM"),
        (["T028", "T121", "T116"], "CHEM"),
        (["T116", "T028"], "CHEM"),
        (["T047", "T999"], "DISO"),
        (["T118"], "CHEM"),
        (["T999"], ""),
        ([], ""),
    ],
)
def test_groups(tuis: list[str], group: str) -> None:
    for order in itertools.permutations(tuis):
        assert group_of(order) == group


def test_every_type_of_the_open_metathesaurus_is_known(
    openmeta_paths: dict[str, TableFile],
) -> None:
    batches = read_batches(openmeta_paths["MRSTY"], ("CUI", "TUI"))
    assert {tui for batch in batches for tui in batch.column("TUI").to_pylist()} <= GROUPS.keys()
