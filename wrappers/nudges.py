"""When to nudge: named rules over an instrumented step, tried in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.errors import unknown_name
from grader.make_task import with_kind
from grader.outcome import is_gradable
from grader.records import InstructionType, NudgeMode, Step, Task

Rule = Callable[[Step, Task], bool]

# An ambiguous region has no scalar either, so the more specific reason is tried first.
RULES: dict[str, Rule] = {
    "ambiguous": lambda step, task: bool(step.ambiguous_answer),
    "no_scalar": lambda step, task: not step.scalar_found,
    "no_verbal_scalar": lambda step, task: (
        step.verbal_scalar is None and with_kind(task).wants_number
    ),
}
DEFAULT_RULES: tuple[str, ...] = ("ambiguous", "no_scalar")

NUDGE_TYPES: dict[NudgeMode, InstructionType] = {"A": "nudge_original", "B": "nudge_generic"}


def check_rules(names: Sequence[str]) -> None:
    """Raise `UserError` for a rule name that does not exist."""
    for name in names:
        if name not in RULES:
            raise unknown_name("nudge rule", name, list(RULES))


def nudge_reason(step: Step, task: Task, rules: Sequence[str]) -> str | None:
    """The name of the first rule that asks for a nudge after this step; None if none does."""
    return next((name for name in rules if RULES[name](step, task)), None)


def nudge_log(steps: Sequence[Step], task: Task, rules: Sequence[str]) -> list[dict[str, object]]:
    """One entry per nudge sent: its step, counted from 1, the rule that asked for it (None if
    no step precedes it), and whether it recovered an answer.

    A nudge recovers if the last step that follows it before the next nudge has an answer.
    """
    sent = [number for number, step in enumerate(steps, 1) if step.is_nudge]
    lasts = [*(number - 1 for number in sent[1:]), len(steps)] if sent else []
    return [
        {
            "step": number,
            "type": steps[number - 1].instruction_type,
            "reason": nudge_reason(steps[number - 2], task, rules) if number > 1 else None,
            "recovered": is_gradable(steps[last - 1]),
        }
        for number, last in zip(sent, lasts, strict=True)
    ]
