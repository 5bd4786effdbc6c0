"""Asking a model whether the printed and the written answer of a step agree.

Reports compare them by tolerance (`instrument.halves_agree`); this is the optional second reading
for steps whose halves extraction cannot compare (Zheng & Hsu 2026, section 3).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ..llm.request import ChatRequest, Failure, Reply
from ..text import split_output
from .case import Case
from .fence import fence, fence_code
from .reply import read_yes_no

LONGEST_HALF = 6000  # characters of each half that are shown, from its end


def compare_halves(
    case: Case,
) -> Generator[ChatRequest, Reply | Failure, list[dict[str, Any]]]:
    """One row per step that has both halves: `step` (counted from 1), `agree` (True, False,
    None = unclear or not answered) and the raw `reply`."""
    rows: list[dict[str, Any]] = []
    for number, step in enumerate(case.steps, 1):
        output = split_output(step.raw_output)
        if not (output.execution.strip() and output.verbal.strip()):
            continue
        execution, verbal = output.execution[-LONGEST_HALF:], output.verbal[-LONGEST_HALF:]
        code = fence_code(execution + "\x00" + verbal)
        result = yield case.request(
            "consistency",
            "consistency",
            execution=fence(execution, code, "PRINTED"),
            verbal=fence(verbal, code, "WRITTEN"),
            code=code,
        )
        if isinstance(result, Failure):
            rows.append({"step": number, "agree": None, "reply": None, "reason": result.kind})
            continue
        agree = None if result.is_cut_off else read_yes_no(result.text)
        rows.append({"step": number, "agree": agree, "reply": result.text})
    return rows
