"""Numbers that are a part of a mathematical expression, and not its value: the 2 of `2\\pi`."""

from __future__ import annotations

import re

from .context import Context

_PI = r"(?:\\?pi\b|π)"
_TIMES = r"\s?(?:[*·×]|\\times|\\cdot)?\s?"
_CONTINUES = re.compile(
    rf"\}}?{_TIMES}(?:{_PI}|√|\\?sqrt\b|\\(?:ln|log)\b)"  # 2π, \frac{1}{2}\pi, 3√2
    r"|\^(?!\w{1,2}\^)[{(]{0,2}[-+−]?(?:[0-9]|[knxt]\b)"  # 2^10, not the marks of 0.4^a, 0.4^1^
    r"|\*\*[0-9]|\)\s?(?:\^|\*\*)[0-9({]"  # 2**10, (200/100)^(1/10)
    r"|!(?:\s?[-+*/^×·]\s?[0-9(\\]|\s?=|[0-9(}$])"  # 5! in a formula
)
# \boxed{5 + x}, \boxed{5x}, the answer is 5 + x
_ANSWER_BEFORE = re.compile(r"(?:\\boxed\{|\banswer(?: is|:))\s?[-−$]{0,2}$", re.IGNORECASE)
_WITH_VARIABLE = re.compile(r"\s?[+*/]\s?[xyzn]\b|[xyzn]\s?\}")
_TERM = re.compile(r"[xyzn]\s?[-+−*/^]\s?[0-9]")  # 3x + 2
# Where a question names one of these, the terms of a line are what it asks for.
_OF_A_LINE = frozenset(
    "slope slopes coefficient coefficients intercept intercepts equation regression line".split()
)
# What stands right before and behind the numbers of an expression, with no command in it.
LEADS: frozenset[str] = frozenset("({-−×·+*/√")
CONTINUATIONS: frozenset[str] = frozenset("})*·×\\π√sp^xyzn!+/")
_FUNCTIONS = frozenset({"sqrt", "log", "ln", "exp", "sin", "cos", "tan"})
_COMMANDS = frozenset(f"\\{name}" for name in _FUNCTIONS)
_ARGUMENT = re.compile(
    rf"(?:√|\\?(?:{'|'.join(sorted(_FUNCTIONS))})(?:_?\{{?(?:10|2)\}}?)?)\s?[({{]\s?[-−]?$"
)
# a + 2, a*2, (n/2) + 1; but "a *2*" is a number in italics
_SUMMAND = re.compile(
    rf"(?:{_PI}|(?<![A-Za-z])[a-z]|\((?:[0-9]{{1,3}}\s?[-+*/]?\s?)?[a-z](?:\s?[-+*/]\s?[0-9]{{1,3}})?\))"
    r"(?:\s[+*/]\s|[+*/])$"
)
# \frac{\pi}{3}; a fraction of two numbers is read whole
_IN_FRACTION = re.compile(r"\\(?:[dt]?frac|d?binom)\{[^{}]{0,30}(?:\}\{[^{}]{0,30})?$")
_BY = r"(?:[×·*]|\\times|\\cdot)"
# (3 - 1) × (2 - 1), (3-1)\times(2-1), (3-1)(2-1)
_OF_PRODUCT = (
    (re.compile(r"\((?:[0-9]+\s?[-−+]\s?)?$"),
     re.compile(rf"(?:\s?[-−+]\s?[0-9]+)?\)\s?(?:{_BY}\s?)?\([0-9]")),
    (re.compile(rf"[0-9]\)\s?(?:{_BY}\s?)?\((?:[0-9]+\s?[-−+]\s?)?$"),
     re.compile(r"(?:\s?[-−+]\s?[0-9]+)?\)")),
)  # fmt: skip
_NEAR = 16


def is_part(context: Context) -> bool:
    """A factor, base, exponent, argument or term of a formula."""
    after, before = context.after, context.before
    if after.lstrip(" ")[:1] in CONTINUATIONS and _CONTINUES.match(after):
        return True
    lead = before.rstrip(" ")[-1:]
    if lead in "(-−+" and any(b.search(before) and a.match(after) for b, a in _OF_PRODUCT):
        return True
    if lead in "({-−" and _ARGUMENT.search(before[-_NEAR:]):
        return True
    if lead in "×·" and before.rstrip(" ×·").endswith(")"):  # (4.52 ± 0.03) × 10⁻³
        return True
    is_term = (after[:1] in "xyzn" and _TERM.match(after)) or (
        lead in "+*/" and _SUMMAND.search(before[-_NEAR:])
    )
    if not is_term and after.lstrip(" ")[:1] in CONTINUATIONS and _WITH_VARIABLE.match(after):
        is_term = _ANSWER_BEFORE.search(before[-_NEAR:])
    if is_term and _OF_A_LINE.isdisjoint(context.question.keywords):
        return True
    if lead == "√" or context.last_word.rpartition("{")[2].lstrip("$(") in _COMMANDS:
        return True
    in_fraction = "frac{" in before or "binom{" in before
    return in_fraction and _IN_FRACTION.search(before) is not None
