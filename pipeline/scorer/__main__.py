"""``python -m pipeline.scorer RELEASE RUN…``, the same as ``mmed-bench score``."""

import sys

from pipeline.scorer.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
