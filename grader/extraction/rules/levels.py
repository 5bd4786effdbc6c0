"""Levels of confidence and significance."""

from __future__ import annotations

import re

from ..question import Question
from ..question.topics import has_any
from .context import Context

_LEVEL_AFTER = re.compile(
    r"[\s-]*+(?:(?:two|one)-sided\s++)?(?:(?:[tzbw]|bootstrap|wald|normal)\s++)?"
    r"(?:confidence|conf\b|CI\b|CIs\b|credible|prediction|significance|level|interval|sure\b"
    r"|certain)",
    re.IGNORECASE,
)
_LEVEL_BEFORE = re.compile(
    r"(?:α|alpha|significance level|level of significance|confidence level|confidence of"
    r"|confidence coefficient|conf(?:_level)?|significan(?:t|ce)(?= at)"
    r"|(?:rejected|rejects?|levels?),?(?: (?:and|but|or|though|not|also|even|it|this|here)){0,3}"
    r"(?= at))"
    r"\s*+\(?\s*+(?:of|=|:|is|at|≈)?\s*+(?:α|alpha)?\s*+=?\s*+$",
    re.IGNORECASE,
)
_LEVEL_HINTS = ("α", "alpha", "level", "conf", "can", "reject")  # "can" of significant, -ce
LEVELS: frozenset[float] = frozenset({80, 90, 95, 98, 99, 99.9, 99.5, 5, 1, 10, 0.1, 0.2} | {
    0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 0.995, 0.05, 0.01, 0.001, 0.005, 0.025, 0.975,
})  # fmt: skip
_BOUND_HEADING = re.compile(r"\[0\.\d+\s+0\.9\d*\]")  # `[0.025  0.975]` over a printed table


def wants_no_level(question: Question) -> bool:
    """True unless a level of confidence or significance is asked for."""
    return "level" not in question.topics


def is_level(context: Context) -> bool:
    """A level of confidence or significance: `95% CI`, `at the 5 % level`, `α = 0.05`."""
    if context.number.value not in LEVELS:
        return False
    if _LEVEL_AFTER.match(context.after):
        return True
    if "[0." in context.line or context.before[-1:] == "[":
        start = context.number.start
        opening = context.text.rfind("[", max(0, start - len(context.line) - 1), start)
        if _BOUND_HEADING.match(context.text, opening):
            return True
    may_lead = has_any(context.before.lower(), _LEVEL_HINTS)
    return may_lead and _LEVEL_BEFORE.search(context.before) is not None
