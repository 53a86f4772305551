"""Writes a release the way other tools of the field want it: BEIR, TREC, MTEB, ir_datasets.

Each export is a folder that is written beside its place and renamed; the same release gives the
same bytes.
"""

from pipeline.export.beir import export_beir
from pipeline.export.ir_datasets_module import export_ir_datasets
from pipeline.export.mteb_module import export_mteb
from pipeline.export.trec import export_trec

__all__ = ["export_beir", "export_ir_datasets", "export_mteb", "export_trec"]
