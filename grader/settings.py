"""Settings of the grading stage, and how any stage's settings are loaded from TOML."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from .errors import InputError

Model = TypeVar("Model", bound=BaseModel)

# Sections that any command reads; an agent of the user's own has one by its dotted name.
SECTIONS = ("grade", "lenient", "run", "isolation", "chat", "command", "lambda")
_VALID = ", ".join(f"[{name}]" for name in SECTIONS)


class Settings(BaseModel):
    """Base of every stage's settings: frozen, unknown names refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def fingerprint(self) -> str:
        """A short hash; two runs with equal fingerprints were made with equal settings."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


class GradeSettings(Settings):
    """How answers are extracted and compared (SPEC defaults).

    relative_tolerance: |x - y| <= this * |y|; a share, 0.03 for 3 %.
    absolute_at_zero: the bound on |x| when the truth is 0.
    region_threshold: a best block that scores at or below it is `low_confidence`.
    max_candidates: more numbers than this left in a region make it ambiguous.
    """

    relative_tolerance: float = Field(0.03, ge=0)
    absolute_at_zero: float = Field(1e-9, ge=0)
    region_threshold: float = Field(0.1, ge=0)
    max_candidates: int = Field(3, ge=1)

    @field_validator("relative_tolerance")
    @classmethod
    def _is_share(cls, value: float) -> float:
        if value > 1:
            problem = f"a share, not percent: {value / 100:g} is {value:g} %"
            raise PydanticCustomError("share", problem)
        return value


def load_settings(
    model: type[Model], section: str, path: Path | None, base: Model | None = None
) -> Model:
    """Read one section of a TOML settings file. What it does not state is as in `base`, or else
    the default.

    Raises `InputError` naming the file and the offending setting or section.
    """
    if path is None:
        return base or model()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        _check_sections(path, data)
        stated = data.get(section, {})
        return model.model_validate(base.model_dump() | stated if base else stated)
    except OSError as error:
        raise InputError(
            path, f"cannot read settings: {error.strerror}", "Check the path"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(path, f"not valid TOML: {error}", "Repair the file") from None
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise InputError(
            path,
            f"[{section}] {name}: {first['msg']}",
            f"Valid settings: {', '.join(model.model_fields)}",
        ) from None


def settings_of_run(manifest: Mapping[str, Any]) -> GradeSettings | None:
    """Those by which `grader run` decided outcomes and nudges, as its manifest states them; None
    for a run that it did not make."""
    try:
        return GradeSettings.model_validate(manifest["run_settings"]["grading"])
    except (KeyError, TypeError, ValidationError):
        return None


def _check_sections(path: Path, data: dict[str, Any]) -> None:
    """Nothing in a file is passed over without a word."""
    for name, content in data.items():
        if not isinstance(content, dict):
            raise InputError(path, f"{name} stands in no section", f"Put it under {_VALID}")
        if name not in SECTIONS and "." not in name:
            raise InputError(
                path,
                f"no command has a section [{name}]",
                f"Valid: {_VALID}. That of an agent of your own is its import path in quotes, "
                '["my_package.my_agent"]',
            )
