"""Prompts: one versioned TOML file each, replaceable by the user's own.

A file holds `name` (which prompt it is), `version`, `system`, `user` and `form` (the reply
asked for; repeated when a reply was not in it). It may hold `[[examples]]` with `user` and
`reply`, shown to the model as earlier turns, which small models need. In `user`, `$word` marks
a placeholder and `$$` a dollar sign. `PROMPTS` lists which placeholders each prompt must and
may use: the published answer is `$truth`, and no extraction prompt may name it, so no
replacement can leak it either.
"""

from __future__ import annotations

import hashlib
import tomllib
from functools import cached_property
from importlib import resources
from pathlib import Path
from string import Template
from typing import NamedTuple

from pydantic import ValidationError

from ..errors import InputError, unknown_name
from ..records import Record


class Slot(NamedTuple):
    """A prompt's packaged file and its placeholders, all of which must occur."""

    file: str
    placeholders: frozenset[str]


PROMPTS: dict[str, Slot] = {
    "extract_number": Slot(
        "extract_number-1.toml", frozenset({"question", "transcript", "code", "form"})
    ),
    "extract_option": Slot(
        "extract_option-1.toml", frozenset({"question", "choices", "transcript", "code", "form"})
    ),
    "extract_text": Slot(
        "extract_text-1.toml", frozenset({"question", "transcript", "code", "form"})
    ),
    "judge": Slot(
        "judge-1.toml", frozenset({"question", "truth", "tolerance", "answer", "code", "form"})
    ),
    "consistency": Slot(
        "consistency-1.toml", frozenset({"question", "execution", "verbal", "code", "form"})
    ),
}
RESTATED = "Your previous reply was not in the form asked for, so it could not be used."


class Example(Record):
    """An earlier turn that shows the form: plain text, no placeholders."""

    user: str
    reply: str


class Prompt(Record):
    """One prompt template."""

    name: str
    version: str
    system: str
    user: str
    form: str
    examples: tuple[Example, ...] = ()

    @property
    def prompt_id(self) -> str:
        return f"{self.name}/{self.version}"

    @cached_property
    def sha256(self) -> str:
        """Hash of everything that is sent: two prompts with equal hashes are the same prompt."""
        parts = [self.name, self.version, self.system, self.user, self.form]
        parts += [text for example in self.examples for text in (example.user, example.reply)]
        return hashlib.sha256("\x00".join(parts).encode()).hexdigest()

    def render(self, *, restated: bool = False, **values: str) -> tuple[tuple[str, str], ...]:
        """(role, text) messages. restated: say that the last reply was not in the form.

        Values are inserted as they are and never read as templates.
        """
        form = f"{RESTATED} {self.form.strip()}" if restated else self.form.strip()
        user = Template(self.user).substitute(values, form=form)
        turns = [("system", self.system.strip())]
        for example in self.examples:
            turns += [("user", example.user.strip()), ("assistant", example.reply.strip())]
        return (*turns, ("user", user.strip()))


def load_prompts(replacements: Path | None = None) -> dict[str, Prompt]:
    """Every prompt by name: the packaged ones, replaced by those found at `replacements`
    (one TOML file, or a folder of them). Raises `InputError` naming file and fault."""
    folder = resources.files(__package__)
    prompts = {
        name: _parse((folder / slot.file).read_text(encoding="utf-8"), slot.file)
        for name, slot in PROMPTS.items()
    }
    for path in _prompt_files(replacements):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(path, f"cannot read prompt: {error}", "Check the file") from None
        prompt = _parse(text, path)
        prompts[prompt.name] = prompt
    return prompts


def _prompt_files(place: Path | None) -> list[Path]:
    if place is None:
        return []
    if place.is_dir():
        if files := sorted(place.glob("*.toml")):
            return files
        raise InputError(place, "holds no prompt (*.toml)", "Copy one of grader/prompts/ there")
    return [place]


def _parse(text: str, path: Path | str) -> Prompt:
    try:
        prompt = Prompt.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, f"not valid TOML: {error}", "Repair the file") from None
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise InputError(
            path, f"{name}: {first['msg']}", f"A prompt has: {', '.join(Prompt.model_fields)}"
        ) from None
    if prompt.name not in PROMPTS:
        raise unknown_name("prompt", prompt.name, list(PROMPTS))
    _check_placeholders(prompt, path)
    return prompt


def _check_placeholders(prompt: Prompt, path: Path | str) -> None:
    wanted = PROMPTS[prompt.name].placeholders
    template = Template(prompt.user)
    if not template.is_valid():
        raise InputError(path, "a lone $ in `user`", "Write a dollar sign as $$")
    found = set(template.get_identifiers())
    listed = ", ".join(f"${name}" for name in sorted(wanted))
    if wrong := sorted(found ^ wanted):
        problem = "is unknown here" if wrong[0] in found else "is missing"
        raise InputError(path, f"${wrong[0]} {problem}", f"Use exactly these: {listed}")
