"""Measures speed and memory: ``python -m tests.benchmarks [NAME…]``."""

import sys

from tests.benchmarks.registry import main

sys.exit(main(sys.argv[1:]))
