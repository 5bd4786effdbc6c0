"""Any command-line agent, run once per instruction in the task's working folder."""

from __future__ import annotations

import errno
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any

from pydantic import field_validator

from grader.errors import UserError
from grader.invisible import storable_text
from grader.records import Task
from grader.settings import StageSettings
from grader.tasks.data_files import is_file

from ..agent import AgentUnavailable, Surroundings, TaskUnsuitable, Turn
from ..output import Ends
from ..program import Ended, Refused, run_program

SHOWN_ERRORS = 2000  # characters recorded of the end of stderr
OUT_OF_MEMORY = ("out of memory", "cannot allocate memory", "could not reserve enough space")
RUNTIMES = "Node.js and Java reserve more of it than they use."
PROMPT_FILE = "prompt.txt"
# In a command; any other sign is the command's own, as `$$` is a shell's.
_PLACEHOLDER = re.compile(r"\$(?:(prompt_file|prompt)\b|\{(prompt_file|prompt)\})")
CONVERSATION = "$history\n\nUser: $prompt"
SHELLS = ("sh", "bash", "dash", "ksh", "zsh", "fish")
_TAKES_CODE = re.compile("-[a-z]*c")  # a shell's option: `-c`, `-lc`


class Settings(StageSettings):
    """command: the program and its arguments; `$prompt` stands for the instruction (as one
    argument, which Linux limits to 128 KiB), `$prompt_file` for a file that holds it; with
    neither it comes on stdin. Each task runs in its own folder, so paths of other files must be
    absolute.
    follow_up: the command of the second and later instructions of a task, for programs that
    can continue a conversation; None repeats `command` with the conversation so far put
    before the instruction. conversation: the text of both (`$history`, `$prompt`)."""

    command: str
    follow_up: str | None = None
    conversation: str = CONVERSATION

    @field_validator("command", "follow_up")
    @classmethod
    def _splits(cls, text: str | None) -> str | None:
        if text is None:
            return None
        if not (words := shlex.split(text)):
            raise ValueError("is empty")
        if any("prompt" in name.groups() for name in _PLACEHOLDER.finditer(_code(words))):
            raise ValueError(
                "a shell would read the prompt as part of its code, quotes, backticks and all. "
                "Hand it over: sh -c 'my-agent --ask \"$1\"' my-agent $prompt; or use $prompt_file"
            )
        return text

    @field_validator("conversation")
    @classmethod
    def _holds_prompt(cls, text: str) -> str:
        if "prompt" not in Template(text).get_identifiers():
            raise ValueError("lacks $prompt, so the program would not see the instruction")
        return text


def make(settings: Settings, surroundings: Surroundings) -> CommandAgent:
    """The agent. Raises `UserError` for a command that cannot be run in the folders of tasks."""
    return CommandAgent(settings, surroundings)


def command_words(command: str) -> list[str]:
    """The words of a command, the first as the full path of the program.

    Raises `UserError` if there is no such program, or if another word names a file of the current
    folder, which is missing in the folders where tasks run."""
    name, *arguments = shlex.split(command)
    program = shutil.which(name)
    if program is None:
        raise UserError(f"the command agent's program {name!r} is missing or not executable")
    for word in arguments:
        if is_file(Path(word)) and not Path(word).is_absolute():
            raise UserError(
                f"{word} is a file of this folder, but the command agent's program runs in "
                f"another folder for each task. Write the full path: {Path(word).absolute()}; if "
                "you mean the task's own file, start in another folder"
            )
    return [str(Path(program).absolute()), *arguments]


def _code(words: Sequence[str]) -> str:
    """The code that a command hands to a shell: the word after the shell's `-c`, else nothing."""
    rest = iter(words)
    if any(Path(word).name in SHELLS for word in rest) and any(map(_TAKES_CODE.fullmatch, rest)):
        return next(rest, "")
    return ""


class PromptTooLong(Exception):
    """The conversation has outgrown what an argument can hold: the agent's own failure."""


class CommandAgent:
    """See `wrappers.agent.Agent`. The program repairs its own code, so there is no revision:
    an exit code other than 0 is a failed turn."""

    def __init__(self, settings: Settings, surroundings: Surroundings) -> None:
        self._first = command_words(settings.command)
        self._later = command_words(settings.follow_up) if settings.follow_up else None
        self._conversation = Template(settings.conversation)
        self._around = surroundings
        self._workspace = Path()
        self._history: list[str] = []
        self._output = Ends()  # of the current turn

    def start(self, task: Task, files: Sequence[Path], workspace: Path) -> None:
        self._workspace = workspace
        self._history = []

    def send(self, instruction: str) -> Turn:
        prompt, words = instruction, self._first
        if self._history and self._later is not None:
            words = self._later
        elif self._history:
            history = "\n\n".join(self._history)
            prompt = self._conversation.safe_substitute(history=history, prompt=instruction)
        ended = self._run(words, prompt)
        self._history += [f"User: {instruction}", f"Assistant: {ended.output}"]
        notes: dict[str, Any] = {
            "exit_code": ended.code,
            "stderr": ended.errors[-SHOWN_ERRORS:],
            **self._hint(ended),
        }
        is_quiet = ended.code == 0 and not ended.errors
        return Turn(ended.output, failed=ended.code != 0, metadata={} if is_quiet else notes)

    def revise(self) -> Turn | None:
        return None

    def partial(self) -> str:
        return self._output.text()

    def reset(self) -> None:
        self._history = []

    def _hint(self, ended: Ended) -> dict[str, str]:
        """What may have failed a program that lacked memory."""
        limit, said = self._around.isolation.memory_mb, (ended.output + ended.errors).lower()
        if ended.code == 0 or limit is None or not any(sign in said for sign in OUT_OF_MEMORY):
            return {}
        return {"hint": f"memory_mb = {limit} limits the address space. {RUNTIMES} Raise it"}

    def _run(self, words: list[str], prompt: str) -> Ended:
        self._output = Ends()
        file = self._around.scratch / PROMPT_FILE
        values = {"prompt": storable_text(prompt), "prompt_file": str(file)}
        filled = [_PLACEHOLDER.sub(lambda name: values[name[1] or name[2]], word) for word in words]
        on_stdin = not any(map(_PLACEHOLDER.search, words))
        try:
            file.write_text(prompt, encoding="utf-8", errors="replace")
            given = prompt.encode(errors="replace") if on_stdin else b""
            return run_program(filled, self._around.isolation, self._workspace, given, self._output)
        except Refused as refusal:
            raise AgentUnavailable(str(refusal)) from None
        except OSError as error:
            raise self._not_run(error, prompt) from error
        finally:
            file.unlink(missing_ok=True)

    def _not_run(self, error: OSError, prompt: str) -> Exception:
        """The exception for a program that the system did not run. Too long a prompt is the task's
        fault if it is the first, and the agent's own if the agent's replies have made it so."""
        if error.errno != errno.E2BIG:
            return AgentUnavailable(f"the program could not be run: {error}")
        reason = (
            f"the conversation ({len(prompt.encode(errors='replace'))} bytes) is too long for "
            "the argument $prompt. Use $prompt_file or stdin, in a new run"
        )
        return PromptTooLong(reason) if self._history else TaskUnsuitable(reason)
