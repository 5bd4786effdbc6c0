"""The chat agent's turns: what each says, and what becomes of replies that are none."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from grader.llm.request import DEFAULT_SERVICE
from grader.records import Task
from tests.wrappers.scripted import llm
from tests.wrappers.scripted.llm import Reply, ScriptedServer, serving
from tests.wrappers.scripted.scenarios import code
from wrappers.agent import AgentUnavailable, Surroundings
from wrappers.agents.chat import ChatAgent, Settings, make
from wrappers.prompts import load_prompts
from wrappers.settings import IsolationSettings, LoopSettings


@contextmanager
def conversation(
    folder: Path, replies: Sequence[Reply | str], **settings: Any
) -> Iterator[tuple[ChatAgent, ScriptedServer]]:
    """An agent that has begun a task, and its model, which gives these replies to MARK."""
    place = Surroundings(IsolationSettings(), LoopSettings(), load_prompts(), folder)
    with serving({"MARK": replies}) as server:
        agent = make(Settings(model="m", base_url=server.base_url, **settings), place)
        agent.start(Task(task_id="t"), [], folder)
        yield agent, server
        agent.reset()


def test_an_empty_variable_names_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    place = Surroundings(IsolationSettings(), LoopSettings(), load_prompts(), tmp_path)
    agent = make(Settings(model="m"), place)
    assert str(agent._api.base_url) == f"{DEFAULT_SERVICE}/"


def test_what_a_failed_turn_said_is_no_part_of_its_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with conversation(tmp_path, [code("1 / 0")]) as (agent, _):
        assert agent.send("MARK").failed
        monkeypatch.setattr(agent, "_ask", lambda _: pytest.fail(agent.partial() or "nothing"))
        with pytest.raises(pytest.fail.Exception, match="nothing"):
            agent.revise()


@pytest.mark.parametrize("why", ["length", "content_filter", "max_tokens", "error"])
def test_a_reply_that_was_cut_off_is_asked_for_again(tmp_path: Path, why: str) -> None:
    replies = [Reply("The mean is 0.2", finish=why), "The mean is 0.28."]
    with conversation(tmp_path, replies) as (agent, server):
        turn = agent.send("MARK")
    assert turn.raw_output == "The mean is 0.28."
    assert turn.metadata["finish_reasons"] == [why, "stop"]
    assert "Your reply was cut off" in server.requests[-1]["messages"][-1]["content"]


def test_a_turn_that_ends_cut_off_has_no_output(tmp_path: Path) -> None:
    """It is asked for again as often as there are rounds; the next turn is a new one."""
    cut = Reply("The mean is 0.2", finish="length")
    replies = [code("print(7)"), cut, cut, cut, cut, "0.28"]
    with conversation(tmp_path, replies) as (agent, _):
        turn, nudged = agent.send("MARK"), agent.send("Only the number.")
    assert (turn.raw_output, turn.failed) == ("", False)
    assert turn.metadata["cut_off"] == "length"
    assert turn.metadata["finish_reasons"] == ["stop", *["length"] * 4]
    assert "<pre>7</pre>\nThe mean is 0.2" in turn.metadata["partial_output"]
    assert nudged.raw_output == "0.28" and nudged.metadata == {"finish_reasons": ["stop"]}


def test_whole_code_in_a_reply_that_was_cut_off_is_run(tmp_path: Path) -> None:
    replies = [Reply(code("print(7)") + "\nThen I wi", finish="length"), "It is 7."]
    with conversation(tmp_path, replies) as (agent, _):
        turn = agent.send("MARK")
    assert "<pre>7</pre>" in turn.raw_output and turn.raw_output.endswith("It is 7.")


@pytest.mark.parametrize(
    "reply",
    [
        "```Python\nprint(7)\n```",
        "``` python\nprint(7)\n```",
        "I use ```python print()``` here.\n\n```python\nprint(7)\n```",
    ],
)
def test_a_block_of_code_is_run_however_it_is_opened(tmp_path: Path, reply: str) -> None:
    with conversation(tmp_path, [reply, "It is 7."]) as (agent, _):
        turn = agent.send("MARK")
    assert turn.raw_output == f"{reply}\n<pre>7</pre>\nIt is 7."


@pytest.mark.parametrize(
    ("thought", "result"),
    [
        ("<think>Perhaps {}, no.</think>", "<pre>7</pre>"),
        ("Perhaps {}, no.\n</think>\n", "<pre>7</pre>"),  # the prompt had the opening tag
        ("Perhaps {}, no. </think>\n", "<pre>7</pre>"),
        ("I remove '</think>' first, as in {} and", "<pre>1\n7</pre>"),  # no thought
    ],
)
def test_a_draft_in_what_a_model_thinks_is_not_run(
    tmp_path: Path, thought: str, result: str
) -> None:
    reply, last = thought.format(code("print(1)")) + code("print(7)"), f"{thought}It is 7."
    with conversation(tmp_path, [reply, last]) as (agent, _):
        turn = agent.send("MARK")
    assert turn.raw_output == f"{reply}\n{result}\n{last}"


def test_advice_comes_without_what_the_reviewer_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with conversation(tmp_path, [code("1 / 0"), "It is 7."]) as (agent, server):
        monkeypatch.setattr(llm, "ADVICE", "<think>Hm.</think>Do not divide.")
        agent.send("MARK")
        agent.revise()
    assert "A reviewer advises: Do not divide." in server.requests[-1]["messages"][-1]["content"]


def test_an_empty_reply_is_recorded_as_one(tmp_path: Path) -> None:
    with conversation(tmp_path, [Reply(" ")]) as (agent, _):
        turn = agent.send("MARK")
    assert turn.metadata == {"finish_reasons": ["stop"], "refusals": ["the reply is empty"]}


def test_broken_characters_of_a_question_do_not_stop_the_agent(tmp_path: Path) -> None:
    with conversation(tmp_path, ["The mean is 4.4."]) as (agent, server):
        assert agent.send("MARK \0 \ud800").raw_output == "The mean is 4.4."
        assert server.requests[0]["messages"][-1]["content"] == "MARK \0 \ufffd"


def test_a_reply_that_comes_in_drips_takes_no_longer_than_a_request_may(tmp_path: Path) -> None:
    replies = [Reply("The mean is 4.4.", drip=0.05)]
    with conversation(tmp_path, replies, request_timeout=0.5) as (agent, server):
        began = time.monotonic()
        with pytest.raises(AgentUnavailable, match="out of reach: Request timed out"):
            agent.send("MARK")
        assert time.monotonic() - began < 8  # whole, it would take some 15 s
        assert len(server.requests) == 3


def test_of_a_long_output_the_model_sees_both_ends(tmp_path: Path) -> None:
    cell = code("print('BEGIN', 5000 * 'x', 'END')")
    with conversation(tmp_path, [cell, "4.4"], shown_output=200) as (agent, server):
        agent.send("MARK")
    shown = server.requests[-1]["messages"][-1]["content"]
    assert "BEGIN xx" in shown and "\n[...]\n" in shown and "xx END" in shown
    assert len(shown) < 500
