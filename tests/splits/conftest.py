"""Makes the helper that writes small whole releases importable: tests are no package."""

import importlib.util
import sys
from pathlib import Path

_spec = importlib.util.spec_from_file_location(
    "audited_release", Path(__file__).with_name("audited_release.py")
)
assert _spec is not None
assert _spec.loader is not None
sys.modules["audited_release"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sys.modules["audited_release"])
