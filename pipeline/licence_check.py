"""What a Metathesaurus says of licences: of a plan before it is built, of a release afterwards."""

from pipeline.stages.concepts import Meta
from pipeline.stages.filesystems import open_file
from umls_tools.gate_table import GATE_COLUMNS, GateTable, gate_table
from umls_tools.rrf import read_batches


def survey(meta: Meta) -> GateTable:
    """What the plan's gate leaves and takes, in one pass over MRCONSO."""
    rows = read_batches(meta.tables["MRCONSO"], GATE_COLUMNS, open_file)
    return gate_table(rows, meta.assembly.gate)
