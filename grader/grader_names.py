"""The names of the graders, and the suffix of graders that read fewer steps.

A grader that read only the steps before the first nudge is recorded under its name and a suffix:
`cascade:before_nudge`.
"""

from __future__ import annotations

HEURISTIC, KEYWORD, BLIND = "strict_heuristic", "strict_keyword", "strict_blind"
LENIENT, CASCADE = "lenient", "cascade"
STRICT = (HEURISTIC, KEYWORD, BLIND)
GRADERS = (*STRICT, LENIENT)
STRICT_LAYER = (KEYWORD, BLIND, HEURISTIC)  # the cascade uses the first of these that graded
BEFORE_NUDGE = ":before_nudge"


def suffix_for(*, before_nudge: bool) -> str:
    """The suffix of a pass's grader names: `:before_nudge`, or "" if it reads all steps."""
    return BEFORE_NUDGE if before_nudge else ""


def is_before_nudge(grader: str) -> bool:
    """Whether a recorded name belongs to a grader that read only the steps before the first
    nudge."""
    return grader.endswith(BEFORE_NUDGE)


def suffix_of(grader: str) -> str:
    """The suffix of a recorded name, empty for a grader that read all steps."""
    return suffix_for(before_nudge=is_before_nudge(grader))


def base_name(grader: str) -> str:
    """The grader's own name, without the suffix: `cascade` for `cascade:before_nudge`."""
    return grader.removesuffix(BEFORE_NUDGE)
