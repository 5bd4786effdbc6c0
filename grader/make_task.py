"""Tasks made from foreign data."""

from __future__ import annotations

from collections.abc import Iterable

from .extraction.answer_kind import infer_answer_kind
from .records import AnswerKind, Task
from .truth import published_answer


def make_task(
    task_id: str,
    question: str,
    truth: object,
    choices: Iterable[str] = (),
    *,
    kind: AnswerKind | None = None,
    context: str = "",
    data_files: Iterable[str] = (),
    covariates: dict[str, str] | None = None,
) -> Task:
    """A task from its parts. truth: the published answer as given, or a spelling of a missing one
    (`published_answer`). kind: the kind of answer; None infers it from the rest."""
    choices = tuple(choices)
    published = published_answer(truth, choices)
    return Task(
        task_id=task_id,
        question=question,
        context=context,
        ground_truth=published,
        answer_kind=kind or infer_answer_kind(published, choices, question),
        choices=choices,
        data_files=tuple(data_files),
        covariates=covariates or {},
    )


def with_kind(task: Task) -> Task:
    """A task with its kind of answer inferred, if it was made without one."""
    if task.answer_kind is not None:
        return task
    published = published_answer(task.ground_truth, task.choices)
    kind = infer_answer_kind(published, task.choices, task.question)
    return task.model_copy(update={"ground_truth": published, "answer_kind": kind})
