"""Grounding a judge's answer: whether the agent itself gave it."""

from __future__ import annotations

import re
from functools import lru_cache

from ..extraction.mentions.finding import lists
from ..extraction.options.choices import find_options, normalise_option, options
from ..extraction.refusals import refuses
from ..grounding import Grounding, ground_number, ground_wording, quoted_sentence, unmarked
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
    """Whether a quote is a sentence of the agent's own words that may settle on an answer: no code
    or printed output, no question, no refusal, and nothing that only repeats the task or lists its
    options."""
    asked = unmarked(f"{case.task.question}\n{case.task.context}")
    for text in case.agent_words():
        sentence = quoted_sentence(quote, text)
        if sentence is None or sentence.endswith("?") or sentence.strip(".!") in asked:
            continue
        if not (refuses(sentence) or _only_names_options(sentence, case.task)):
            return True
    return False


def _only_names_options(sentence: str, task: Task) -> bool:
    """Whether a sentence is an option's own wording, of a list then, or a list of options."""
    named = {mention.value for mention in find_options(sentence, task)}
    is_list = len(named) > 1 and not _chosen(sentence, task)
    return is_list or normalise_option(sentence, task) is not None


def _chosen(text: str, task: Task) -> set[object]:
    """The options that a text names on their own, not in a list of several."""
    known = options(task)
    text = _list_of(tuple(known.items())).sub(" ", text)
    groups = lists(text, find_options(text, task), known)
    values = [{mention.value for mention in group} for group in groups]
    return {one for of_group in values if len(of_group) == 1 for one in of_group}


@lru_cache(maxsize=128)
def _list_of(known: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """A pattern for a list of all options in their order, with or without letters."""
    marked = [rf"(?:\w{{1,2}}\W{{1,4}})?{re.escape(wording)}" for _, wording in known]
    between = r"\W{1,8}(?:(?:or|and)\W{1,4})?"
    return re.compile(rf"(?<!\w){between.join(marked)}(?!\w)", re.IGNORECASE)


def _ground_in(text: str, answer: Answer, task: Task) -> Grounding | None:
    if isinstance(answer, Quantity):
        return ground_number(answer, text)
    if isinstance(answer, Unclear):
        return None
    if isinstance(answer, Option):
        return "wording" if answer.canonical in _chosen(text, task) else None
    numbers = find_numbers(answer.text)
    if (found := ground_wording(answer.text, text)) or not numbers:
        return found
    grounds = [ground_number(number, text) for number in numbers]
    return None if None in grounds else grounds[0]
