"""Numbers in messages of failure: `KeyError: 2019`, `timed out after 60 s`."""

from __future__ import annotations

import builtins
import re

from .context import Context, near_before

# Python's own exceptions, and those that data analyses meet most. `MeanSquaredError` is a measure.
_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
) | frozenset(
    "APIConnectionError APIError BadRequestError CalledProcessError ConvergenceWarning"
    " DataError DatabaseError EmptyDataError HTTPError InternalServerError IntegrityError"
    " InvalidIndexError JSONDecodeError LinAlgError MergeError NotFittedError OperationalError"
    " OutOfMemoryError ParserError PerfectSeparationError ProgrammingError RateLimitError"
    " ReadTimeout SettingWithCopyWarning TimeoutExpired UndefinedMetricWarning"
    " UndefinedVariableError UnsupportedFunctionCall XLRDError".split()
)
_RAISED = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Warning|Timeout|Expired|Call))\b[:(]")
# A message: words follow the label, where a measure has its value.
_MESSAGE = re.compile(r"\W{0,6}(?:fatal\s)?error(?:\smessage)?:\s?(?=[a-z\[])", re.IGNORECASE)
_FAILURE = re.compile(
    r"""
    (?: \b tim (?: ed | ing ) [ ] (?P<out> out ) [ ] after                 # timed out after <60> s
      | \b max (?: imum )? [ ] (?: number [ ] of [ ] )?
        (?P<unit> iteration | turn | step | round | retr (?: ies | y ) | token ) s?
        (?: [ ] (?: limit | reached | exceeded ) )?                # max turns (<10>) reached
      | \b (?P<again> retry ) (?: ing )? [ ] (?: in | after )              # retrying in <5> seconds
      | \b (?P<limit> rate [ ] limit ) [^.;\n]{0,60}? (?: \b in | \b of | : )
      | \b tried [ ] to [ ] (?P<space> allocate )                   # tried to allocate <2> GiB
      | \b killed [ ] \( (?P<signal> signal )                              # killed (signal <9>)
      | \b (?P<status> HTTP ) (?: [ ] (?: error | status ) (?: [ ] code )? )?   # HTTP <404>
    ) [\s:(*_`]{1,4} $
    """,
    re.IGNORECASE | re.VERBOSE,
)

# One of these is in a text, in lower case, with such a message. They do without the letters i, k
# and s, which patterns that ignore case find in other signs too.
HINTS: tuple[str, ...] = (
    "error", "exception", "warning", "timeout", "expired", "call", "out after", "max", "retry",
    "rate l", "allocate", "led (", "http",
)  # fmt: skip


def is_of_failure(context: Context) -> bool:
    """In the message of an exception, or in words of a program that failed, unless the question is
    about such a thing."""
    line = near_before(context).rpartition("\n")[2]
    asked = context.question.text.lower()
    if "error" not in asked and _MESSAGE.match(line):
        return True
    if any(raised[1] in _EXCEPTIONS for raised in _RAISED.finditer(line)):
        return True
    failure = _FAILURE.search(line)
    return failure is not None and (failure[failure.lastgroup or 0]).lower() not in asked
