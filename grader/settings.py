"""Settings of the grading stage, and how any stage's settings are loaded from TOML."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from .errors import InputError, UserError, first_fault, refuse_pipe

Model = TypeVar("Model", bound=BaseModel)

# Sections that any command reads; [agent] holds one for each agent.
SECTIONS = ("grade", "lenient", "run", "isolation", "agent")
_VALID = ", ".join(f"[{name}]" for name in SECTIONS)


class StageSettings(BaseModel):
    """Base of every stage's settings: frozen, unknown names and infinities refused (the
    manifest records them, and JSON has none)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def fingerprint(self) -> str:
        """A short hash; two runs with equal fingerprints were made with equal settings."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


class GradeSettings(StageSettings):
    """How answers are extracted and compared; defaults as in Zheng & Hsu 2026. No value is taken
    for one of another type: `true` is no number.

    relative_tolerance: |x - y| <= this * |y|; a share, 0.03 for 3 %.
    absolute_at_zero: the bound on |x| when the truth is 0.
    region_threshold: a best block that scores at or below it is `low_confidence`.
    max_candidates: more numbers than this left in a region make it ambiguous.
    """

    model_config = ConfigDict(strict=True)

    relative_tolerance: float = Field(default=0.03, ge=0)
    absolute_at_zero: float = Field(default=1e-9, ge=0)
    region_threshold: float = Field(default=0.1, ge=0)
    max_candidates: int = Field(default=3, ge=1)

    @field_validator("relative_tolerance")
    @classmethod
    def _is_share(cls, value: float) -> float:
        if value > 1:
            raise ValueError(f"a share, not percent: {value / 100:g} is {value:g} %")
        return value


def load_settings(
    model: type[Model],
    section: str,
    path: Path | None,
    base: Model | None = None,
    given: Mapping[str, Any] | None = None,
) -> Model:
    """One section of a TOML settings file, checked. The first that states a value wins: `given`
    (None = not given), the file, `base`, the default.

    Raises `InputError` naming the file, or `UserError`, with the offending setting or section.
    """
    options = {name: value for name, value in (given or {}).items() if value is not None}
    stated = read_sections(path).get(section, {})
    try:
        return model.model_validate((base.model_dump() if base else {}) | stated | options)
    except ValidationError as error:
        name, fault = first_fault(error)
        problem = f"[{section}] {name}: {fault}"
        remedy = f"Valid settings: {', '.join(model.model_fields)}"
        if path is not None and name.partition(".")[0] in stated.keys() - options.keys():
            raise InputError(path, problem, remedy) from None
        place = f"State it as an option, or in --settings FILE under [{section}]"
        raise UserError(f"{problem}. {place}. {remedy}") from None


def read_sections(path: Path | None) -> dict[str, dict[str, Any]]:
    """The sections of a settings file, an agent's as `agent.NAME`; empty without a file.

    Raises `InputError` if the file cannot be read, is a pipe (each stage reads it again), or has a
    section that is not in `SECTIONS`.
    """
    if path is None:
        return {}
    try:
        refuse_pipe(path)
        sections = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(
            path, f"cannot read settings: {error.strerror}", "Check the path"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(path, f"not valid TOML: {error}", "Repair the file") from None
    _check_sections(path, sections)
    agents = {f"agent.{name}": stated for name, stated in sections.pop("agent", {}).items()}
    for name, stated in agents.items():
        if not isinstance(stated, dict):
            raise InputError(path, f"{name} is not a section", "Write [agent.NAME] above it")
    return sections | agents


def settings_of_run(manifest: Mapping[str, Any]) -> GradeSettings | None:
    """The grade settings that `grader run` used for outcomes and nudges, from the manifest; None if
    another tool made the run."""
    try:
        return GradeSettings.model_validate(manifest["run_settings"]["grading"])
    except (KeyError, TypeError, ValidationError):
        return None


def _check_sections(path: Path, sections: dict[str, Any]) -> None:
    """Raises `InputError` for a section that no command reads. The NAME of an [agent.NAME] is
    checked by `grader run`, which knows the agents."""
    for name, content in sections.items():
        if not isinstance(content, dict):
            raise InputError(path, f"{name} is outside any section", f"Put it under {_VALID}")
        if name not in SECTIONS:
            problem = f"no command has a section [{name}]"
            raise InputError(path, problem, f"Valid: {_VALID}; an agent has [agent.NAME]")
