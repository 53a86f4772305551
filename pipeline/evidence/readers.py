"""The table of readers: the names that a plan may use for a source of evidence."""

from pipeline.evidence.base import Reader
from pipeline.evidence.beir import Beir
from pipeline.evidence.bioasq import BioAsq
from pipeline.evidence.medquad import MedQuad
from pipeline.evidence.mmedbench import MMedBench
from pipeline.evidence.pubmed import PubMed
from pipeline.evidence.pubmedqa import PubMedQa

READERS: dict[str, type[Reader]] = {
    "beir": Beir,
    "bioasq": BioAsq,
    "medquad": MedQuad,
    "mmedbench": MMedBench,
    "pubmed": PubMed,
    "pubmedqa": PubMedQa,
}
