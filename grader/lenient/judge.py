"""One judge on one transcript, as a conversation: which request comes next, given the replies.

`converse` is a generator of requests that is sent their results and returns an `Opinion`. It
knows nothing of HTTP, caches or concurrency, so that any transport can drive it: one request
at a time, or the next requests of all transcripts as one batch.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import asdict

from ..extraction.options.choices import normalise_option
from ..llm.request import ChatRequest, Failure, Reply
from ..number_forms import with_decimal_points
from ..numbers import Quantity, find_numbers
from .answer_grounding import ground, holds_quote
from .case import Case, extraction_request, quote_request
from .context import Fitted, TooLong, fit
from .fence import clean, fence, fence_code
from .opinion import Decision, Opinion
from .reply import (
    Answer,
    Option,
    Unclear,
    Wording,
    read_extraction,
    read_quote,
    read_yes_no,
)

Conversation = Generator[ChatRequest, Reply | Failure, Opinion]
PROMPT_ROOM = 100  # tokens a chat format may add around the messages
_SAID_OF_IT = re.compile(r"[(\[±]|\+/-|\+-|\b(?:out )?of\b")
_BOUND = re.compile(
    r"\W*(?:[<>≤≥]|(?:(?:no )?(?:less|more|fewer|greater|higher|lower) than"
    r"|under|over|above|below|at most|at least|up to)\b)",
    re.IGNORECASE,
)
SMALLER_TRIES = 3  # how often a request is halved that a server finds too long


class _Stopped(Exception):
    """Ends a conversation early with an `ungraded` opinion."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


def _unparseable(result: Reply | Failure) -> _Stopped:
    """The exception that ends a conversation whose last reply cannot be read."""
    is_cut_off = isinstance(result, Reply) and result.is_cut_off
    detail = "the reply was cut off: raise max_reply_tokens" if is_cut_off else ""
    return _Stopped("unparseable_reply", detail)


def converse(case: Case) -> Conversation:
    """The conversation: extraction, then the tolerance rule, or the YES/NO judge if the reply is no
    number."""
    replies: list[tuple[str, str]] = []
    facts: dict[str, object] = {}
    try:
        answer, fitted = yield from _extract(case, replies)
        if fitted.cut is not None:
            facts["cut"] = asdict(fitted.cut)
        decision = yield from _compare(case, answer, replies)
        if decision.value is not None:
            facts |= yield from _ground(case, answer, decision, fitted, replies)
    except _Stopped as stop:
        return Opinion(
            case.endpoint.name,
            "ungraded",
            stop.reason,
            detail=stop.detail,
            replies=tuple(replies),
            facts=facts,
        )
    if decision.verdict == "correct" and facts["grounding"] is None:
        decision = Decision("ungraded", "ungrounded", decision.value)
    return Opinion(case.endpoint.name, *decision, replies=tuple(replies), facts=facts)


def _extract(
    case: Case, replies: list[tuple[str, str]]
) -> Generator[ChatRequest, Reply | Failure, tuple[Answer, Fitted]]:
    """The answer that the judge reads in the transcript, and what it was shown of it; asks once
    more if the reply is not in the form."""
    room = case.settings.context_tokens
    fitted = _fitted(case, room)
    request = extraction_request(case, fitted.text, restated=False)
    result = yield request
    for _ in range(SMALLER_TRIES):
        if not (isinstance(result, Failure) and result.kind == "too_long"):
            break
        room = min(room, _sent_size(request, case)) // 2
        smaller = _fit(case, room)
        if isinstance(smaller, TooLong):
            break
        fitted = smaller
        request = extraction_request(case, fitted.text, restated=False)
        result = yield request
    answer = read_extraction(_text_of(result, "extract", replies), case.task)
    if answer is None:
        result = yield extraction_request(case, fitted.text, restated=True)
        if isinstance(result, Failure) and result.kind == "not_recorded":
            raise _unparseable(result)
        answer = read_extraction(_text_of(result, "extract_again", replies), case.task)
    if answer is None:
        raise _unparseable(result)
    return answer, fitted


