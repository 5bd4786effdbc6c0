"""The plan of a run: its agent, settings and prompts, from files and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import UserError
from grader.settings import GradeSettings, load_settings, read_sections

from .agents import REPLAY, agent_module, check_section
from .nudges import check_rules
from .prompts import load_prompts
from .settings import IsolationSettings, LoopSettings


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
        """The plan as entries of the run's manifest. Only an equal plan continues a run."""
        return {
            "agent": self.agent,
            "run_settings": self.settings(),
            "run_prompts": load_prompts(self.prompts).manifest(),
        }

    def worker_config(self, scratch: Path) -> dict[str, Any]:
        """The configuration of a worker process (see `worker.Job`)."""
        return {
            **self.settings(),
            "agent": self.agent,
            "prompts": str(self.prompts.resolve()) if self.prompts else None,
            "scratch": str(scratch),
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
) -> RunPlan:
    """The plan of a run. Given values override the settings file, which overrides the defaults.

    stated: settings of the agent. settings: TOML with the sections [run], [isolation], [grade]
    and [agent.NAME]. None means not given. Raises `UserError` for anything that cannot
    be used.
    """
    for section in read_sections(settings):
        check_section(section)
    rules = {"nudge_mode": nudge_mode, "task_timeout": task_timeout}
    loop = load_settings(LoopSettings, "run", settings, given=rules)
    check_rules(loop.rules)
    load_prompts(prompts)
    return RunPlan(
        agent=agent,
        agent_settings={} if agent == REPLAY else _agent_settings(agent, stated, settings),
        loop=loop,
        isolation=load_settings(
            IsolationSettings, "isolation", settings, given={"network": network}
        ),
        grading=load_settings(GradeSettings, "grade", settings),
        prompts=prompts,
    )


def _agent_settings(agent: str, stated: Mapping[str, Any], path: Path | None) -> dict[str, Any]:
    model = agent_module(agent).Settings
    given = {name: value for name, value in stated.items() if value is not None}
    if wrong := sorted(given.keys() - model.model_fields.keys()):
        raise UserError(f"the {agent} agent has no setting {wrong[0]!r}")
    settings = load_settings(model, f"agent.{agent}", path, given=given)
    record: dict[str, Any] = settings.model_dump(mode="json")
    return record
