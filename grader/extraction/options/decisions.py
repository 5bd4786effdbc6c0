"""The decision of a test in any wording: "fail to reject the null hypothesis" is `not reject`."""

from __future__ import annotations

import re

_NULL = (
    r"(?: \s (?: the \s )? (?: null (?: \s hypothesis )? | hypothesis | h_?0 ) (?: \s \(h_?0\) )? )"
)
_REJECTED = re.compile(rf"(?: we \s )? reject (?: ed )? {_NULL}", re.VERBOSE)
_SIGNIFICANT = re.compile(
    r"(?P<denied>not )?(?:statistically )?(?(denied)|(?P<in>(?:in|non-?))?)significant"
)
_NOT_REJECTED = re.compile(
    rf"""
    (?: we \s )?
    (?: (?: fail (?: s | ed )? \s to | do (?: es )? \s not | did \s not | don['’]t | can \s? not
          | can['’]t | not ) \s reject (?: ed )? {_NULL}?
      | (?: accept | retain | keep ) (?: ed )? {_NULL} )
    """,
    re.VERBOSE,
)


def decision(text: str) -> str:
    """The decision of a test in its shortest form, `not reject` for "fail to reject the null
    hypothesis", `significant` for "statistically significant"; any other text unchanged."""
    if _NOT_REJECTED.fullmatch(text):
        return "not reject"
    if _REJECTED.fullmatch(text):
        return "reject"
    if found := _SIGNIFICANT.fullmatch(text):
        return "not significant" if found["denied"] or found["in"] else "significant"
    return text
