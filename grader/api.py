"""The short verbs: `extract`, `grade` and `verify`, on one string, a list or a pandas column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from .choices import infer_answer_kind
from .records import Extraction, Grade, Step, Task, Transcript
from .settings import GradeSettings
from .strict import Reading, grade_reading

if TYPE_CHECKING:
    import pandas as pd


def extract(text: str, question: str = "", *, parser: str = "blind") -> Extraction:
    """What number (or option) does this output give as its answer?

    parser: "blind" (ranked by evidence, with a confidence), "keyword" (the paper's answer
    region) or "heuristic" (the last number). `.scalar` is None if there is no answer.
    Raises `UserError` for an unknown parser.

    >>> extract("The median is 30 (n = 91).", question="What is the median?").scalar
    30.0
    """
    from .errors import unknown_name

    reading = Reading(_transcript(text, Task(task_id="", question=question)))
    verbs = {"blind": reading.blind, "keyword": reading.keyword, "heuristic": reading.heuristic}
    if parser not in verbs:
        raise unknown_name("parser", parser, list(verbs))
    return verbs[parser]()


@overload
def grade(
    text: str,
    task: Task | str,
    question: str = "",
    *,
    grader: str = ...,
    settings: GradeSettings | None = ...,
) -> Grade: ...
@overload
def grade(
    text: Sequence[str] | pd.Series[str],
    task: Sequence[Task | str] | pd.Series[str],
    question: Sequence[str] | pd.Series[str] | str = "",
    *,
    grader: str = ...,
    settings: GradeSettings | None = ...,
) -> pd.DataFrame: ...


def grade(  # type: ignore[no-untyped-def]
    text, task, question="", *, grader="strict_keyword", settings=None
):
    """Grade one output, or a whole column of them.

    task: a `Task`, or just the published answer as a string (`"0.20"`, `"5.36%"`, `"B"`).
    question: the question, if `task` is only the answer. For a column (a list or a pandas
    Series of outputs) `task` is a column too, and so may be `question`; the result is a frame
    with columns verdict, value, reason, on the index of the outputs.
    Raises `UserError` for an unknown grader, ValueError for columns of unequal length.

    >>> grade("so the rate is **0.41**, or 41%.", "0.41").verdict
    'correct'
    """
    if isinstance(text, str):
        return _grade_one(text, task, question, grader, settings)
    import pandas as pd

    texts = list(text)
    questions = [question] * len(texts) if isinstance(question, str) else list(question)
    grades = [
        _grade_one(one, truth, asked, grader, settings)
        for one, truth, asked in zip(texts, list(task), questions, strict=True)
    ]
    return pd.DataFrame(
        [(g.verdict, g.value, g.reason) for g in grades],
        columns=["verdict", "value", "reason"],
        index=getattr(text, "index", None),
    )


def verify(text: str, truth: str, question: str = "") -> float:
    """A reward: 1.0 if the output's answer matches the truth, else 0.0. Never raises for any
    text; no global state, so safe in threads and forked workers. The blind grader decides, so
    an output cannot score by listing many numbers.

    >>> verify("The answer is 0.20.", "0.2")
    1.0
    """
    return float(_grade_one(text, truth, question, "strict_blind", None).verdict == "correct")


def _grade_one(
    text: str, task: Task | str, question: str, grader: str, settings: GradeSettings | None
) -> Grade:
    if not isinstance(task, Task):
        truth = str(task)
        kind = infer_answer_kind(truth, (), question)
        task = Task(task_id="", question=question, ground_truth=truth, answer_kind=kind)
    reading = Reading(_transcript(text, task), settings or GradeSettings())
    return grade_reading(reading, grader)


def _transcript(text: str, task: Task) -> Transcript:
    return Transcript(transcript_id="", task=task, steps=(Step(raw_output=text),))
