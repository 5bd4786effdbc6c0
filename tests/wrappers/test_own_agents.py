"""Agents of the user's own, by their import path, and how their faults are reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.errors import UserError
from wrappers.agents import agent_module

from .conftest import GraderRun

BEGINNING = """\
import numpy as np
from grader.settings import StageSettings
from wrappers.agent import Turn

class Settings(StageSettings):
    delay: int = 0

class Agent:
    def start(self, task, files, workspace): pass
    def send(self, instruction):
        return Turn("The mean of x is 4.4.", metadata={"rows": np.int64(3), "seen": {1}})
    def revise(self): return None
    def partial(self): return ""
    def reset(self): pass
"""
MAKE = "def make(settings, surroundings):\n    "


def run_own(
    grader_run: GraderRun, code: str, settings: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run an agent whose module is `own.agent`."""
    (grader_run.folder / "own").mkdir(exist_ok=True)
    (grader_run.folder / "own/agent.py").write_text(code)
    (grader_run.folder / "settings.toml").write_text(f'[agent."own.agent"]\n{settings}')
    grader_run.environment["PYTHONPATH"] += f"{os.pathsep}{grader_run.folder}"
    grader_run.tasks("t1")
    return grader_run.go(agent="own.agent")


def test_metadata_of_a_turn_may_be_anything(grader_run: GraderRun) -> None:
    done = run_own(grader_run, f"{BEGINNING}{MAKE}return Agent()", "delay = 3")
    assert done.returncode == 0, done.stderr
    (step,) = grader_run.records()["t1"]["steps"]
    assert step["metadata"] == {"rows": "3", "seen": [1]}
    manifest = json.loads((grader_run.directory / "manifest.json").read_text())
    assert manifest["run_settings"]["agent_settings"] == {"delay": 3}


def test_a_module_need_not_be_in_a_package(grader_run: GraderRun) -> None:
    (grader_run.folder / "own_agent.py").write_text(f"{BEGINNING}{MAKE}return Agent()")
    (grader_run.folder / "settings.toml").write_text("[agent.own_agent]\ndelay = 3")
    grader_run.environment["PYTHONPATH"] += f"{os.pathsep}{grader_run.folder}"
    grader_run.tasks("t1")
    done = grader_run.go(agent="own_agent")
    assert done.returncode == 0, done.stderr
    assert grader_run.records()["t1"]["agent"] == "own_agent"


def test_a_misspelt_setting_is_refused(grader_run: GraderRun) -> None:
    done = run_own(grader_run, f"{BEGINNING}{MAKE}return Agent()", "dely = 3")
    assert done.returncode == 2
    assert "settings.toml: [agent.own.agent] dely: Extra inputs" in done.stderr


def test_an_agent_that_cannot_be_made_says_why(grader_run: GraderRun) -> None:
    done = run_own(grader_run, f"{BEGINNING}{MAKE}raise ValueError('no weights')")
    assert done.returncode == 1
    place = grader_run.directory / "agent.log"
    reason = f"the agent did not start: ValueError: no weights (see {place})"
    assert f"t1: {reason}" in done.stdout
    assert "in make" in place.read_text()


def test_an_agent_that_is_unavailable_when_it_is_made_did_not_start(grader_run: GraderRun) -> None:
    """It is tried again by the same command, as one that is unavailable later."""
    code = f"from wrappers.agent import AgentUnavailable\n{BEGINNING}{MAKE}"
    done = run_own(grader_run, f"{code}raise AgentUnavailable('no server there')")
    assert done.returncode == 1, done.stderr
    assert "t1: the agent did not start: no server there" in done.stdout
    assert run_own(grader_run, f"{BEGINNING}{MAKE}return Agent()").returncode == 0


def test_an_error_of_the_agent_names_the_log(grader_run: GraderRun) -> None:
    code = BEGINNING.replace("return Turn(", "raise OSError(")
    done = run_own(grader_run, f"{code}{MAKE}return Agent()")
    said = "ended by an error of the agent: 1 of 1 transcripts (the first, t1: TypeError: "
    assert said in done.stderr
    log = grader_run.directory / "agent.log"
    assert f"See their metadata (`detail`) or that of their last steps, and {log}" in done.stderr
    assert "TypeError" in grader_run.records()["t1"]["metadata"]["detail"]


def test_an_exception_that_cannot_be_told_of_is_one(grader_run: GraderRun) -> None:
    code = BEGINNING.replace("return Turn(", "raise Mute(")
    mute = "class Mute(Exception):\n    def __init__(self, *_, **__): pass\n"
    mute += "    def __str__(self): raise ValueError\n"
    assert run_own(grader_run, f"{mute}{code}{MAKE}return Agent()").returncode == 0
    found = grader_run.records()["t1"]["metadata"]
    assert found["stop_reason"] == "agent_error"
    assert found["detail"] == "Mute: (its text raised ValueError)"


def test_an_agent_that_cannot_clean_up_is_told_of(grader_run: GraderRun) -> None:
    code = BEGINNING.replace("def reset(self): pass", "def reset(self): raise OSError")
    done = run_own(grader_run, f"{code}{MAKE}return Agent()")
    assert done.returncode == 0
    place = grader_run.directory / "agent.log"
    assert f"the agent's `reset` failed: exit code 1. See {place}" in done.stderr
    assert "in reset" in place.read_text()
    assert grader_run.records()["t1"]["metadata"]["stop_reason"] == "answered"


