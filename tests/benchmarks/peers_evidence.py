"""PubMed's files read by others: jobs that run where the peers are installed, without our code."""

import sys

from tests.benchmarks.timing import timed


def pubmed_parser(package: str, path: str) -> dict[str, int]:
    """Parse every citation of a file with pubmed_parser, which lies in a folder of its own.

    Among the peers' packages its own `tests` would stand in the place of ours.
    """
    sys.path.append(package)
    from pubmed_parser import parse_medline_xml

    with timed("read"):
        return {"citations": sum(1 for _ in parse_medline_xml(path))}
