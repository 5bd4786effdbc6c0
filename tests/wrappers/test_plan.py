"""What a run does, from settings files and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InputError, UserError
from grader.settings import GradeSettings, load_settings
from wrappers.agents import AGENTS, REPLAY
from wrappers.plan import make_plan

from .conftest import GraderRun


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ('[agent.lamda]\nmodel = "m"', "[agent.lamda]: unknown agent 'lamda'. Did you mean"),
        ("[agent.my_package.my_agent]\nx = 1", 'in quotes: [agent."my_package.my_agent"]'),
        ("[agent.command]\ncomand = 'x'", "settings.toml: [agent.command] comand: Extra inputs"),
        ("[agent.command]\nconversation = '$history'", "conversation: lacks $prompt, so the"),
        ("[isolation]\nnetwork = 3", "settings.toml: [isolation] network: Input should be"),
    ],
)
def test_a_section_that_cannot_be_meant_is_refused(
    grader_run: GraderRun, section: str, says: str
) -> None:
    grader_run.tasks("t1")
    (grader_run.folder / "settings.toml").write_text(section)
    done = grader_run.go("--command", "true", agent="command")
    assert done.returncode == 2 and says in done.stderr


@pytest.mark.parametrize(
    ("stated", "says"),
    [("modle = 'x'", "modle: Extra inputs"), ("model = 'x'\nbase_url = 'y'", "base_url: a base")],
)
def test_a_fault_is_named_with_its_file(tmp_path: Path, stated: str, says: str) -> None:
    """The misspelt setting, not the one that is missing therefore."""
    path = tmp_path / "settings.toml"
    path.write_text(f"[agent.chat]\n{stated}\n")
    with pytest.raises(InputError, match=rf"settings\.toml: \[agent\.chat\] {says}"):
        make_plan("chat", {}, settings=path)


@pytest.mark.parametrize(
    "stated",
    [
        "[run]\ntask_timeout = 1e11",
        "[run]\nstart_timeout = 1e11",
        "[isolation]\ncpu_seconds = 100_000_000_000",
        "[isolation]\nmemory_mb = 10_000_000_000_000",
        "[isolation]\nfile_mb = 10_000_000_000_000",
        "[agent.chat]\nrequest_timeout = 1e11",
    ],
)
def test_more_than_a_system_can_take_is_refused(tmp_path: Path, stated: str) -> None:
    """It would end the command, or the agent's turn, by an error."""
    path = tmp_path / "settings.toml"
    path.write_text(stated)
    with pytest.raises(UserError, match="less than or equal to"):
        make_plan("chat", {"model": "m", "base_url": "http://h/v1"}, settings=path)


def test_a_replay_too_refuses_the_section_of_no_agent(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('[agent.comand]\ncommand = "true"\n')
    with pytest.raises(UserError, match=r"\[agent\.comand\]: unknown agent 'comand'"):
        make_plan(REPLAY, {}, settings=path)


def test_another_agent_is_a_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its settings are read from its section, by every command."""
    monkeypatch.setitem(AGENTS, "mine", "wrappers.agents.command")
    path = tmp_path / "settings.toml"
    path.write_text('[agent.mine]\ncommand = "true"\n')
    assert make_plan("mine", {}, settings=path).agent_settings["command"] == "true"
    assert load_settings(GradeSettings, "grade", path) == GradeSettings()
