"""Numbers that stand in a condition or on one side of an inequality."""

from __future__ import annotations

import re

from .sight import Sight

# In the examples, <1> or <0> is the number: `coded as <1>`.
_BOOLEAN_BEFORE = re.compile(
    r"""
    (?: == | != | \b (?: coded | code | equals? | labell?ed | set[ ]to ) (?: [ ]as )? ) \s* $
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


_BOOLEAN_ENDS = ("==", "!=", "coded", "code", "equal", "equals", "ed", "to", "as")


def is_boolean(sight: Sight) -> bool:
    number = sight.number
    may_be_coded = number.is_integer and sight.last_word.endswith(_BOOLEAN_ENDS)
    if may_be_coded and _BOOLEAN_BEFORE.search(sight.before):
        return True
    return number.value in (0.0, 1.0) and _BOOLEAN_AFTER.match(sight.after) is not None


def is_bounded(sight: Sight) -> bool:
    return sight.number.bounded
