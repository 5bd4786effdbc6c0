"""The wrapper's instructions to agents: one versioned file per prompt (see `grader.prompts.files`).

A file holds `name`, `version` and `text`. The prompts used are recorded in the run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from grader.errors import refuse_pipe
from grader.make_task import with_kind
from grader.prompts.files import PromptFile, Slot, load_prompt_files
from grader.records import AnswerKind, NudgeMode, Task

from ..nudges import NUDGE_TYPES

PROMPTS: dict[str, Slot] = {
    "task": Slot(
        "task-1.toml", frozenset({"question"}), frozenset({"context", "files", "choices"})
    ),
    "nudge_original": Slot(
        "nudge_original-1.toml", frozenset({"question"}), frozenset({"answer_format", "choices"})
    ),
    "nudge_generic": Slot("nudge_generic-1.toml", optional=frozenset({"answer_format"})),
    "answer_number": Slot("answer_number-1.toml"),
    "answer_choice": Slot("answer_choice-2.toml"),
    "answer_text": Slot("answer_text-1.toml"),
    "chat_programmer": Slot("chat_programmer-1.toml", optional=frozenset({"folder"})),
    "chat_result": Slot("chat_result-1.toml", frozenset({"output"})),
    "chat_cut_off": Slot("chat_cut_off-1.toml"),
    "chat_inspector": Slot("chat_inspector-1.toml", frozenset({"error"}), frozenset({"code"})),
    "chat_revision": Slot("chat_revision-1.toml", optional=frozenset({"code", "error", "advice"})),
}
ANSWER_FORMATS: dict[AnswerKind, str] = {
    "number": "answer_number",
    "percent": "answer_number",
    "choice": "answer_choice",
    "text": "answer_text",
}
BETWEEN_OPTIONS = r"\W*(?:\bor\W+)?(?:\b\w\W+)?"


class WrapperPrompt(PromptFile):
    """A prompt of the wrapper, as read from its file."""

    template_field: ClassVar[str] = "text"

    text: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(f"{self.name}\0{self.version}\0{self.text}".encode()).hexdigest()

    def fill(self, **values: str) -> str:
        """The text with its placeholders filled; an empty one is removed with its blank line."""
        filled = self.template.substitute(values)
        return re.sub(r"\n{3,}", "\n\n", filled).strip()


class Prompts:
    """The instructions made from the prompts, those of the package or the user's own."""

    def __init__(self, prompts: dict[str, WrapperPrompt]) -> None:
        self._prompts = prompts

    def original(self, task: Task, files: Sequence[str]) -> str:
        """The first instruction: the task as the benchmark states it. `files` are names."""
        return self._prompts["task"].fill(
            context=task.context.strip(),
            files=f"Data files: {', '.join(files)}" if files else "",
            question=task.question.strip(),
            choices=_options(task),
        )

    def nudge(self, mode: NudgeMode, task: Task) -> str:
        """The follow-up of a nudge mode. Raises KeyError for "none"."""
        prompt = self._prompts[NUDGE_TYPES[mode]]
        wanted = self._prompts[ANSWER_FORMATS[with_kind(task).answer_kind or "number"]].fill()
        if mode == "B":
            return prompt.fill(answer_format=wanted)
        return prompt.fill(
            answer_format=wanted, question=task.question.strip(), choices=_options(task)
        )

    def fill(self, name: str, **values: str) -> str:
        """A prompt of an agent of this package, filled."""
        return self._prompts[name].fill(**values)

    def manifest(self) -> dict[str, dict[str, str]]:
        """Every prompt by id, with its hash and text, for the run's manifest."""
        return {
            prompt.prompt_id: {"sha256": prompt.sha256, "text": prompt.text}
            for prompt in self._prompts.values()
        }


def load_prompts(replacements: Path | None = None) -> Prompts:
    """The package's prompts, replaced by those in `replacements` (a TOML file, or a folder of
    them). Raises `InputError` naming the file and the fault."""
    if replacements is not None:
        refuse_pipe(replacements)  # each worker reads them again
    return Prompts(load_prompt_files(__name__, WrapperPrompt, PROMPTS, replacements))


def _options(task: Task) -> str:
    """A choice task's options, one a line; nothing if the question already lists them: as whole
    words, in their order, with at most punctuation, a label (`B.`) or "or" between them. Elsewhere
    in it they are words like others (`yes` in `yesterday`, `men` and `women` of whom it asks)."""
    words = (rf"(?<!\w){re.escape(choice)}(?!\w)" for choice in task.choices)
    if not task.choices or re.search(BETWEEN_OPTIONS.join(words), task.question):
        return ""
    return "\n".join(["Options:", *task.choices])
