"""Ways to alter an agent's final response without changing its answer.

`NOISES` is the table: each takes a final response (as `Response`) and returns it altered, or
None where it does not apply. A grader whose verdict changes has read something other than the
answer.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from grader.numbers import Quantity, find_numbers
from grader.text import Output, split_output
from grader.tolerance import same_value

HEAD = """     id  height_cm  weight_kg   score group
0  1001     172.40      68.13   14.25     A
1  1002     165.20      59.87    9.50     B
2  1003     181.75      80.02   11.75     A
3  1004     158.90      51.46   16.00     C
4  1005     176.05      73.91   12.50     B"""
STEPS = """

Next, you can:
1. Plot the distribution of the main variables.
2. Check 3 other model specifications.
3. Repeat the analysis on a subset of 250 rows."""
LEVEL = "\n\nAll intervals in this analysis use a 95% confidence level (alpha = 0.05)."
TRACEBACK = """Traceback (most recent call last):
  File "analysis.py", line 212, in <module>
    table.loc[4711]
KeyError: 4711"""
_SHARE = re.compile(
    r"%|\b(?:percent\w*|proportion|probability|share|fraction|chance)\b", re.IGNORECASE
)
_PROSE = ("prose", "answer", "reasoning")


class Response(NamedTuple):
    """A final response, split into blocks, and the answer it is known to state. is_right: whether
    a number would match the published answer."""

    raw: str
    output: Output
    answer: Quantity
    question: str
    is_right: Callable[[Quantity], bool]


def read_response(
    raw: str, answer: Quantity, question: str, is_right: Callable[[Quantity], bool]
) -> Response:
    """Split a final response that is known to state `answer`."""
    output = split_output(raw)
    return Response(output.raw, output, answer, question, is_right)


# -- text added ----------------------------------------------------------------------------


def add_head(response: Response) -> str | None:
    """`data.head()` printed by a further code cell."""
    return response.raw + _printed(response.raw, "data.head()", HEAD)


def add_suggestions(response: Response) -> str | None:
    return response.raw + STEPS


def add_level(response: Response) -> str | None:
    return response.raw + LEVEL


def add_traceback(response: Response) -> str | None:
    """A further code cell that fails."""
    return response.raw + _printed(response.raw, "table.loc[4711]", TRACEBACK)


# -- the answer written another way -----------------------------------------------------------


def as_percent(response: Response) -> str | None:
    """0.2 -> 20%, and 20% -> 0.2, where the question is for a share (a regression coefficient
    of 0.2 is not 20%) and is right in both forms or in neither (a bare 20 is not 0.2)."""
    number = response.answer
    if not _SHARE.search(response.question):
        return None
    if number.is_percent:
        other = Quantity(number.value / 100)
    elif 0 < abs(number.value) <= 1:
        other = Quantity(number.value * 100, is_percent=True)
    else:
        return None
    if response.is_right(number) != response.is_right(other):
        return None
    return _rewrite(response, lambda _: _plain(other.value) + "%" * other.is_percent)


def as_scientific(response: Response) -> str | None:
    """1234.5 -> 1.2345e+03."""
    if response.answer.is_percent:
        return None
    return _rewrite(response, _scientific)


def as_thousands(response: Response) -> str | None:
    """1234.5 -> 1,234.5, and back."""
    if abs(response.answer.value) < 1000 or response.answer.is_percent:
        return None
    return _rewrite(response, lambda q: _plain(q.value) if "," in q.text else _grouped(q.value))


def as_latex(response: Response) -> str | None:
    r"""0.2 -> $\boxed{0.2}$, unless the response boxes something already."""
    if "\\boxed" in response.raw:
        return None
    return _rewrite(response, lambda q: rf"$\boxed{{{q.text.replace('%', chr(92) + '%')}}}$")


# -- the answer elsewhere, the mark-up another ---------------------------------------------------


def move_answer(response: Response) -> str | None:
    """The last paragraph of prose that states the answer, put first."""
    blocks = [b for b in response.output.blocks if b.kind in ("prose", "answer")]
    stating = [b for b in blocks if _mentions(b.text, response.answer)]
    if not stating or len(blocks) < 2 or stating[-1] is blocks[0]:
        return None
    block = stating[-1]
    rest = response.raw[: block.start] + response.raw[block.end :]
    return f"{response.raw[block.start : block.end].strip()}\n\n{rest}"


def to_markdown(response: Response) -> str | None:
    """HTML mark-up written as Markdown; printed output becomes a fenced block."""
    raw = response.raw
    if not re.search(r"</?(?:pre|details|b|strong|code|br|p)\b", raw, re.IGNORECASE):
        return None
    for pattern, plain in _MARKDOWN:
        raw = pattern.sub(plain, raw)
    return raw


def _fenced(match: re.Match[str]) -> str:
    return f"\n\nOutput:\n```\n{html.unescape(match[1]).strip()}\n```\n\n"


_MARKDOWN: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), plain)
    for pattern, plain in (
        (r"<pre[^>]*>(.*?)</pre>", _fenced),
        (r"<summary[^>]*>.*?</summary>", ""),
        (r"</?details[^>]*>", ""),
        (r"</?(?:b|strong)\b[^>]*>", "**"),
        (r"</?code\b[^>]*>", "`"),
        (r"<br\s*/?>|</?p\b[^>]*>", "\n\n"),
    )
)


def without_bold(response: Response) -> str | None:
    """The prose with nothing set in bold."""
    return _reworded(response, _BOLD, "")


def with_stars(response: Response) -> str | None:
    """The items of lists marked by stars in place of hyphens."""
    return _reworded(response, _HYPHENS, r"\1* ")


def with_hard_spaces(response: Response) -> str | None:
    """Spaces that do not break before and behind the numbers of prose, as typesetters want them."""
    return _reworded(response, _SPACES, "\u00a0")


def with_windows_lines(response: Response) -> str | None:
    return response.raw.replace("\n", "\r\n") if "\n" in response.raw else None


_BOLD = re.compile(r"\*\*")
_HYPHENS = re.compile(r"^([ \t]*)- ", re.MULTILINE)
_SPACES = re.compile(r"(?<=[A-Za-z,]) (?=[-−]?[0-9])|(?<=[0-9]) (?=[A-Za-z%])")

Noise = Callable[[Response], str | None]
NOISES: dict[str, Noise] = {
    "head() dump": add_head,
    "numbered suggestions": add_suggestions,
    "confidence level": add_level,
    "traceback": add_traceback,
    "answer as percent": as_percent,
    "answer in scientific notation": as_scientific,
    "answer with thousands separators": as_thousands,
    "answer in LaTeX": as_latex,
    "answer moved to the front": move_answer,
    "HTML as Markdown": to_markdown,
    "no bold": without_bold,
    "lists with stars": with_stars,
    "hard spaces": with_hard_spaces,
    "Windows line ends": with_windows_lines,
}


# -- shared ------------------------------------------------------------------------------------


def _printed(raw: str, code: str, output: str) -> str:
    """A code cell and what it printed, in the mark-up that the response itself uses."""
    if "<pre" in raw:
        cell = f"\n\n```python\n{code}\n```\n"
        return f"{cell}<details><summary>Results</summary><pre>{output}</pre></details>"
    if "<information>" in raw:
        return f"\n\n<python>\n{code}\n</python>\n\n<information>\n{output}\n</information>"
    return f"\n\n```python\n{code}\n```\n\nOutput:\n```\n{output}\n```"


def _rewrite(response: Response, write: Callable[[Quantity], str]) -> str | None:
    """The raw text with every statement of the answer in prose rewritten; None if prose does not
    state it in its own spelling, or if the answer has a scale (`3.4 million`), which `write` would
    drop."""
    raw, found = response.raw, False
    if response.answer.scale != 1.0:
        return None
    for block in reversed(response.output.blocks):
        if block.kind not in _PROSE:
            continue
        piece = raw[block.start : block.end]
        for number in reversed(find_numbers(piece)):
            if same_value(number, response.answer) and number.text == response.answer.text:
                piece = piece[: number.start] + write(number) + piece[number.end :]
                found = True
        raw = raw[: block.start] + piece + raw[block.end :]
    return raw if found else None


def _reworded(response: Response, pattern: re.Pattern[str], by: str) -> str | None:
    """The raw text with all that a pattern matches in prose replaced; None if nothing is."""
    raw = response.raw
    for block in reversed(response.output.blocks):
        if block.kind in _PROSE:
            piece = pattern.sub(by, raw[block.start : block.end])
            raw = raw[: block.start] + piece + raw[block.end :]
    return raw if raw != response.raw else None


def _mentions(text: str, answer: Quantity) -> bool:
    return any(same_value(number, answer) for number in find_numbers(text))


def _plain(value: float) -> str:
    """A value without an exponent, to the 15 digits that a float keeps of any decimal."""
    text = format(Decimal(f"{value:.15g}"), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _grouped(value: float) -> str:
    whole, _, decimals = _plain(value).partition(".")
    return f"{int(whole):,}" + (f".{decimals}" if decimals else "")


def _scientific(number: Quantity) -> str:
    mantissa, _, exponent = f"{number.value:.14e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}"
