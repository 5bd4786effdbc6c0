"""A matplotlib figure made part of a page."""

from __future__ import annotations

import re

from markupsafe import Markup

from grader.invisible import displayable

from .figures.style import GRID, INK, MUTED, PAPER, Picture

_COLOURS = {INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--grid)", PAPER: "var(--paper)"}


def inline_svg(figure: Picture) -> Markup:
    """A figure for the page: no prolog, ids of its own, the page's colours, words for readers
    who cannot see it."""
    svg = figure.svg[figure.svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    size = re.search(r'<svg[^>]* width="([0-9.]+)pt"', svg)
    points = float(size[1]) if size else 500.0
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{figure.name}-", svg)
    for colour, variable in _COLOURS.items():
        svg = svg.replace(colour, variable)
    label = Markup('<svg role="img" aria-label="{}" style="min-width:{:.0f}px;max-width:{:.0f}px"')
    label = label.format(displayable(figure.alt), points, 1.7 * points)
    return Markup(svg.replace("<svg", str(label), 1))
