"""Upper limits of a p-value that an output states instead of its value: `p < 0.001`."""

from __future__ import annotations

import re

from ..text import Block
from ..text.formats import BlockKind
from .parts import Marked
from .scan import Scan

_SIGN = re.compile(r"(?:[<≤]=?|\\leq?|\\lt)\s?\$?\s?$")
# p, the p-value is, $p; the answer; or nothing at all, as in `<0.001`.
_OF_P = re.compile(
    r"""
    (?: \b p (?: [\s_-]? val (?: ue )? )? (?! [\w-] ) [^.;,\n0-9<>]{0,30}
      | \b answer (?: \s is )? [\s:*_`$]{0,6} | \\boxed\{ \s? | \A \W* ) $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DENIED = re.compile(r"\b(?:not|never)\b|n['’]t\b", re.IGNORECASE)
_NEAR = 24  # characters before a limit in which it is denied
_VERBAL: tuple[BlockKind, ...] = ("prose", "answer")


def stated_limit(scan: Scan) -> tuple[Block, Marked] | None:
    """The highest upper limit that an output states for a p-value, with its block: of the printed
    output only if its words state none; None if there is no limit."""
    for kinds in (_VERBAL, ("execution",)):
        found = [
            (block, mark)
            for block in scan.output.blocks
            if block.kind in kinds
            for mark in scan.marks(block)
            if mark.number.bounded and _is_upper_of_p(mark.context.before)
        ]
        if found:
            return max(found, key=lambda one: one[1].number.value)
    return None


def _is_upper_of_p(before: str) -> bool:
    sign = _SIGN.search(before)
    said = _OF_P.search(before, 0, sign.start()) if sign else None
    return said is not None and _DENIED.search(before, max(0, said.start() - _NEAR)) is None
