"""Grounding a judge's answer: whether the agent itself gave it."""

from __future__ import annotations

from ..extraction.options.choices import find_options
from ..grounding import Grounding, ground_number, ground_wording, unmarked
from ..numbers import Quantity, find_numbers
from ..records import Task
from .case import Case
from .reply import Answer, Option, Unclear


def ground(answer: Answer, case: Case) -> Grounding | None:
    """The form in which the agent's own output holds the answer; None if it does not."""
    for text in case.agent_texts():
        if grounding := _ground_in(text, answer, case.task):
            return grounding
    return None


def holds_quote(case: Case, quote: str) -> bool:
    """Whether a sentence stands in the agent's own output, whatever its spacing and markup."""
    needle = unmarked(quote)
    return any(needle in unmarked(text) for text in case.agent_texts())


def _ground_in(text: str, answer: Answer, task: Task) -> Grounding | None:
    if isinstance(answer, Quantity):
        return ground_number(answer, text)
    if isinstance(answer, Unclear):
        return None
    if isinstance(answer, Option):
        named = find_options(text, task)
        return "wording" if any(c.value == answer.canonical for c in named) else None
    numbers = find_numbers(answer.text)
    if (found := ground_wording(answer.text, text)) or not numbers:
        return found
    grounds = [ground_number(number, text) for number in numbers]
    return None if None in grounds else grounds[0]
