"""Numbers that stand in a condition or on one side of an inequality."""

from __future__ import annotations

import re

from ..circumstances import year_behind
from ..question import Question
from .context import Context

# In the examples, <1> or <0> is the number: `coded as <1>`.
_BOOLEAN_BEFORE = re.compile(
    r"""
    (?<!=) (?: == | != ) [ \t]* $
    | \b (?: coded | code | labell?ed | set[ ]to ) (?: [ ]as )? \s* $
    # where treated equals <1>; but "the median equals 42" states a value
    | \b (?: if | when | where | whether | which | that | indicator | dummy ) \b
      [^.;\n]{0,40} \b equals? (?: [ ]to )? \s* $
    """,
    re.VERBOSE,
)
_BOOLEAN_AFTER = re.compile(
    r"""
    \s* (?: = | == | : | means | for | \( ) \s* ['\"]?       # <1> = "yes", <0> (control
    (?: yes | no | true | false | male | female | treated | control | treatment ) \b
    | \s* (?: == | if[ ] | or[ ]0 \b | or[ ]1 \b | /1 \b )   # <0> or 1, <1> if it is treated
    """,
    re.IGNORECASE | re.VERBOSE,
)
# How the words before a code end, and what follows one begins.
CODE_BEFORE: str = "=delso"
CODE_AFTER: str = "=:(/mMfFiIİıoO"
_THRESHOLDS = frozenset({"threshold", "cutoff"})
_BOOLEAN_ENDS = ("==", "!=", "coded", "code", "equal", "equals", "ed", "to", "as")


def is_boolean(context: Context) -> bool:
    """The code of a category: `treated == 1`, `coded as 2`, `0 = no`."""
    number = context.number
    is_flag = number.value in (0.0, 1.0)
    may_be_coded = (is_flag or number.is_integer) and context.last_word.endswith(_BOOLEAN_ENDS)
    if may_be_coded and _BOOLEAN_BEFORE.search(context.before):
        return True
    return is_flag and _BOOLEAN_AFTER.match(context.after) is not None


def wants_no_threshold(question: Question) -> bool:
    """True unless a threshold or a cutoff is asked for."""
    return question.keywords.isdisjoint(_THRESHOLDS)


def is_bounded(context: Context) -> bool:
    """Right of an inequality sign: `p < 0.001`."""
    return context.number.bounded


def is_of_another_year(context: Context) -> bool:
    """`0.50 in 2021` where a value of 2022 is asked for."""
    return year_behind(context.after) not in (None, context.question.circumstances.year)
