"""Sections of an output: the blocks under a heading that announces the answer."""

from __future__ import annotations

import re

from .blocks import Block

_CONCLUDING = re.compile(
    r"\W{0,8}(?:(?:step\s)?\d{1,2}[.):–-]{0,2}\s)?\W{0,8}(?:the |my |overall |short |executive )?"
    r"(?:final (?:answer|result|estimate|value)|answer|conclusions?|concluding remarks?|summary"
    r"|bottom line|take-?aways?|verdict|tl;?dr|in short|in summary|in conclusion)\b"
    r"(?=[^\n.:*#]{0,30}(?:[:*#\n]|$))",
    re.IGNORECASE,
)
_LONGEST_HEADING = 150
_HEADING = re.compile(r"\s*(?:#{1,6}\s|(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__)[:.]?\s*(?:\n|$))")


def concluding_blocks(blocks: tuple[Block, ...]) -> frozenset[int]:
    """Offsets of the blocks of prose under a heading like "Summary" or "Conclusion:", up to the
    next heading, code or output."""
    found: set[int] = set()
    concluding = False
    for block in blocks:
        if block.kind != "prose":
            concluding = False
        elif _CONCLUDING.match(block.text, 0, _LONGEST_HEADING):
            concluding = True
        elif _HEADING.match(block.text, 0, _LONGEST_HEADING):
            concluding = False
        if concluding:
            found.add(block.start)
    return frozenset(found)
