"""What the wrapper says to agents: one versioned TOML file per template.

A file holds `name`, `version` and `text`; `$word` is a placeholder, `$$` a dollar sign. A user's
own files replace the packaged ones of the same name, and what was used is recorded in the run.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from string import Template

from pydantic import ValidationError

from grader.errors import InputError, unknown_name
from grader.records import AnswerKind, NudgeMode, Record, Task

# name -> the placeholders it may use
PLACEHOLDERS: dict[str, frozenset[str]] = {
    "task": frozenset({"context", "files", "question", "choices"}),
    "nudge_original": frozenset({"answer_format", "question", "choices"}),
    "nudge_generic": frozenset({"answer_format"}),
    "answer_number": frozenset(),
    "answer_choice": frozenset(),
    "answer_text": frozenset(),
    "chat_programmer": frozenset({"folder"}),
    "chat_result": frozenset({"output"}),
    "chat_inspector": frozenset({"code", "error"}),
    "chat_revision": frozenset({"code", "error", "advice"}),
}
ANSWER_FORMATS: dict[AnswerKind, str] = {
    "number": "answer_number",
    "percent": "answer_number",
    "choice": "answer_choice",
    "text": "answer_text",
}
NUDGE_WORDINGS: dict[NudgeMode, str] = {"A": "nudge_original", "B": "nudge_generic"}


class Wording(Record):
    """One template as read from its file."""

    name: str
    version: str
    text: str

    @property
    def prompt_id(self) -> str:
        return f"{self.name}/{self.version}"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(f"{self.name}\0{self.version}\0{self.text}".encode()).hexdigest()

    def fill(self, **values: str) -> str:
        """The text with its placeholders filled; an empty one takes its blank line along."""
        filled = Template(self.text).substitute(values)
        return re.sub(r"\n{3,}", "\n\n", filled).strip()


class Prompts:
    """The wordings in force, and the instructions made from them."""

    def __init__(self, wordings: dict[str, Wording]) -> None:
        self._wordings = wordings

    def original(self, task: Task, files: Sequence[str]) -> str:
        """The first instruction: the task as the benchmark states it. `files` are names."""
        return self._wordings["task"].fill(
            context=task.context.strip(),
            files=f"Data files: {', '.join(files)}" if files else "",
            question=task.question.strip(),
            choices=_options(task),
        )

    def nudge(self, mode: NudgeMode, task: Task) -> str:
        """The follow-up of a nudge mode. Raises KeyError for "none"."""
        wording = self._wordings[NUDGE_WORDINGS[mode]]
        wanted = self._wordings[ANSWER_FORMATS[task.answer_kind]].fill()
        if mode == "B":
            return wording.fill(answer_format=wanted)
        return wording.fill(
            answer_format=wanted, question=task.question.strip(), choices=_options(task)
        )

    def fill(self, name: str, **values: str) -> str:
        """A wording of an agent of this package, filled."""
        return self._wordings[name].fill(**values)

    def manifest(self) -> dict[str, dict[str, str]]:
        """Every wording by id, with its hash and text, for the run's manifest."""
        return {
            wording.prompt_id: {"sha256": wording.sha256, "text": wording.text}
            for wording in self._wordings.values()
        }


def load_prompts(replacements: Path | None = None) -> Prompts:
    """The packaged wordings, replaced by those in `replacements` (a TOML file, or a folder of
    them). Raises `InputError` naming the file and the fault."""
    folder = resources.files(__package__)
    wordings = {
        name: _parse((folder / f"{name}-1.toml").read_text(encoding="utf-8"), f"{name}-1.toml")
        for name in PLACEHOLDERS
    }
    for path in _replacing_files(replacements):
        try:
            wording = _parse(path.read_text(encoding="utf-8"), path)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(path, f"cannot read prompt: {error}", "Check the file") from None
        wordings[wording.name] = wording
    return Prompts(wordings)


def _replacing_files(place: Path | None) -> list[Path]:
    if place is None:
        return []
    if not place.is_dir():
        return [place]
    if files := sorted(place.glob("*.toml")):
        return files
    raise InputError(place, "holds no prompt (*.toml)", "Copy one of wrappers/prompts/ there")


def _parse(text: str, path: Path | str) -> Wording:
    try:
        wording = Wording.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, f"not valid TOML: {error}", "Repair the file") from None
    except ValidationError as error:
        problem = f"{error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']}"
        raise InputError(path, problem, "A prompt has: name, version, text") from None
    if wording.name not in PLACEHOLDERS:
        raise unknown_name("prompt", wording.name, list(PLACEHOLDERS))
    allowed = PLACEHOLDERS[wording.name]
    template = Template(wording.text)
    if not template.is_valid():
        raise InputError(path, "a lone $ in `text`", "Write a dollar sign as $$")
    if unknown := sorted(set(template.get_identifiers()) - allowed):
        listed = ", ".join(f"${name}" for name in sorted(allowed)) or "no placeholder"
        raise InputError(path, f"${unknown[0]} is unknown here", f"Use {listed}")
    return wording


def _options(task: Task) -> str:
    """A choice task's options, one a line; nothing if the question already states them."""
    if not task.choices or all(choice in task.question for choice in task.choices):
        return ""
    return "\n".join(["Options:", *task.choices])
