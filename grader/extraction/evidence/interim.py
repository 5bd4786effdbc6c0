"""What is said before more code is run: an interim result, unless that only checks it."""

from __future__ import annotations

import re

from ...text import Block, Output
from ..parts import PLAIN, Weighed
from ..scan import Scan
from .weights import WEIGHTS

MUCH = 1.5  # of the weights of "overlap" and "focus"
_ROBUSTNESS = re.compile(
    r"\b(?:robustness|sensitivity|placebo|heterogeneity|falsification)\b[^\n]*\s*\Z", re.IGNORECASE
)
_LONGEST_LEAD = 200


def codes_before_results(scan: Scan) -> list[int]:
    """Where each code begins, if prose with a number follows the last one: what was said before
    that is an interim result. Else none. A last code that prose announces as a check of the answer
    does not count."""
    for block in reversed(scan.output.blocks):
        if block.kind == "code":
            return []
        if block.kind == "prose" and scan.standing(block) == PLAIN:
            return _codes_for_results(scan.output)
    return []


def _codes_for_results(output: Output) -> list[int]:
    """Where each code begins that is not, at the end, for the robustness of a result."""
    codes = [place for place, block in enumerate(output.blocks) if block.kind == "code"]
    while codes and codes[-1] > 0 and _is_for_robustness(output.blocks[codes[-1] - 1]):
        codes.pop()
    return [output.blocks[place].start for place in codes]


def _is_for_robustness(block: Block) -> bool:
    """Whether prose before code ends with `Bandwidth sensitivity:` or the like."""
    return block.kind == "prose" and _ROBUSTNESS.search(block.text[-_LONGEST_LEAD:]) is not None


def add_interim(found: list[Weighed], first: int, end: int) -> None:
    """Add the evidence against what was said before the last code, unless code printed it and it
    says much more of what is asked for than what was said after it, or stands before all code, as
    the headline of a report does. first, end: where the first and the last code begin."""
    said = [one for one in found if one.block.kind == "prose"]
    after = max((aboutness(one) for one in said if one.block.start >= end), default=0.0)
    for one in said:
        is_printed = "printed" in one.evidence
        is_above = is_printed and one.block.start < first
        if is_above and one.block.text.startswith("#"):
            one.evidence["headline"] = WEIGHTS["headline"]
        is_final = is_above or (is_printed and aboutness(one) > after + MUCH)
        if one.block.start < end and not is_final:
            one.evidence["interim"] = WEIGHTS["interim"]


def aboutness(weighed: Weighed) -> float:
    """How much the sentence of a number is about what is asked for."""
    return weighed.evidence.get("overlap", 0.0) + weighed.evidence.get("focus", 0.0)
