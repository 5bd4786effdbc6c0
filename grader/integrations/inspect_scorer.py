"""An inspect_ai scorer: `inspect score LOG --scorer grader/cascade`.

Options are passed with -S: `-S lenient=off`, `-S model=...`, `-S base_url=...`, `-S calls=DIR`.
"""

from __future__ import annotations

import asyncio
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

from ..grader_names import LENIENT
from ..make_task import make_task
from ..readers.conversation import steps_of
from ..readers.messages import Message
from ..records import Grade, Transcript, Verdict
from ..settings import GradeSettings
from .single import SingleGrader, lenient_from

# inspect_ai itself puts `grader/` in front of the name in an ordinary installation. In an
# editable one it does so only if package and distribution have the same name; ours have not.
INSTALLED = {*site.getsitepackages(), site.getusersitepackages()}
NAME = "cascade" if INSTALLED & set(map(str, Path(__file__).parents)) else "grader/cascade"
RANKS: tuple[Verdict, ...] = ("correct", "ungraded", "incorrect", "no_answer")
VALUES = {"correct": CORRECT, "incorrect": INCORRECT, "no_answer": NOANSWER}

SEVERAL_OPTIONS = "several options are right together: inspect_ai's `choice` scores these"


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
    could not be graded (judge down, no target) is left unscored; it never counts as incorrect. Of
    several targets any will do, but of a question with options all must be chosen: such a sample is
    left unscored, for inspect_ai's own `choice` to score.
    """
    grader = SingleGrader(
        GradeSettings(relative_tolerance=relative_tolerance),
        lenient_from(lenient, model, base_url, replay_file),
        Path(calls) if calls else None,
    )

    async def score(state: TaskState, target: Target) -> Score:
        if len(target) > 1 and len(state.choices):
            return Score.unscored(reason="scoring_failed", explanation=SEVERAL_OPTIONS)
        found: list[tuple[Grade, ...]] = []
        for truth in target or [""]:
            found.append(await asyncio.to_thread(grader.grade, transcript_of(state, truth)))
            if found[-1][-1].verdict == "correct":
                break
        return score_of(best_of(found))

    return score


def best_of(found: Sequence[Sequence[Grade]]) -> Sequence[Grade]:
    """The grades by the target that counts: one that matches; else one that awaits a judge and may
    still match; else one that could be graded against. Ties go to the first."""
    return min(found, key=_rank)


def _rank(grades: Sequence[Grade]) -> int:
    verdict, decided_by = grades[-1].verdict, grades[-1].evidence.get("decided_by")
    if verdict == "ungraded" and decided_by != LENIENT:
        return len(RANKS)
    return RANKS.index(verdict)


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
    """A sample as a transcript. `truth` "" means that the sample has no target."""
    choices = tuple(choice.value for choice in state.choices)
    lettered = [f"{chr(ord('A') + index)}. {text}" for index, text in enumerate(choices)]
    question = "\n".join([state.input_text, *lettered])  # as inspect_ai puts it to the model
    task = make_task(str(state.sample_id), question, truth, choices)
    return Transcript(
        transcript_id=f"{state.sample_id}:{state.epoch}",
        task=task,
        steps=steps_of(messages_of(state.messages, state.output.completion), state.input_text),
        agent=str(state.model),
        problem=None if task.ground_truth else "no_ground_truth: the sample has no target",
    )


def messages_of(messages: Sequence[ChatMessage], completion: str) -> list[Message]:
    """The messages of the conversation, ended by the completion if no message holds it."""
    found = [Message(message.role, message.text) for message in messages]
    spoken = next((one.text for one in reversed(found) if one.role != "user"), "")
    if completion.strip() and completion.strip() not in spoken:
        found.append(Message("assistant", completion))
    return found
