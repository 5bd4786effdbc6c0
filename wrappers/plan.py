"""What a run does: its agent, settings and prompts, from files and options."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from grader.errors import InputError, UserError
from grader.settings import GradeSettings, load_settings

from .agents import agent_module
from .nudges import check_rules
from .prompts import load_prompts
from .settings import IsolationSettings, LoopSettings

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class RunPlan:
    """Everything that decides what a run does. `agent_settings` as `agents.make_agent` takes;
    they hold no secret, only the name of the environment variable that does."""

    agent: str
    agent_settings: dict[str, Any]
    loop: LoopSettings
    isolation: IsolationSettings
    grading: GradeSettings
    prompts: Path | None = None

    def as_record(self) -> dict[str, Any]:
        """The settings by stage, for the run's manifest."""
        return {
            "agent": self.agent_settings,
            "loop": self.loop.model_dump(mode="json"),
            "isolation": self.isolation.model_dump(mode="json"),
            "grading": self.grading.model_dump(mode="json"),
        }

    def worker_config(self, scratch: Path) -> dict[str, Any]:
        """What a worker process is told (see `worker.Job`)."""
        return {
            **self.as_record(),
            "agent": self.agent,
            "agent_settings": self.agent_settings,
            "prompts": str(self.prompts.resolve()) if self.prompts else None,
            "scratch": str(scratch),
        }

    def fingerprint(self) -> str:
        """A short hash: runs with equal ones were made by the same agent in the same way."""
        content = [self.agent, self.as_record(), load_prompts(self.prompts).manifest()]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def make_plan(
    agent: str,
    stated: Mapping[str, Any],
    *,
    settings: Path | None = None,
    prompts: Path | None = None,
    nudge: str | None = None,
    task_timeout: float | None = None,
    network: bool | None = None,
) -> RunPlan:
    """The plan of a run. Values that are given win over the settings file, that over defaults.

    stated: settings of the agent. settings: TOML with the sections [run], [isolation], [grade]
    and one named after the agent. Raises `UserError` for anything that cannot be used.
    """
    loop = load_settings(LoopSettings, "run", settings)
    loop = _changed(loop, nudge=nudge, task_timeout=task_timeout)
    check_rules(loop.rules)
    load_prompts(prompts)
    return RunPlan(
        agent=agent,
        agent_settings={} if agent == "replay" else _agent_settings(agent, stated, settings),
        loop=loop,
        isolation=_changed(
            load_settings(IsolationSettings, "isolation", settings), network=network
        ),
        grading=load_settings(GradeSettings, "grade", settings),
        prompts=prompts,
    )


def _agent_settings(agent: str, stated: Mapping[str, Any], path: Path | None) -> dict[str, Any]:
    model = agent_module(agent).Settings
    given = {name: value for name, value in stated.items() if value is not None}
    if wrong := sorted(given.keys() - model.model_fields.keys()):
        raise UserError(f"the {agent} agent has no setting {wrong[0]!r}")
    record: dict[str, Any] = _checked(model, _section(path, agent) | given, agent).model_dump(
        mode="json"
    )
    return record


def _section(path: Path | None, name: str) -> dict[str, Any]:
    """One section of the settings file as it stands there."""
    if path is None:
        return {}
    try:
        section = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
    except (OSError, ValueError) as error:
        raise InputError(path, f"cannot read settings: {error}", "Check the file") from None
    if not isinstance(section, dict):
        raise InputError(path, f"{name} is not a section", f"Write [{name}] above its settings")
    return section


def _changed(settings: Model, **changes: Any) -> Model:
    given = {name: value for name, value in changes.items() if value is not None}
    return _checked(type(settings), settings.model_dump() | given, "run")


def _checked(model: type[Model], values: dict[str, Any], section: str) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise UserError(
            f"[{section}] {name}: {first['msg']}. State it on the command line, or under "
            f"[{section}] in --settings FILE; valid: {', '.join(model.model_fields)}"
        ) from None
