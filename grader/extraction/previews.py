"""Printed output that only shows rows of the data: `df.head()`."""

from __future__ import annotations

import re

from ..text import Block, Output

_SHOWS = re.compile(
    r"(?:^|\n)[ \t]*(?:print\(|display\()?(?:df|data|dataset)\w*\.(?:head|tail|sample)\([0-9]*\)\)?"
    r"\s*\Z"
)
_PRINTS = ("print(", "display(")
_LONGEST = 200  # characters of the last line of code that are looked at


def showing_rows(output: Output) -> frozenset[int]:
    """Where the printed blocks start that are what the code before them shows of its data, and
    nothing else."""
    found = set()
    shows = False
    for block in output.blocks:
        if block.kind == "code":
            shows = _only_shows_rows(block)
        elif shows and block.kind == "execution":
            found.add(block.start)
    return frozenset(found)


def _only_shows_rows(code: Block) -> bool:
    if _SHOWS.search(code.text[-_LONGEST:]) is None:
        return False
    return sum(code.text.count(call) for call in _PRINTS) <= 1
