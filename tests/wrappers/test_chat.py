from __future__ import annotations

from pathlib import Path

import pytest

from grader.records import Task
from tests.wrappers.scripted.llm import serving
from wrappers.agent import Surroundings
from wrappers.agents.chat import Settings, make
from wrappers.prompts import load_prompts
from wrappers.settings import IsolationSettings, LoopSettings


def test_what_a_failed_turn_said_is_no_part_of_its_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    place = Surroundings(IsolationSettings(), LoopSettings(), load_prompts(), tmp_path)
    with serving({"MARK": ["```python\n1 / 0\n```"]}) as server:
        agent = make(Settings(model="m", base_url=server.base_url), place)
        agent.start(Task(task_id="t"), [], tmp_path)
        assert agent.send("MARK").failed
    monkeypatch.setattr(agent, "_ask", lambda messages: pytest.fail(agent.partial() or "nothing"))
    with pytest.raises(pytest.fail.Exception, match="nothing"):
        agent.revise()
    agent.reset()