def _compare(
    case: Case, answer: Answer, replies: list[tuple[str, str]]
) -> Generator[ChatRequest, Reply | Failure, Decision]:
    """The decision on the answer that was read in the transcript, by the published answer."""
    task = case.task
    truth = task.ground_truth or ""
    if isinstance(answer, Unclear):
        return Decision("no_answer", "unclear")
    if isinstance(answer, Option):
        option = normalise_option(truth, task)
        if option is None:
            raise _Stopped("unparseable_ground_truth", f"{truth[:80]!r} is none of the options")
        if answer.canonical == option:
            return Decision("correct", "same_option", answer.text)
        return Decision("incorrect", "other_option", answer.text)
    if isinstance(answer, Quantity):
        if case.criterion is None:
            raise _Stopped("unparseable_ground_truth", f"{truth[:80]!r} is not a number")
        if case.criterion.is_met_by(answer):
            return Decision("correct", "within_tolerance", answer.written)
        return Decision("incorrect", "outside_tolerance", answer.written)
    if answer.text.casefold() == truth.strip().casefold():
        return Decision("correct", "same_text", answer.text)
    same = yield from _ask_judge(case, answer, replies)
    if same and not _may_state(answer.text, case):
        raise _Stopped("contradicted", f"judged to state {truth[:80]!r}: {answer.text!r}")
    if same:
        return Decision("correct", "judged_same", answer.text)
    return Decision("incorrect", "judged_different", answer.text)


def _ask_judge(
    case: Case, answer: Wording, replies: list[tuple[str, str]]
) -> Generator[ChatRequest, Reply | Failure, bool]:
    code = fence_code(answer.text)
    for purpose, restated in (("judge", False), ("judge_again", True)):
        result = yield case.request(
            "judge",
            purpose,
            restated=restated,
            truth=clean(case.task.ground_truth or ""),
            tolerance=f"{_tolerance(case):.3g}",
            answer=fence(answer.text, code, "ANSWER"),
            code=code,
        )
        verdict = read_yes_no(_text_of(result, purpose, replies))
        if verdict is not None:
            return verdict
    raise _unparseable(result)


def _ground(
    case: Case,
    answer: Answer,
    decision: Decision,
    fitted: Fitted,
    replies: list[tuple[str, str]],
) -> Generator[ChatRequest, Reply | Failure, dict[str, object]]:
    """How the agent's own output holds the answer. Where it nowhere names the right option, the
    judge is asked for the sentence that settles on it, which must stand there word for word."""
    grounding = ground(answer, case)
    if grounding is not None or decision.verdict != "correct" or not isinstance(answer, Option):
        return {"grounding": grounding}
    result = yield quote_request(case, fitted.text, answer.text)
    if isinstance(result, Failure) and result.kind in ("not_recorded", "too_long"):
        return {"grounding": None}
    quote = read_quote(_text_of(result, "quote", replies))
    is_held = quote is not None and holds_quote(case, quote)
    return {"grounding": "quote", "quote": quote} if is_held else {"grounding": None}


def _may_state(wording: str, case: Case) -> bool:
    """False if a wording names numbers, and one before what is said of it (`0.28 (0.2 to 0.4)`) is
    not the published one; also for a bound, unless one is published. The tolerance rule then
    overrules a judge's YES."""
    wording = with_decimal_points(wording)
    numbers = find_numbers(_SAID_OF_IT.split(wording, maxsplit=1)[0]) or find_numbers(wording)
    if case.criterion is None or not numbers:
        return True
    if _BOUND.match(wording) and not _BOUND.match(case.task.ground_truth or ""):
        return False
    return all(map(case.criterion.is_met_by, numbers))


def _tolerance(case: Case) -> float:
    return (case.criterion.settings if case.criterion else case.grading).relative_tolerance


def _fit(case: Case, room: int) -> Fitted | TooLong:
    empty = extraction_request(case, "", restated=True)
    left = room - _sent_size(empty, case)
    return fit(case.steps, max(left, 0), case.settings.cut_last_step)


def _fitted(case: Case, room: int) -> Fitted:
    """The transcript as it fits. Raises `_Stopped` if it does not."""
    fitted = _fit(case, room)
    if isinstance(fitted, TooLong):
        raise _Stopped(
            "too_long",
            f"the last step needs about {fitted.needed} tokens, the context has room for "
            f"{fitted.room}; raise context_tokens or allow cut_last_step",
        )
    return fitted


def _sent_size(request: ChatRequest, case: Case) -> int:
    """The room, in tokens, that a request took, with that for its reply."""
    return request.size + case.settings.max_reply_tokens + PROMPT_ROOM


def _text_of(result: Reply | Failure, purpose: str, replies: list[tuple[str, str]]) -> str:
    """The text of a reply, which is recorded; "" if it was cut off, as the beginning of a number is
    another number. Raises `_Stopped` where there is no reply."""
    if isinstance(result, Failure):
        raise _Stopped(result.kind, result.detail)
    replies.append((purpose, result.text))
    return "" if result.is_cut_off else result.text
