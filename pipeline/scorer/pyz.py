"""Pack the scorer into one file that Python runs, to lie in every release."""

import zipfile
from pathlib import Path

PACKAGE = Path(__file__).parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can hold
READABLE = 0o100644 << 16
UNIX = 3

MAIN = '''"""Score run files against the release in which this file lies."""

import sys
from pathlib import Path

from pipeline.scorer.cli import main_beside

if __name__ == "__main__":
    sys.exit(main_beside(sys.argv[1:], Path(__file__).resolve().parents[1]))
'''


def write_pyz(path: Path) -> None:
    """Write the scorer's modules and a starting point; equal sources give equal bytes.

    Stored uncompressed, since compressed bytes differ between versions of zlib.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(_modules().items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = READABLE
            entry.create_system = UNIX
            archive.writestr(entry, content)


def _modules() -> dict[str, bytes]:
    root = PACKAGE.parent
    files = [root / "__init__.py", *PACKAGE.glob("*.py")]
    named = {file.relative_to(root.parent).as_posix(): file.read_bytes() for file in files}
    return named | {"__main__.py": MAIN.encode()}
