"""Hypothesis strategies: number literals as people write them; transcripts, tame and hostile."""

from __future__ import annotations

import re
from typing import get_args

from hypothesis import strategies as st

from grader.records import AnswerKind, InstructionType, Step, Task, Transcript

# What extraction has rules for, or is easily led astray by.
FRAGMENTS = (
    "<pre>", "</pre>", "<div>", "<details>", "<table><tr><td>", "<br>", "<think>", "</think>",
    "<answer>", "</answer>", "<information>", "<!--", "<![CDATA[", "<script>", "&lt;", "&#x27;",
    "```python\n", "```\n", "\\boxed{", "\\frac{1}{", "2\\frac12", "1 1/2 ", "1_000", "$", "**",
    "| ", "\n\n", "\n", "\r\n", "\t",
    "the answer is ", "therefore ", "result: ", "95% CI [", "n = ", "p < ", "± ", "between ",
    "round(x, 2)", "np.float64(", "array([", "x[0]", "Out[5]: ", "nan", "inf", "True", "None",
    "1. ", "2) ", "- ", "Step 3: ", "Traceback (most recent call last):\n", "ValueError: ",
    "🖥️ Execute code...", "⭕ Execution error, try to repair the code, attempts: 2....",
    "(A) ", "B. ", "option C", "\u202e", "\u200b", "\x00", "\ud800", "\ufeff", "٠٫٥", "१२", "½",
)  # fmt: skip
_DIGITS = st.text("0123456789", min_size=1, max_size=12)
_UNICODE_DIGITS = st.text(st.characters(categories=["Nd", "Nl", "No"]), min_size=1, max_size=6)


@st.composite
def number_literals(draw: st.DrawFn) -> str:
    """A number as written: sign, thousands separators, decimals, exponent, percent."""
    sign = draw(st.sampled_from(["", "", "-", "+", "−", "–", "$", "€", "~"]))
    whole = draw(
        st.one_of(
            _DIGITS,
            st.integers(0, 10**9).map(lambda n: f"{n:,}"),
            st.integers(0, 10**9).map(lambda n: f"{n:,}".replace(",", "\u202f")),
            _UNICODE_DIGITS,
        )
    )
    decimals = draw(st.one_of(st.just(""), _DIGITS.map(lambda d: f".{d}"), st.just(".")))
    exponent = draw(
        st.one_of(
            st.just(""),
            st.integers(-400, 400).map(lambda e: f"e{e}"),
            st.integers(-30, 30).map(lambda e: f" × 10^{e}"),
            st.integers(-30, 30).map(lambda e: f"×10<sup>{e}</sup>"),
        )
    )
    unit = draw(st.sampled_from(["", "", "%", " %", " percent", "K", " million", "bn", "°"]))
    return f"{sign}{whole}{decimals}{exponent}{unit}"


def outputs(max_size: int = 30) -> st.SearchStrategy[str]:
    """One step's raw output: fragments, numbers and arbitrary text, in any order."""
    piece = st.one_of(
        st.sampled_from(FRAGMENTS),
        number_literals(),
        st.sampled_from(["mean ", "rate ", "is ", "of ", "a ", " "]),
        st.text(st.characters(exclude_categories=[]), max_size=8),
    )
    return st.lists(piece, max_size=max_size).map("".join)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """A task of any answer kind, its truth well formed or not."""
    truth = st.one_of(
        st.none(), number_literals(), st.sampled_from(["0.25", "5.36%", "B", "yes", ""]), st.text()
    )
    return Task(
        task_id="t",
        question=draw(st.one_of(st.just("What is the mean rate? Use 2 decimals."), outputs(8))),
        ground_truth=draw(truth),
        answer_kind=draw(st.sampled_from(get_args(AnswerKind))),
        choices=tuple(draw(st.lists(outputs(3), max_size=4))),
    )


@st.composite
def transcripts(draw: st.DrawFn, transcript_id: str = "x") -> Transcript:
    """A transcript of up to three steps."""
    kinds = st.sampled_from(get_args(InstructionType))
    step = st.builds(Step, raw_output=outputs(), instruction_type=kinds)
    steps = draw(st.lists(step, max_size=3))
    return Transcript(transcript_id=transcript_id, task=draw(tasks()), steps=tuple(steps))


_LOOK_AHEAD = re.compile(r"\(\?= \[\S+\] \)")


def without_look_ahead(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """The pattern without the set of first signs that it looks at for speed: it must not forget one
    of them, and hypothesis cannot draw texts of a pattern with it."""
    return re.compile(_LOOK_AHEAD.sub("", pattern.pattern), pattern.flags)
