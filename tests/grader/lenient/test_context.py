"""Cutting: execution output first, never the last step, and it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.lenient.context import Cut, Fitted, TooLong, fit
from grader.llm.request import estimate_tokens
from grader.records import Step, Transcript

from ..llm.server import Act, Body, FaultServer, error_body
from .runs import grade, transcript

TABLE = "\n".join(f"{i}  {i * 0.37:.4f}  {i * 1.91:.4f}" for i in range(4000))
PROSE = "the mean of the word is in column x " * 1000
EARLY = Step(
    raw_output=f"I start with the data.\n<pre>{TABLE}</pre>\nThat was the table: EARLY-PROSE."
)
LAST = Step(raw_output="<pre>0.28</pre>\nThe mean is 0.28.", instruction_type="nudge_generic")


def test_what_fits_is_whole() -> None:
    fitted = fit((EARLY, LAST), 1_000_000)
    assert isinstance(fitted, Fitted)
    assert fitted.cut is None
    assert EARLY.raw_output in fitted.text and LAST.raw_output in fitted.text


def test_windows_line_ends_lose_nothing() -> None:
    windows = EARLY.model_copy(update={"raw_output": EARLY.raw_output.replace("\n", "\r\n")})
    assert fit((windows, LAST), 1_000_000) == fit((EARLY, LAST), 1_000_000)
    assert fit((windows, LAST), 3000) == fit((EARLY, LAST), 3000)


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
    assert fitted.cut.steps == tuple(range(1, len(fitted.cut.steps) + 1))
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


def test_long_transcript_is_cut_and_said_so(tmp_path: Path) -> None:
    flood = "<pre>" + "\n".join(f"{i} {i / 7:.5f}" for i in range(5000)) + "</pre>"
    long = Transcript(
        transcript_id="t1",
        task=transcript().task,
        steps=(Step(raw_output=flood), Step(raw_output="The mean is 0.28.")),
    )
    with FaultServer(lambda b, n: "0.28") as server:
        [result], summary = grade(tmp_path, [long], base_urls=(server.url,), context_tokens=2000)
        prompt = server.requests[0]["messages"][-1]["content"]
    assert (result.verdict, result.reason) == ("correct", "within_tolerance (transcript cut)")
    assert result.evidence["judges"][0]["cut"]["tokens"] > 20_000
    assert "The mean is 0.28." in prompt and len(prompt) < 8000
    assert summary.cut == 1


def test_a_cut_transcript_is_ungraded_because_of_the_same_word(tmp_path: Path) -> None:
    flood = "<pre>" + "\n".join(f"{i} {i / 7:.5f}" for i in range(7000, 12_000)) + "</pre>"
    last = Step(raw_output="The mean is 0.31.")
    short = transcript(2, last.raw_output)
    long = short.model_copy(update={"transcript_id": "t1", "steps": (Step(raw_output=flood), last)})
    with FaultServer(lambda b, n: "0.28") as server:
        grades, summary = grade(
            tmp_path, [long, short], base_urls=(server.url,), context_tokens=2000
        )
    assert [g.reason for g in grades] == ["ungrounded (transcript cut)", "ungrounded"]
    assert summary.ungraded_because == {"ungrounded": 2}


def test_server_that_finds_the_prompt_too_long_gets_a_shorter_one(tmp_path: Path) -> None:
    def script(body: Body, n: int) -> Act | str:
        if len(json.dumps(body)) > 6000:
            message = "This model's maximum context length is 2048 tokens"
            return Act(status=400, raw=error_body(message, "context_length_exceeded"))
        return "0.28"

    flood = "<pre>" + "word 0.1 " * 3000 + "</pre>"
    item = transcript().model_copy(
        update={"steps": (Step(raw_output=flood), Step(raw_output="It is 0.28."))}
    )
    with FaultServer(script) as server:
        [result], _ = grade(tmp_path, [item], base_urls=(server.url,), context_tokens=8000)
    assert (result.verdict, len(server.requests)) == ("correct", 3)


def test_a_request_much_smaller_than_the_context_said_is_made_smaller(tmp_path: Path) -> None:
    def script(body: Body, n: int) -> Act | str:
        if len(json.dumps(body)) > 12_000:
            message = "This model's maximum context length is 4096 tokens"
            return Act(status=400, raw=error_body(message, "context_length_exceeded"))
        return "0.28"

    item = transcript().model_copy(
        update={"steps": (Step(raw_output="word 0.1 " * 4000), Step(raw_output="It is 0.28."))}
    )
    with FaultServer(script) as server:
        [result], _ = grade(tmp_path, [item], base_urls=(server.url,), context_tokens=100_000)
    sizes = [len(json.dumps(body)) for body in server.requests]
    assert result.verdict == "correct"
    assert sizes == sorted(set(sizes), reverse=True)


@pytest.mark.parametrize(
    ("outputs", "verdict", "reason"),
    [
        ((PROSE, "It is 0.28."), "correct", "within_tolerance (transcript cut)"),
        ((f"{PROSE} It is 0.28.",), "ungraded", "too_long"),
    ],
)
def test_a_reply_to_a_prompt_that_the_server_cut_is_none(
    tmp_path: Path, outputs: tuple[str, ...], verdict: str, reason: str
) -> None:
    """As Ollama does: half a context of the prompt is read, and the count of tokens tells so."""

    def script(body: Body, n: int) -> Act | str:
        tokens = estimate_tokens(body["messages"][-1]["content"])
        return Act("0.1", tokens=2050) if tokens > 4096 else Act("0.28", tokens=tokens)

    steps = tuple(Step(raw_output=output) for output in outputs)
    item = transcript().model_copy(update={"steps": steps})
    with FaultServer(script) as server:
        [result], _ = grade(tmp_path, [item], base_urls=(server.url,))
    assert (result.verdict, result.reason) == (verdict, reason)
    detail = result.evidence["judges"][0].get("detail", "")
    assert ("OLLAMA_CONTEXT_LENGTH" in detail) is (verdict == "ungraded")


def test_last_step_that_does_not_fit_is_not_cut(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: "0.28") as server:
        [result], _ = grade(
            tmp_path, [transcript(1, "0.28 " * 5000)], base_urls=(server.url,), context_tokens=1000
        )
    assert (result.verdict, result.reason, server.requests) == ("ungraded", "too_long", [])
    assert "cut_last_step" in result.evidence["judges"][0]["detail"]
