"""The settings and the agent in the package's README are those of the code."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

import wrappers
from grader.settings import StageSettings
from wrappers.agents import AGENTS, agent_module
from wrappers.settings import IsolationSettings, LoopSettings

from .conftest import GraderRun

README = Path(wrappers.__file__).with_name("README.md").read_text(encoding="utf-8")
SECTIONS: dict[str, type[StageSettings]] = {
    "run": LoopSettings,
    "isolation": IsolationSettings,
    **{f"agent.{name}": agent_module(name).Settings for name in AGENTS},
}


def block(language: str) -> str:
    """The one example in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_setting_is_shown_with_its_default(section: str) -> None:
    shown = next(
        part for part in f"\n{block('toml')}".split("\n[") if part.startswith(f"{section}]")
    )
    fields = SECTIONS[section].model_fields
    assert [name for name in fields if not re.search(rf"\b{name}\b", shown)] == []
    for name, value in tomllib.loads(shown.partition("\n")[2]).items():
        default = fields[name].default
        assert value == (list(default) if isinstance(default, tuple) else default)


def test_the_agent_runs(grader_run: GraderRun) -> None:
    (grader_run.folder / "own").mkdir()
    (grader_run.folder / "own/agent.py").write_text(block("python"))
    grader_run.environment["PYTHONPATH"] += f"{os.pathsep}{grader_run.folder}"
    grader_run.tasks("t1")
    assert grader_run.go(agent="own.agent").returncode == 0
    assert grader_run.records()["t1"]["outcome"] == "clean"
