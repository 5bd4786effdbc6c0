"""Finding the task of a transcript, and completing the transcript from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..extraction.answer_kind import infer_answer_kind
from ..extraction.options.choices import normalise_option, options
from ..records import AnswerKind, Task, Transcript
from ..settings import GradeSettings
from ..text.keywords import content_words
from ..tolerance import matches
from ..truth import published_number

NO_TASK, NO_COVARIATES, OTHER_ANSWER = "--tasks", "--covariates", "published answer"
SEVERAL_TASKS = "several tasks"
_EQUAL = GradeSettings(relative_tolerance=1e-9)
_INDEX = re.compile(r"(?<!\d)(\d{1,9})$")
_MOST = 0.5  # questions that share more of their content words than this may be one


class Completed(NamedTuple):
    """A transcript with its task completed. `unmatched` says what the files lack for it: NO_TASK
    and NO_COVARIATES if they hold nothing for it, SEVERAL_TASKS if they ask its question more than
    once, OTHER_ANSWER if their published answer differs from its own."""

    transcript: Transcript
    unmatched: tuple[str, ...]

    @property
    def transcript_id(self) -> str:
        return self.transcript.transcript_id

    @property
    def task_id(self) -> str:
        return self.transcript.task.task_id


class TaskIndex:
    """Finds the task of a transcript: by id, unless the question is plainly another's; by position
    in the id, if the questions are the same; then by question. An id that only repeats a task's
    position (`qrdata_5`) needs the same question, as a position does."""

    def __init__(
        self, tasks: Iterable[Task], covariates: dict[str, dict[str, str]] | None = None
    ) -> None:
        self.tasks = list(tasks)
        self.covariates = covariates or {}
        self._by_id = {task.task_id: task for task in self.tasks}
        self._positions = {
            task.task_id
            for place, task in enumerate(self.tasks)
            if task.task_id.endswith(f"_{place}")
        }
        self._by_question: dict[str, list[Task]] = {}
        for task in self.tasks:
            self._by_question.setdefault(_plain(task.question), []).append(task)

    def find(self, transcript: Transcript) -> Task | None:
        """The transcript's task, or None."""
        known = transcript.task
        named = self._by_id.get(known.task_id)
        if named is not None and self._may_be(named, known.question):
            return named
        if position := _INDEX.search(known.task_id):
            place = int(position[1])
            if place < len(self.tasks) and _plain(self.tasks[place].question) == _plain(
                known.question
            ):
                return self.tasks[place]
        asked = self._by_question.get(_plain(known.question), [])
        if len(asked) > 1:
            asked = [task for task in asked if task.ground_truth == known.ground_truth]
        return asked[0] if len(asked) == 1 else None

    def _may_be(self, named: Task, asked: str) -> bool:
        """Whether a question may belong to the task that has its id."""
        if (asked_by := self._by_question.get(_plain(asked))) is not None:
            return named in asked_by
        if _holds(asked, named.question) or _holds(named.question, asked):
            return True
        return named.task_id not in self._positions and _is_alike(asked, named.question)

    def complete(self, transcript: Transcript) -> Completed:
        """A transcript with all that its task lacks filled in; its own fields are kept."""
        found = self.find(transcript)
        return Completed(self._joined(transcript, found), self._unmatched(transcript, found))

    def _joined(self, transcript: Transcript, found: Task | None) -> Transcript:
        task = transcript.task
        update: dict[str, Any] = {}
        if found is not None:
            for name in ("question", "context", "ground_truth", "choices", "data_files"):
                if not getattr(task, name):
                    update[name] = getattr(found, name)
            update["answer_kind"] = _joined_kind(task, found, task.model_copy(update=update))
            update["covariates"] = {**found.covariates, **task.covariates}
        if extra := self._covariates_of(task, found):
            update["covariates"] = {**task.covariates, **update.get("covariates", {}), **extra}
        if not update:
            return transcript
        joined: dict[str, Any] = {"task": task.model_copy(update=update)}
        if (
            transcript.problem
            and "no_ground_truth" in transcript.problem
            and update.get("ground_truth")
        ):
            rest = [p for p in transcript.problem.split("; ") if "no_ground_truth" not in p]
            joined["problem"] = "; ".join(rest) or None
        return transcript.model_copy(update=joined)

    def _unmatched(self, transcript: Transcript, found: Task | None) -> tuple[str, ...]:
        has_covariates = bool(self._covariates_of(transcript.task, found))
        unmatched = []
        if self.tasks and found is None:
            asked = self._by_question.get(_plain(transcript.task.question), [])
            unmatched.append(SEVERAL_TASKS if len(asked) > 1 else NO_TASK)
        if self.covariates and not has_covariates:
            unmatched.append(NO_COVARIATES)
        if found is not None and not _same_answer(transcript.task, found):
            unmatched.append(OTHER_ANSWER)
        return tuple(unmatched)

    def _covariates_of(self, task: Task, found: Task | None) -> dict[str, str]:
        """The covariates stated for a task, or for what was found for it."""
        stated = self.covariates.get(task.task_id)
        return stated or self.covariates.get(found.task_id if found else "", {})


def _joined_kind(task: Task, found: Task, joined: Task) -> AnswerKind:
    """The kind that the transcript states, else the one that its task file states, else what
    both together suggest."""
    return stated_kind(task) or stated_kind(found) or _suggested_kind(joined)


def stated_kind(task: Task) -> AnswerKind | None:
    """A task's kind of answer, unless its own published answer and options suggest the same."""
    return None if task.answer_kind == _suggested_kind(task) else task.answer_kind


def _suggested_kind(task: Task) -> AnswerKind:
    return infer_answer_kind(task.ground_truth, task.choices, task.question)


def _same_answer(task: Task, found: Task) -> bool:
    """Whether two published answers are the same text, number or option, or one is missing."""
    one, other = task.ground_truth, found.ground_truth
    if one is None or other is None or _plain(one) == _plain(other):
        return True
    x, y = published_number(one), published_number(other)
    if x is not None and y is not None:
        return matches(x, y, _EQUAL)
    wording = _published_option(task, found.choices)
    return wording is not None and wording == _published_option(found, task.choices)


def _published_option(task: Task, choices: tuple[str, ...]) -> str | None:
    """The wording of a published answer that is one of its task's options, or else of `choices`;
    None if it is no option."""
    task = task.model_copy(update={"choices": task.choices or choices})
    option = normalise_option(task.ground_truth or "", task)
    wording = options(task).get(option or "")
    return None if wording is None else _plain(wording)


def _holds(one: str, other: str) -> bool:
    """Whether a question contains another one. Only letters and digits count; every question
    contains one that is not recorded."""
    return _letters_and_digits(other) in _letters_and_digits(one)


def _is_alike(one: str, other: str) -> bool:
    """Whether two questions share most content words of the shorter one."""
    fewer, more = sorted((content_words(one), content_words(other)), key=len)
    return len(fewer & more) > _MOST * len(fewer)


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()
