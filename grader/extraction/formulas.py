r"""LaTeX formulas: which of their numbers are values, and which only parts of an expression.

In `$$E = \frac{1}{2} \times 14 \times 0.4^2 = 1.1\,\text{J}$$` the value is 1.1: a side of an
equation that holds one number and, at most, its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..numbers import Quantity

_CLOSERS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)", "$": "$"}
_OPENER = re.compile(r"\$\$|\\\[|\\\(|\$(?=[A-Za-z\\])|\\begin\{(\w{1,12}\*?)\}")
_LONGEST_INLINE, _LONGEST = 300, 5000
_EQUAL = re.compile(r"[=≈≅]|\\(?:approx|simeq|cong|doteq)\b")
# What ends a side: an equals sign, a row, an arrow, a gap, a comma between statements.
_SIDE_END = re.compile(
    rf"{_EQUAL.pattern}|\\\\|\\q?quad\b|\\(?:Rightarrow|implies|Longrightarrow|rightarrow|to)\b"
    r"|[;&]|,\s|\\(?:begin|end)\{\w{1,12}\*?\}(?:\{[^{}]{0,20}\})?|\$\$"
)
_FONT = r"\\(?:mathrm|mathbf|boldsymbol|text\w{0,2}|rm|bf|operatorname)\b"
_IN_CHAIN = ("\\\\", "&")  # between the equals signs of a calculation
# What may stand beside a value: its unit, its margin of error, brackets and spacing.
_BESIDE = re.compile(
    rf"""
    \\text \s* \{{ \s* per \s* \}} \s* [0-9,{{}}]+          # \text{{per }} 100{{,}}000
    | {_FONT} (?: \s* \{{ [^{{}}]{{0,60}} \}} )?            # \mathrm{{kJ}}
    | \\boxed \b
    | \^ \s* \{{? \s* (?: [-−+]? [0-9] | \\circ ) \s* \}}?  # ^{{-1}}, ^\circ
    | \\pm \s* [0-9.]+                                     # \pm 0.2
    | \\ (?: left | right | cdot | displaystyle | quad ) \b
    | \\ [,;:!% ]
    | (?<= [\s~}}] ) (?: [a-zA-Z]{{2,12}} | [smhJNKVWACg] ) \b  # 5 km, 5 s
    """,
    re.VERBOSE,
)
_RAISED = re.compile(r"\s*\^\s*\{?\s*[-−+]?[0-9a-z]")
_OF_EXPRESSION = re.compile(r"[^\W_]|[-+*<>|−×·÷(\[]|\\[a-zA-Z]")


class InFormulas(NamedTuple):
    """The starts of the numbers in a text's equations that are only parts of an expression, and of
    those that are the value of one (`= 1.1` after `0.5 × 14 × ...`)."""

    parts: frozenset[int]
    computed: frozenset[int]


NOWHERE = InFormulas(frozenset(), frozenset())


def in_formulas(text: str, numbers: Sequence[Quantity]) -> InFormulas:
    """What the numbers of a text are in its formulas."""
    if "$" not in text and "\\" not in text:
        return NOWHERE
    if not ("=" in text or "≈" in text or "\\approx" in text):
        return NOWHERE
    parts: set[int] = set()
    computed: set[int] = set()
    index = 0
    for start, end in _formulas(text):
        is_result = False  # of an expression with numbers
        for first, last, opener in _sides(text, start, end):
            while index < len(numbers) and numbers[index].end <= first:
                index += 1
            here = index
            while here < len(numbers) and numbers[here].end <= last:
                here += 1
            inside = numbers[index:here]
            is_result = is_result and (_EQUAL.match(opener) is not None or opener in _IN_CHAIN)
            if not inside:
                is_result = is_result and not text[first:last].strip()
            elif not _is_value(text, first, last, inside[0]):
                parts.update(number.start for number in inside)
                is_result = True
            else:
                if is_result:
                    computed.add(inside[0].start)
                parts.update(number.start for number in inside[1:])  # its unit's power, its margin
                is_result = is_result or inside[0].is_fraction
    return InFormulas(frozenset(parts), frozenset(computed))


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """The places of the formulas in a text, without their delimiters."""
    position = 0
    while opener := _OPENER.search(text, position):
        position = opener.end()
        closer = _CLOSERS.get(opener[0]) or f"\\end{{{opener[1]}}}"
        limit = position + (_LONGEST_INLINE if opener[0] == "$" else _LONGEST)
        end = text.find(closer, position, limit)
        while end > 0 and closer[0] == "$" and text[end - 1] == "\\":  # \$ is a dollar
            end = text.find(closer, end + 1, limit)
        if end >= 0:
            yield position, end
            position = end + len(closer)


def _sides(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The sides of the equations in a formula, each with what stands before it: an equals sign, a
    row's end ...; none if it has no equals sign."""
    if _EQUAL.search(text, start, end) is None:
        return
    opener = ""
    for found in _SIDE_END.finditer(text, start, end):
        yield start, found.start(), opener
        start, opener = found.end(), found[0]
    yield start, end, opener


def _is_value(text: str, start: int, end: int, number: Quantity) -> bool:
    """True if a side of an equation is one number and what may stand beside it."""
    before, after = text[start : max(start, number.start)], text[number.end : end]
    if _RAISED.match(after):
        return False
    rest = _BESIDE.sub("", before) + " " + _BESIDE.sub("", after)
    return _OF_EXPRESSION.search(rest) is None
