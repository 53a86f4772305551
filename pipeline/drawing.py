"""Pictures as PNG, the same bytes for the same figures and the same version of matplotlib.

Drawn without pyplot, so that neither a display nor the user's own settings have a say.
"""

import io
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXTRA = "plots"
DPI = 150
# One colour a series; they differ in lightness, too.
COLOURS = (
    *("#1f77a4", "#c8553d", "#3d8b46", "#8358b0", "#a87400"),
    *("#c2478f", "#0b8a8a", "#6b6b6b", "#4f63c4", "#8a5a3c"),
)
MARKS = ("o", "s", "D", "^")
QUIET, LINE = "#55616c", "#d9dee3"
_SETTINGS = {"font.family": "DejaVu Sans", "font.size": 9, "axes.spines.top": False,
             "axes.spines.right": False}  # fmt: skip


def can_draw() -> bool:
    """Whether matplotlib, of the extra ``plots``, is installed."""
    return find_spec("matplotlib") is not None


class Canvas:
    """A picture of some panels, one beside the other; sizes are in inches."""

    def __init__(self, width: float, height: float, panels: int = 1) -> None:
        """An empty picture; raises ModuleNotFoundError without the extra ``plots``."""
        from matplotlib import rc_context, rcParamsDefault  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415

        self.settings = {key: value for key, value in rcParamsDefault.items() if key != "backend"}
        self.settings.update(_SETTINGS)
        with rc_context(self.settings):
            self.figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
            self.panels: Sequence[Axes] = self.figure.subplots(1, panels, squeeze=False)[0].tolist()

    def png(self) -> bytes:
        """The picture, without the date or the software's name in it."""
        from matplotlib import rc_context  # noqa: PLC0415
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415

        target = io.BytesIO()
        with rc_context(self.settings):
            FigureCanvasAgg(self.figure).print_png(target, metadata={"Software": None})
        return target.getvalue()
