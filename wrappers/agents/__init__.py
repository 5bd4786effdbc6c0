"""The agents: one module each, whose `make` builds the agent from its settings."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from grader.errors import UserError, unknown_name
from grader.settings import StageSettings

from ..agent import Agent, Surroundings

# name -> the module that holds `Settings` and `make(settings, surroundings)`
AGENTS: dict[str, str] = {
    "chat": "wrappers.agents.chat",
    "command": "wrappers.agents.command",
    "lambda": "wrappers.agents.lambda_agent",
}
REPLAY = "replay"  # reads recorded transcripts, without an agent (see `wrappers.replay`)


def check_section(section: str) -> None:
    """Raise `UserError` for a settings section `agent.NAME` without such an agent."""
    kind, _, name = section.partition(".")
    if kind == "agent" and name not in AGENTS and not _is_module(name):
        hint = 'Name an agent of your own in quotes: [agent."my_package.my_agent"]'
        raise UserError(f"[{section}]: {unknown_name('agent', name, list(AGENTS))}. {hint}")


def agent_module(name: str) -> Any:
    """The module of a named agent, or of the user's own (`package.module` or `module` on the import
    path).

    Raises `UserError` for an unknown name, and for a module that cannot be imported or lacks
    `Settings` or `make`.
    """
    path = AGENTS.get(name, name)
    if not _is_module(path):
        own = "or a module of your own; one of this folder needs PYTHONPATH=."
        raise UserError(f"{unknown_name('agent', name, [*AGENTS, REPLAY])}, {own}")
    try:
        module = import_module(path)
    except Exception as error:  # the user's own code may raise anything
        cause = f"{type(error).__name__}: {error}"
        hint = f"See python -c 'import {path}'; a module of this folder needs PYTHONPATH=."
        raise UserError(f"agent {name!r}: cannot import {path}: {cause}. {hint}") from error
    settings = getattr(module, "Settings", None)
    if not (isinstance(settings, type) and issubclass(settings, StageSettings)):
        raise UserError(
            f"agent {name!r}: {path} has no `Settings` derived from grader.settings.StageSettings"
        )
    if not callable(getattr(module, "make", None)):
        raise UserError(f"agent {name!r}: {path} has no function `make`")
    return module


def _is_module(name: str) -> bool:
    """Whether a name is the path of a module in a package, or a module of its own that exists."""
    try:
        return "." in name or find_spec(name) is not None
    except ValueError:  # no name at all, or a module that was not imported by its name
        return False


def make_agent(name: str, settings: dict[str, Any], surroundings: Surroundings) -> Agent:
    """Make an agent from its settings. Raises `AgentUnavailable` if it cannot be made now, and
    `UserError` if its configuration cannot work."""
    module = agent_module(name)
    return cast(Agent, module.make(module.Settings.model_validate(settings), surroundings))
