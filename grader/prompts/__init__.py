"""Prompts: what language models are asked, one versioned file each (see `files`).

A file also holds `system`, `user`, where the placeholders are, and `form` (the reply asked for;
repeated when a reply was not in it). It may hold `[[examples]]` with `user` and `reply`, shown to
the model as earlier turns, which small models need. The published answer is `$truth`, and no
extraction prompt may name it, so no replacement can leak it either.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ..records import Record
from .files import PromptFile, Slot, load_prompt_files

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
    "quote_option": Slot(
        "quote_option-1.toml",
        frozenset({"question", "choices", "transcript", "answer", "code", "form"}),
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


class Prompt(PromptFile):
    """One prompt template."""

    template_field: ClassVar[str] = "user"

    system: str
    user: str
    form: str
    examples: tuple[Example, ...] = ()

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
        user = self.template.substitute(values, form=form)
        turns = [("system", self.system.strip())]
        for example in self.examples:
            turns += [("user", example.user.strip()), ("assistant", example.reply.strip())]
        return (*turns, ("user", user.strip()))


def load_prompts(replacements: Path | None = None) -> dict[str, Prompt]:
    """Every prompt by name: the packaged ones, replaced by those found at `replacements`
    (one TOML file, or a folder of them). Raises `InputError` naming file and fault."""
    return load_prompt_files(__name__, Prompt, PROMPTS, replacements)
