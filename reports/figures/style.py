"""How every figure is drawn: the style file, the palette, SVG and PNG with stable bytes."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from grader.invisible import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

log = logging.getLogger("grader")
STYLE_FILE = Path(__file__).with_name("report.mplstyle")
INK, MUTED, GRID, PAPER = "#1b1b1a", "#666665", "#dcdcdb", "#fffffe"

# Okabe and Ito's colours, which stay apart for the common kinds of colour blindness; each is
# paired with a dash pattern or a marker wherever lines meet, so that grey prints can be read.
BLUE, ORANGE, GREEN, RED, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9"
OUTCOME_COLOURS = {
    "clean": BLUE,
    "error_recovered": SKY,
    "nudge_recovered": ORANGE,
    "failed": "#8c8c8b",
    "unknown": "#d0d0cf",
}
OUTCOME_HATCHES = {
    "clean": "",
    "error_recovered": "//",
    "nudge_recovered": "",
    "failed": "xx",
    "unknown": "..",
}


class Picture(NamedTuple):
    """A figure as files. `alt` says in words what it shows."""

    name: str
    title: str
    caption: str
    alt: str
    svg: str
    png: bytes


@contextmanager
def styled(name: str) -> Iterator[None]:
    """Draw in the report's style; `name` makes the ids generated in the SVG unique and stable."""
    import matplotlib as mpl

    with mpl.rc_context(fname=STYLE_FILE):
        mpl.rcParams["svg.hashsalt"] = name
        yield


def new_figure(width: float = 7.2, height: float = 3.6) -> Figure:
    """An empty figure of `width` × `height` inches, unknown to matplotlib's global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def wrapped(name: str, width: int) -> str:
    """A name in at most three lines of `width` characters; the middle of a longer one is left
    out."""
    shown, most = one_line(name), 3 * width
    if len(shown) > most:
        shown = f"{shown[: most // 2 - 1]}…{shown[-(most // 2 - 1) :]}"
    lines = wrap(shown, width)
    if len(lines) > 3:  # too much is lost by lines that end with a word
        lines = [shown[start : start + width] for start in range(0, len(shown), width)]
    return "\n".join(lines)


def picture(figure: Figure, name: str, title: str, caption: str, alt: str) -> Picture:
    """Render to SVG and PNG, without date or version, so that equal data give equal bytes. Says so
    once if the font lacks characters of a name."""
    svg, png = io.StringIO(), io.BytesIO()
    with warnings.catch_warnings(record=True) as said:
        figure.savefig(svg, format="svg", facecolor=PAPER, metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", metadata={"Software": None})
    lacking = [one for one in said if str(one.message).startswith("Glyph ")]
    for one in said:
        if one not in lacking:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if lacking:
        log.warning("figure %s: the PNG shows some characters as boxes; the SVG has them", name)
    return Picture(name, title, caption, alt, svg.getvalue(), png.getvalue())