def test_an_error_of_the_agent_is_told_in_one_line(grader_run: GraderRun) -> None:
    code = BEGINNING.replace('"The mean of x is 4.4."', "4.4")
    done = run_own(grader_run, f"{code}{MAKE}return Agent()")
    assert "ValidationError: 1 validation error for Step raw_output Input should" in done.stderr


def test_a_turn_that_is_none_is_an_error_of_the_agent(grader_run: GraderRun) -> None:
    """Here the answer to a nudge."""
    turn = 'self.asked = [*getattr(self, "asked", []), 1]; return self.asked == [1] and Turn("Hm."'
    code = BEGINNING.replace('return Turn("The mean of x is 4.4."', turn)
    code = code.replace("{1}})", "{1}}) or None")
    assert run_own(grader_run, f"{code}{MAKE}return Agent()").returncode == 0
    record = grader_run.records()["t1"]
    assert record["metadata"]["stop_reason"] == "agent_error"
    assert "`send` returned None" in record["metadata"]["detail"]
    assert "What is the mean of x?" in record["steps"][1]["instruction_text"]


def test_the_time_that_a_step_takes_to_be_made_is_not_the_agents(grader_run: GraderRun) -> None:
    slow = """
import time, wrappers.loop
make_step = wrappers.loop.make_step
def slow(*parts):
    time.sleep(2.5)
    return make_step(*parts)
wrappers.loop.make_step = slow
"""
    done = run_own(grader_run, f"{BEGINNING}{slow}{MAKE}return Agent()", "[run]\ntask_timeout = 2")
    assert done.returncode == 0, done.stderr
    assert grader_run.records()["t1"]["metadata"]["stop_reason"] == "answered"


def test_a_worker_does_not_try_again_whether_namespaces_work(grader_run: GraderRun) -> None:
    """A chance failure there would open its sandboxes, while the manifest says they are closed."""
    code = BEGINNING.replace('"rows": np.int64(3)', '"closed": namespaces_work()')
    code += "from wrappers.isolation import namespaces_work, subprocess\n"
    broken = f"{MAKE}subprocess.run = 0\n    return Agent()"
    done = run_own(grader_run, code + broken)
    assert done.returncode == 0, done.stderr
    record = grader_run.records()["t1"]
    assert record["metadata"]["stop_reason"] == "answered", record
    manifest = json.loads((grader_run.directory / "manifest.json").read_text())
    (step,) = record["steps"]
    assert step["metadata"]["closed"] == manifest["isolation"]["own_processes"]


def test_the_time_limit_is_that_of_all_turns_together(grader_run: GraderRun) -> None:
    slow = 'import time; time.sleep(1.5); return Turn("Hm."'
    code = BEGINNING.replace('return Turn("The mean of x is 4.4."', slow)
    done = run_own(grader_run, f"{code}{MAKE}return Agent()", "[run]\ntask_timeout = 4")
    assert done.returncode == 0, done.stderr
    record = grader_run.records()["t1"]
    assert record["metadata"]["stop_reason"] == "timeout"
    assert len(record["steps"]) == 3 and record["steps"][2]["metadata"]["cut_off"] == "timeout"


@pytest.mark.parametrize(
    ("forking", "stop_reason"),
    [
        (
            "p = Process(target=time.sleep, args=[60]); p.start(); p.terminate(); p.join()",
            "answered",
        ),
        ("os.fork() or undefined()", "answered"),
        ("os.fork() or time.sleep(60); os._exit(3)", "agent_died"),
    ],
)
def test_an_agent_may_fork(grader_run: GraderRun, forking: str, stop_reason: str) -> None:
    """A forked process speaks not for the agent, ends when it is told to, and hides no death."""
    code = "import multiprocessing, os, time\n" + BEGINNING
    code += "Process = multiprocessing.get_context('fork').Process\n"
    code = code.replace("        return", f"        {forking}\n        return")
    done = run_own(grader_run, f"{code}{MAKE}return Agent()", "[run]\ntask_timeout = 20")
    assert done.returncode == 0, done.stderr
    record = grader_run.records()["t1"]
    assert record["metadata"]["stop_reason"] == stop_reason, record
    assert len(record["steps"]) == 1


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("own_syntax", "def make(:", "SyntaxError: .* See python -c 'import own_syntax.agent'"),
        ("own_name", "undefined", r"cannot import own_name\.agent: NameError: name 'undefined'"),
        ("own_import", "import absent", r"ModuleNotFoundError: .* 'absent'.* PYTHONPATH=\."),
        ("own_base", "from pydantic import BaseModel as Settings", "no `Settings` derived from"),
        ("own_make", "from wrappers.settings import LoopSettings as Settings", "function `make`"),
    ],
)
def test_a_module_that_is_no_agent_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: str, says: str
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "agent.py").write_text(code)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    with pytest.raises(UserError, match=says):
        agent_module(f"{name}.agent")
