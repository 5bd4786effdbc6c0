"""Prompt files: one TOML file per prompt and version, checked when read, replaced by the user's.

A file holds `name` (which prompt it is), `version` and texts. In one of these, `$word` marks a
placeholder and `$$` a dollar sign.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template
from typing import ClassVar, NamedTuple, TypeVar

from pydantic import ValidationError

from ..errors import InputError, first_fault, unknown_name
from ..records import Record


class Slot(NamedTuple):
    """A prompt's packaged file, the placeholders that must occur in it, and those that may."""

    file: str
    placeholders: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()


class PromptFile(Record):
    """The fields of every prompt. Each kind adds its texts and says which holds the
    placeholders."""

    template_field: ClassVar[str]

    name: str
    version: str

    @property
    def prompt_id(self) -> str:
        return f"{self.name}/{self.version}"

    @property
    def template(self) -> Template:
        return Template(getattr(self, self.template_field))


Kind = TypeVar("Kind", bound=PromptFile)


def load_prompt_files(
    package: str, kind: type[Kind], slots: Mapping[str, Slot], replacements: Path | None
) -> dict[str, Kind]:
    """Every prompt of a package by name: its own files, replaced by those found at `replacements`
    (one TOML file, or a folder of them, each for another prompt). Raises `InputError` naming file
    and fault."""
    folder = resources.files(package)
    prompts = {}
    for name, slot in slots.items():
        text = (folder / slot.file).read_text(encoding="utf-8")
        prompts[name] = _parse(text, slot.file, kind, slots)
    given: dict[str, Path] = {}
    for path in _replacing(replacements, package):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(path, f"cannot read prompt: {error}", "Check the file") from None
        prompt = _parse(text, path, kind, slots)
        if (other := given.setdefault(prompt.name, path)) is not path:
            raise InputError(path, f"a second {prompt.name}, beside {other.name}", "Keep one")
        prompts[prompt.name] = prompt
    return prompts


def _replacing(place: Path | None, package: str) -> list[Path]:
    if place is None:
        return []
    if not place.is_dir():
        return [place]
    if files := sorted(place.glob("*.toml")):
        return files
    ours = package.replace(".", "/")
    raise InputError(place, "holds no prompt (*.toml)", f"Copy one of {ours}/ there")


def _parse(text: str, path: Path | str, kind: type[Kind], slots: Mapping[str, Slot]) -> Kind:
    try:
        prompt = kind.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, f"not valid TOML: {error}", "Repair the file") from None
    except ValidationError as error:
        remedy = f"A prompt has: {', '.join(kind.model_fields)}"
        raise InputError(path, str(first_fault(error)), remedy) from None
    if prompt.name not in slots:
        raise unknown_name("prompt", prompt.name, list(slots))
    _check_placeholders(prompt, path, slots[prompt.name])
    return prompt


def _check_placeholders(prompt: PromptFile, path: Path | str, slot: Slot) -> None:
    template = prompt.template
    if not template.is_valid():
        problem = f"a lone $ in `{prompt.template_field}`"
        raise InputError(path, problem, "Write a dollar sign as $$")
    known = slot.placeholders | slot.optional
    found = set(template.get_identifiers())
    remedy = f"Use {', '.join(f'${name}' for name in sorted(known)) or 'no placeholder'}"
    if unknown := sorted(found - known):
        raise InputError(path, f"${unknown[0]} is unknown here", remedy)
    if missing := sorted(slot.placeholders - found):
        raise InputError(path, f"${missing[0]} is missing", remedy)
