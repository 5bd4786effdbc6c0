"""The LLM use report of a run: per case, each call with prompt, reply, tokens, cost and time.

Everything quoted from transcripts and models is in fenced blocks that it cannot close, so the
Markdown shows it as text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Any

from .errors import UserError
from .grader_names import BEFORE_NUDGE, LENIENT
from .invisible import encodable
from .llm.calls import LlmCall, read_calls
from .llm.usage import Usage
from .records import Grade
from .run import RunDirectory

_GRADERS = (LENIENT, LENIENT + BEFORE_NUDGE)


@dataclass(frozen=True)
class Report:
    """The report as Markdown, and its totals."""

    markdown: str
    summary: dict[str, Any]


def llm_report(run: RunDirectory, case: str | None = None, *, full: bool = False) -> Report:
    """The report of all LLM calls in a run, or for one task or transcript of it.

    full: with every message that was sent. Raises `UserError` if there is no such case.
    """
    grades: dict[str, list[Grade]] = defaultdict(list)
    order: dict[str, None] = {}  # in the order of strict grading, not of replies
    for transcript_id, found in run.grades_by_transcript().items():
        order[transcript_id] = None
        if judged := [found[name] for name in _GRADERS if name in found]:
            grades[transcript_id] = judged
    calls = _calls_by_case(run)
    asked = [i for i in [*order, *sorted(calls.keys() - order.keys())] if i in calls or i in grades]
    shown = [i for i in asked if _is_case(case, i, calls[i], grades[i])]
    if case is not None and not shown:
        raise UserError(
            f"{run.path}: no language model was asked about task or transcript {case!r}"
        )
    chosen = [call for identifier in shown for call in calls[identifier]]
    lines = [f"# LLM use: {case or run.path.name}", "", *_totals(chosen), ""]
    for identifier in shown:
        lines += _case(identifier, calls[identifier], grades[identifier], full=full)
    return Report(encodable("\n".join(lines) + "\n"), {"cases": len(shown), **_sums(chosen)})


def _calls_by_case(run: RunDirectory) -> dict[str, list[LlmCall]]:
    """Transcript id -> its calls, judge by judge, each judge's in the order they were made."""
    calls: dict[str, list[LlmCall]] = defaultdict(list)
    for call in read_calls(run.llm_calls_path):
        calls[call.transcript_id].append(call)
    for of_case in calls.values():
        of_case.sort(key=lambda call: (call.model, call.base_url))
    return calls


def _is_case(
    case: str | None, transcript_id: str, calls: list[LlmCall], grades: list[Grade]
) -> bool:
    tasks = {call.task_id for call in calls} | {grade.task_id for grade in grades}
    return case is None or case == transcript_id or case in tasks


def _sums(calls: list[LlmCall]) -> dict[str, Any]:
    return {
        **asdict(Usage.of(calls)),
        "models": sorted({call.model for call in calls}),
        "prompts": sorted({call.prompt_name for call in calls} - {""}),
    }


def _totals(calls: list[LlmCall]) -> list[str]:
    sums = _sums(calls)
    cost = "n/a" if sums["cost"] is None else f"${sums['cost']:.6f}"
    if sums["unpriced"]:
        cost += f" (without those of unknown price: {sums['unpriced']})"
    prompt, completion = _or_na(sums["prompt_tokens"]), _or_na(sums["completion_tokens"])
    tokens = f"{prompt} prompt, {completion} completion"
    if sums["uncounted"]:
        tokens += f" (without those that were not counted: {sums['uncounted']})"
    return [
        f"- calls paid for: {sums['calls']}; replies reused or replayed: {sums['reused']}; "
        f"failed: {sums['failed']}",
        f"- tokens: {tokens}",
        f"- cost: {cost}",
        f"- models: {_inline(', '.join(sums['models']) or 'none')}",
        f"- prompts (id, hash): {_inline(', '.join(sums['prompts']) or 'none recorded')}",
    ]


def _case(identifier: str, calls: list[LlmCall], grades: list[Grade], *, full: bool) -> list[str]:
    lines = [f"## {_inline(identifier)}", ""]
    for grade in grades:
        value = "" if grade.value is None else f", value {_inline(grade.value)}"
        lines += [f"{grade.grader}: **{grade.verdict}** ({_inline(grade.reason)}){value}", ""]
    for number, call in enumerate(calls, 1):
        lines += _call(number, call, full=full)
    return lines


def _call(number: int, call: LlmCall, *, full: bool) -> list[str]:
    rows = [
        ("purpose", call.purpose),
        ("prompt", call.prompt_name or "not recorded"),
        ("model", call.model + (f" (served as {call.served_model})" if call.served_model else "")),
        ("address", call.base_url or ("default" if call.messages else "n/a")),
        (
            "parameters",
            ", ".join(f"{k}={v:g}" for k, v in sorted(call.parameters.items())) or "n/a",
        ),
        ("source", call.source),
        ("tokens", f"{_or_na(call.prompt_tokens)} + {_or_na(call.completion_tokens)}"),
        ("cost", "n/a" if call.cost is None else f"${call.cost:.6f}"),
        ("latency", "n/a" if call.latency is None else f"{call.latency:.2f} s"),
        ("time", call.at),
    ]
    lines = [f"### Call {number}", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {_inline(value)} |" for name, value in rows]
    lines.append("")
    for failure in call.failed_attempts:
        lines += [f"failed attempt: {_inline(failure)}", ""]
    if full:
        for role, text in call.messages:
            lines += [f"{role}:", "", *_block(text), ""]
    lines += ["reply:", "", *_block(call.reply if call.reply is not None else "(none)"), ""]
    return lines


def _or_na(count: int | None) -> str:
    return "n/a" if count is None else str(count)


def _block(text: str) -> list[str]:
    """A code block whose fence is longer than any run of backticks in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + "text", text, fence]


def _inline(text: str) -> str:
    """Text in one line of Markdown, in code style, harmless in a table."""
    flat = re.sub(r"\s+", " ", text).replace("`", "'").replace("|", "¦")
    return f"`{flat[:300]}`"
