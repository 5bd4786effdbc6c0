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


def shows_rows(output: Output, block: Block) -> bool:
    """Whether a printed block is what the code before it shows of its data, and nothing else."""
    before = (b for b in reversed(output.blocks) if b.start < block.start and b.kind == "code")
    code = next(before, None)
    if code is None or _SHOWS.search(code.text[-_LONGEST:]) is None:
        return False
    return sum(code.text.count(call) for call in _PRINTS) <= 1
