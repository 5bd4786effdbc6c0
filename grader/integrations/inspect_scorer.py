"""An inspect_ai scorer: `inspect score LOG --scorer grader/cascade`.

Options are passed with -S: `-S lenient=off`, `-S model=...`, `-S base_url=...`, `-S calls=DIR`.
"""

from __future__ import annotations

import asyncio
import html
import site
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Score,
    Scorer,
    Target,
    accuracy,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from ..extraction.choices import infer_answer_kind
from ..records import Grade, Step, Task, Transcript
from ..settings import GradeSettings
from .single import SingleGrader, lenient_from

# inspect_ai itself puts `grader/` in front of the name in an ordinary installation. In an
# editable one it does so only if package and distribution have the same name; ours have not.
INSTALLED = {*site.getsitepackages(), site.getusersitepackages()}
NAME = "cascade" if INSTALLED & set(map(str, Path(__file__).parents)) else "grader/cascade"
VALUES = {"correct": CORRECT, "incorrect": INCORRECT, "no_answer": NOANSWER}


@scorer(metrics=[accuracy(), stderr()], name=NAME)  # type: ignore[untyped-decorator,unused-ignore]
def cascade(
    lenient: str = "auto",
    model: str | None = None,
    base_url: str | None = None,
    replay_file: str | None = None,
    calls: str | None = None,
    relative_tolerance: float = GradeSettings().relative_tolerance,
) -> Scorer:
    """The strict grader, then the LLM for what it fails.

    lenient: auto (if a key or an address is configured), off, or replay (of `replay_file`).
    model, base_url: the judge. calls: folder for the log of the judge's calls. A sample that
    could not be graded (judge down, no target) is left unscored; it never counts as incorrect.
    """
    grader = SingleGrader(
        GradeSettings(relative_tolerance=relative_tolerance),
        lenient_from(lenient, model, base_url, replay_file),
        Path(calls) if calls else None,
    )

    async def score(state: TaskState, target: Target) -> Score:
        grades: tuple[Grade, ...] = ()
        for truth in target or [""]:
            transcript = transcript_of(state, truth)
            grades = await asyncio.to_thread(grader.grade, transcript)
            if grades[-1].verdict == "correct":
                break
        return score_of(grades)

    return score


def score_of(grades: Sequence[Grade]) -> Score:
    """The cascade's grade as a score; every grader's verdict goes to the metadata."""
    decision = grades[-1]
    notes: dict[str, Any] = {
        "decided_by": decision.evidence.get("decided_by"),
        "verdicts": {grade.grader: grade.verdict for grade in grades},
    }
    explanation = f"{notes['decided_by']}: {decision.reason or decision.verdict}"
    if decision.verdict == "ungraded":
        return Score.unscored(
            reason="scoring_failed",
            answer=decision.value,
            explanation=explanation,
            metadata=notes,
        )
    return Score(
        value=VALUES[decision.verdict],
        answer=decision.value,
        explanation=explanation,
        metadata=notes,
    )


def transcript_of(state: TaskState, truth: str) -> Transcript:
    """A sample as a transcript: every user message begins a step, tool results are execution
    output. `truth` "" means that the sample has no target."""
    choices = tuple(choice.value for choice in state.choices)
    lettered = [f"{chr(ord('A') + index)}. {text}" for index, text in enumerate(choices)]
    question = "\n".join([state.input_text, *lettered])  # as inspect_ai puts it to the model
    published = truth or None
    task = Task(
        task_id=str(state.sample_id),
        question=question,
        ground_truth=published,
        answer_kind=infer_answer_kind(published, choices, question),
        choices=choices,
    )
    return Transcript(
        transcript_id=f"{state.sample_id}:{state.epoch}",
        task=task,
        steps=tuple(steps_of(state.messages, state.output.completion)),
        agent=str(state.model),
        problem=None if published else "no_ground_truth: the sample has no target",
    )


def steps_of(messages: Sequence[ChatMessage], completion: str) -> list[Step]:
    """The conversation as steps. The completion ends the last one, if no message holds it."""
    turns: list[tuple[str, list[str]]] = []
    for message in messages:
        if message.role == "user":
            turns.append((message.text, []))
        elif message.role != "system":
            if not turns:
                turns.append(("", []))
            text = message.text
            if message.role == "tool":
                text = f"<pre>{html.escape(text, quote=False)}</pre>"
            turns[-1][1].append(text)
    spoken = turns[-1][1][-1] if turns and turns[-1][1] else ""
    if completion.strip() and completion.strip() not in spoken:
        if not turns:
            turns.append(("", []))
        turns[-1][1].append(completion)
    return [
        Step(instruction_text=said, raw_output="\n\n".join(filter(None, parts)))
        for said, parts in turns
    ]
