"""Numbers in written-out calculations and equations: operands, coefficients, results."""

from __future__ import annotations

import re

from .context import Context

# In the examples, <4> or the like is the number that the rules judge.
_EQUATION_TERM = re.compile(
    r"""
    \s? (?: (?: [·⋅×] \s? | (?<=[ ]) \* \s | \* ) ( [A-Za-z_] \w* )  # <0.155>·poverty, <2> * x
          | \\cdot | \\times \s? \\? [A-Za-z] )    # <0.155>\times x
    | \s? [-+−–] \s? [0-9.]+ \s? [·⋅*×] \s? [A-Za-z_]        # <2.1> + 0.155·poverty
    """,
    re.VERBOSE,
)
TERM_SIGNS: frozenset[str] = frozenset("·⋅×*\\-+−–")  # one of them follows a term
_OPERATOR = r"(?:[-−–+/*×÷·⋅x]|\\(?:times|cdot|div)\b)"
# Perhaps on the next line; not that of `n=234`.
_EQUAL_SIGN = r"(?:(?:\n[ \t]{0,9})?(?:(?<![A-Za-z])=|≈|\\(?:approx|simeq)\b))"
_UNIT = r"(?: \s [A-Za-z] [a-z/]{0,19} ){0,2}"
_FIRST_OPERAND = re.compile(
    rf"""
    {_UNIT} \s? \)? \s? {_OPERATOR} \s? (?: √ | sqrt )? \(? [-−+]? [0-9$]  # <849.97> - 1097.75
    [^=≈\n]{{0,40}}? (?: {_EQUAL_SIGN} | gives \b | yields \b )    # =
    """,
    re.VERBOSE,
)
_COMPLEMENT = re.compile(r"\s?[-−–]\s?[A-Za-z\\][^=≈\n]{0,30}[=≈]")  # `1 - RR = 0.35`
_POWER = re.compile(
    rf"""
    \s? \)? (?: \^ \{{? [0-9] | \*\* \s? [0-9] | ² ) \}}? \$? \s? {_EQUAL_SIGN}  # <0.7>^2 =
    """,
    re.VERBOSE,
)
_LATER_OPERAND = re.compile(
    rf"[0-9)%] {_UNIT} \s? {_OPERATOR} \s? (?: √ | sqrt )? \(? $", re.VERBOSE
)
_SUBTRACTED = re.compile(r"[\w)]\s[-−–]\s$")
_FACTOR = re.compile(r"\s?(?:[·⋅×]|\*(?!\*)|\\cdot|\\times)\s?\\?[A-Za-z_]")
_ARROW = re.compile(r"[^=≈→|\n(]{0,30}→\s?[-+−$~]?\s?[0-9]")
_EQUALS = re.compile(rf"\s?\)?[^=≈(\n]{{0,30}}?{_EQUAL_SIGN}")


def is_operand(context: Context) -> bool:
    """On the left of an equals sign in a written-out calculation: `849.97 - 1097.75 = ...`, or
    of an arrow: `-0.64 on the log scale → 0.527`."""
    after = context.after
    if "→" in after and _ARROW.match(after):
        return True
    if not _may_equal(after):
        return False
    if _POWER.match(after) or (context.number.value in (1, 100) and _COMPLEMENT.match(after)):
        return True
    if context.number.is_fraction and after.lstrip()[:1] in ("=", "≈"):
        return True
    if _FIRST_OPERAND.match(after):
        return True
    return bool(_LATER_OPERAND.search(context.before)) and bool(_EQUALS.match(after))


_CALCULATED = re.compile(
    rf"""
    [0-9)%] {_UNIT} \s? {_OPERATOR} \s?                     # 849.97 miles -
    [(]? [-−–+]? [$€£]? [0-9] (?: (?! [.;] \s ) [^=≈<>\n] ){{0,40}} {_EQUAL_SIGN}    # 1097.75 =
    \s? [*$€£~(-]{{0,3}} $
    """,
    re.VERBOSE,
)


def is_calculated(context: Context) -> bool:
    """On the right of an equals sign in a written-out calculation: `849.97 - 1097.75 = ...`."""
    before = context.before
    return ("=" in before[-5:] or "≈" in before[-5:]) and _CALCULATED.search(before) is not None


def is_subtracted_term(context: Context) -> bool:
    """True for the 0.27 of `0.23 - 0.27 * growth`, whose coefficient is -0.27."""
    if context.number.value <= 0:
        return False
    return bool(_SUBTRACTED.search(context.before)) and _FACTOR.match(context.after) is not None


def _may_equal(after: str) -> bool:
    return (
        "=" in after or "≈" in after or "gives" in after or "yields" in after
        or "\\approx" in after or "\\simeq" in after
    )  # fmt: skip


def is_term(context: Context) -> bool:
    """A coefficient in a written-out equation, `0.155·poverty`, unless it is the one asked for."""
    if context.after.lstrip()[:1] not in TERM_SIGNS or context.after.startswith("**"):
        return False
    term = _EQUATION_TERM.match(context.after)
    if term is None:
        return False
    question, factor = context.question, (term[1] or "").lower()
    return not ("coefficient" in question.topics and factor in question.keywords)
