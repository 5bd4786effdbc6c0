"""Short ways to grade transcripts with scripted judges, for the tests of the lenient layer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.lenient import LenientSettings, LenientSummary, open_lenient
from grader.llm.calls import LlmCall, read_calls
from grader.records import Grade, Step, Task, Transcript
from grader.run import RunDirectory

from ..llm.server import Body

GOOD = "0.28"  # a reply that is right on `transcript()`


def transcript(
    number: int | str = 1,
    output: str = "The mean is **0.28**.",
    truth: str | None = "0.28",
    kind: str = "number",
    **task: Any,
) -> Transcript:
    """A one-step transcript."""
    return Transcript(
        transcript_id=f"t{number}",
        task=Task(
            task_id=f"task{number}",
            question=task.pop("question", "What is the mean of x?"),
            ground_truth=truth,
            answer_kind=kind,  # type: ignore[arg-type]
            **task,
        ),
        steps=(Step(raw_output=output),),
    )


def grade(
    folder: Path, transcripts: Iterable[Transcript], **settings: Any
) -> tuple[list[Grade], LenientSummary]:
    """Grades, in the order of their transcript ids, and the summary."""
    settings.setdefault("first_wait", 0.01)
    settings.setdefault("models", ("judge-model",))
    run = RunDirectory.create(folder)
    lenient = open_lenient(LenientSettings(**settings), run, environment={"KEY_A": "secret-a"})
    assert lenient is not None
    with lenient:
        grades = list(lenient.grade_many(transcripts))
    return sorted(grades, key=lambda g: g.transcript_id), lenient.summary()


def calls(folder: Path) -> list[LlmCall]:
    return list(read_calls(folder / "llm_calls.jsonl"))


def asked(body: Body) -> str:
    """Which prompt a request was made from."""
    text = body["messages"][-1]["content"]
    if "Published answer:" in text:
        return "judge"
    if "Which sentence of the record" in text:
        return "quote"
    return "consistency" if "What the program printed" in text else "extract"
