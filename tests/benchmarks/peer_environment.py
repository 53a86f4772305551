"""The virtual environment in which the peers are installed, made when it is first asked for."""

import subprocess
import sys
import venv
from functools import cache
from pathlib import Path

PINS = Path(__file__).with_name("peers.txt")
PINS_ALONE = Path(__file__).with_name("peers_alone.txt")


@cache
def peer_python(folder: Path) -> str:
    """The interpreter of the environment, with the pinned versions and no others installed."""
    python = folder / "bin" / "python"
    stamp = folder / "installed.txt"
    pins = "".join(path.read_text("utf-8") for path in (PINS, PINS_ALONE))
    if not stamp.is_file() or stamp.read_text("utf-8") != pins:
        sys.stderr.write(f"installing the peers of {PINS.name} into {folder}\n")
        venv.create(folder, clear=True, with_pip=True)
        install = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*install, "--requirement", str(PINS)], check=True)
        subprocess.run([*install, "--no-deps", "--requirement", str(PINS_ALONE)], check=True)
        stamp.write_text(pins, "utf-8")
    return str(python)
