"""Cutting: execution output first, never the last step, and it is said."""

from __future__ import annotations

from grader.lenient.context import Cut, Fitted, TooLong, fit
from grader.llm.request import estimate_tokens
from grader.records import Step

TABLE = "\n".join(f"{i}  {i * 0.37:.4f}  {i * 1.91:.4f}" for i in range(4000))
EARLY = Step(
    raw_output=f"I start with the data.\n<pre>{TABLE}</pre>\nThat was the table: EARLY-PROSE."
)
LAST = Step(raw_output="<pre>0.28</pre>\nThe mean is 0.28.", instruction_type="nudge_generic")


def test_what_fits_is_whole() -> None:
    fitted = fit((EARLY, LAST), 1_000_000)
    assert isinstance(fitted, Fitted)
    assert fitted.cut is None
    assert EARLY.raw_output in fitted.text and LAST.raw_output in fitted.text


def test_middle_of_early_output_goes_first() -> None:
    fitted = fit((EARLY, LAST), 3000)
    assert isinstance(fitted, Fitted) and isinstance(fitted.cut, Cut)
    assert estimate_tokens(fitted.text) <= 3000
    assert "I start with the data." in fitted.text and "EARLY-PROSE" in fitted.text
    assert TABLE[:100] in fitted.text and TABLE[-100:] in fitted.text
    assert "characters left out" in fitted.text
    assert LAST.raw_output in fitted.text
    assert fitted.cut.steps == () and not fitted.cut.last_step
    assert fitted.cut.tokens > 30_000


def test_early_steps_go_before_the_last_is_touched() -> None:
    steps = tuple(Step(raw_output=f"step {i} " + "word " * 400) for i in range(20))
    fitted = fit((*steps, LAST), 300)
    assert isinstance(fitted, Fitted) and fitted.cut is not None
    assert LAST.raw_output in fitted.text
    assert fitted.cut.steps == tuple(range(len(fitted.cut.steps)))
    assert fitted.text.startswith(f"[{len(fitted.cut.steps)} earlier steps left out]")
    assert estimate_tokens(fitted.text) <= 310


def test_last_step_is_kept_or_the_transcript_is_too_long() -> None:
    result = fit((LAST, EARLY), 3000)
    assert isinstance(result, TooLong)
    assert result.needed > result.room


def test_last_step_may_be_cut_where_that_is_allowed() -> None:
    fitted = fit((LAST, EARLY), 3000, cut_last_step=True)
    assert isinstance(fitted, Fitted) and fitted.cut is not None and fitted.cut.last_step
    assert "EARLY-PROSE" in fitted.text


def test_a_megabyte_on_one_line() -> None:
    noisy = Step(raw_output="<pre>" + "7" * 1_000_000 + "</pre> done")
    fitted = fit((noisy, LAST), 2000)
    assert isinstance(fitted, Fitted)
    assert len(fitted.text) < 10_000 and LAST.raw_output in fitted.text
