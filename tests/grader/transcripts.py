"""Small transcripts for tests, and grading one of them."""

from __future__ import annotations

from grader.reading import Reading
from grader.records import Grade, Step, Task, Transcript
from grader.strict import grade_reading

QUESTION = "What is the mean rate? Round to two decimals."


def transcript(
    text: str | list[str],
    task: Task | None = None,
    truth: str | None = "0.25",
    transcript_id: str = "x1",
    kinds: tuple[str, ...] = (),
) -> Transcript:
    """A transcript with one step per text; `kinds` are the steps' instruction types."""
    texts = [text] if isinstance(text, str) else text
    kinds = kinds or ("original_prompt",) * len(texts)
    steps = tuple(
        Step(raw_output=one, instruction_type=kind)  # type: ignore[arg-type]
        for one, kind in zip(texts, kinds, strict=True)
    )
    task = task or Task(task_id="t1", question=QUESTION, ground_truth=truth, answer_kind="number")
    return Transcript(transcript_id=transcript_id, task=task, steps=steps)


def grade_strict(transcript: Transcript, grader: str) -> Grade:
    """The grade that one strict grader gives it, with the default settings."""
    return grade_reading(Reading(transcript), grader)
