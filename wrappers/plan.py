"""The plan of a run: its agent, settings and prompts, from files and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from grader.errors import UserError, first_fault
from grader.settings import GradeSettings, StageSettings, load_settings, read_sections

from .agents import REPLAY, agent_module, check_section
from .isolation import namespaces_work
from .nudges import check_rules
from .prompts import load_prompts
from .settings import IsolationSettings, LoopSettings

Settings = TypeVar("Settings", bound=StageSettings)


@dataclass(frozen=True)
class RunPlan:
    """Agent, settings and prompts of a run. `agent_settings` (for `agents.make_agent`) name the
    environment variable that holds the key, and hold no key."""

    agent: str
    agent_settings: dict[str, Any]
    loop: LoopSettings
    isolation: IsolationSettings
    grading: GradeSettings
    prompts: Path | None = None

    def settings(self) -> dict[str, Any]:
        """The settings by stage."""
        return {
            "agent_settings": self.agent_settings,
            "loop": self.loop.model_dump(mode="json"),
            "isolation": self.isolation.model_dump(mode="json"),
            "grading": self.grading.model_dump(mode="json"),
        }

    def as_record(self) -> dict[str, Any]:
        """The plan as entries of the run's manifest. Only an equal plan continues a run. A replay
        sends no prompt, so it has none."""
        record = {"agent": self.agent, "run_settings": self.settings()}
        if self.agent == REPLAY:
            return record
        return record | {"run_prompts": load_prompts(self.prompts).manifest()}

    def worker_config(self, scratch: Path) -> dict[str, Any]:
        """The configuration of a worker process (see `worker.Job`)."""
        return {
            **self.settings(),
            "agent": self.agent,
            "prompts": str(self.prompts.resolve()) if self.prompts else None,
            "scratch": str(scratch),
            "namespaces": namespaces_work(),
        }


def make_plan(
    agent: str,
    stated: Mapping[str, Any],
    *,
    settings: Path | None = None,
    prompts: Path | None = None,
    nudge_mode: str | None = None,
    task_timeout: float | None = None,
    network: bool | None = None,
    flags: Mapping[str, str] | None = None,
) -> RunPlan:
    """The plan of a run. Given values override the settings file, which overrides the defaults.

    stated: settings of the agent. settings: TOML with the sections [run], [isolation], [grade]
    and [agent.NAME]. flags: the command-line options that state settings, for messages. None means
    not given. Raises `UserError` for anything that cannot be used.
    """
    flags = flags or {}
    for section in read_sections(settings):
        check_section(section)
    rules = {"nudge_mode": nudge_mode, "task_timeout": task_timeout}
    loop = _load(LoopSettings, "run", settings, rules, flags)
    check_rules(loop.rules)
    load_prompts(prompts)
    return RunPlan(
        agent=agent,
        agent_settings={} if agent == REPLAY else _agent_settings(agent, stated, settings, flags),
        loop=loop,
        isolation=load_settings(
            IsolationSettings, "isolation", settings, given={"network": network}
        ),
        grading=load_settings(GradeSettings, "grade", settings),
        prompts=prompts,
    )


def _agent_settings(
    agent: str, stated: Mapping[str, Any], path: Path | None, flags: Mapping[str, str]
) -> dict[str, Any]:
    model = agent_module(agent).Settings
    names = {name for name, value in stated.items() if value is not None}
    if wrong := sorted(names - model.model_fields.keys()):
        valid = ", ".join(flags.get(name, name) for name in model.model_fields) or "none"
        name = flags.get(wrong[0], wrong[0])
        raise UserError(f"the {agent} agent has no setting {name}. Valid: {valid}")
    settings = _load(model, f"agent.{agent}", path, stated, flags)
    record: dict[str, Any] = settings.model_dump(mode="json")
    return record


def _load(
    model: type[Settings],
    section: str,
    path: Path | None,
    given: Mapping[str, Any],
    flags: Mapping[str, str],
) -> Settings:
    """See `load_settings`. A fault of a given value is told by the option that states it."""
    options = {name: value for name, value in given.items() if value is not None}
    try:
        model.model_validate(read_sections(path).get(section, {}) | options)
    except ValidationError as error:
        fault = first_fault(error)
        setting = fault.place.partition(".")[0]
        if setting in options and setting in flags:
            raise UserError(f"{flags[setting]}: {fault.problem}") from None
    return load_settings(model, section, path, given=given)
