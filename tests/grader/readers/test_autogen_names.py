"""Chats of AutoGen 0.2 and AG2, whose roles are those that one of the agents sees."""

from __future__ import annotations

from typing import Any

import pytest

from grader import verify
from grader.readers import from_native
from grader.readers.messages import read_messages

ASKED = "What is the mean of the 20 values of x?"
CODE = "```python\nprint(df.x.mean())\n```"
RAN = "exitcode: 0 (execution succeeded)\nCode output: 3.14159\n"
TURNS = [
    ("user_proxy", ASKED), ("assistant", CODE), ("user_proxy", RAN), ("assistant", "It is 3.14."),
]  # fmt: skip


def chat(roles: dict[str, str], turns: list[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"content": text, "role": roles[name], "name": name} for name, text in turns]


VIEWS = {
    "the proxy's": {"user_proxy": "assistant", "assistant": "user"},
    "the assistant's": {"user_proxy": "user", "assistant": "assistant"},
    "the group's": {"user_proxy": "user", "assistant": "user"},
}


@pytest.mark.parametrize("view", VIEWS)
def test_who_speaks_is_said_by_the_names(view: str) -> None:
    messages = chat(VIEWS[view], TURNS)
    found = from_native({"transcript_id": "a", "ground_truth": "3.14", "messages": messages})
    assert (found.problem, found.task.question, len(found.steps)) == (None, ASKED, 1)
    assert found.steps[0].raw_output == f"{CODE}\n\n<pre>{RAN}</pre>\n\nIt is 3.14."
    assert (verify(messages, "3.14", ASKED), verify(messages, "20", ASKED)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (("Boss", "Data_Analyst", "Engineer"), ["user", "assistant", "assistant"]),
        (("Admin", "Coder", "Code_Executor"), ["user", "assistant", "user"]),
    ],
)
def test_a_group_may_have_names_of_its_own(names: tuple[str, ...], roles: list[str]) -> None:
    turns = list(zip(names, (ASKED, CODE, RAN), strict=True))
    messages = chat(dict.fromkeys(names, "user"), turns)
    assert [role for role, _ in read_messages(messages)] == roles


@pytest.mark.parametrize(
    "messages",
    [
        [
            {"role": "assistant", "name": "UserSupport", "content": "Hello."},
            {"role": "user", "name": "alice", "content": ASKED},
            {"role": "assistant", "name": "UserSupport", "content": "3.14"},
        ],
        [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": ASKED}],
        chat({"user1": "user", "user2": "user"}, [("user1", ASKED), ("user2", "3")]),
        chat({"alice": "user", "bob": "user"}, [("alice", ASKED), ("bob", "3")]),
        chat({"assistant": "assistant"}, [("assistant", "3")]),
    ],
)
def test_other_names_change_no_roles(messages: list[dict[str, Any]]) -> None:
    read = [role for role, _ in read_messages(messages)]
    assert read == [one["role"] for one in messages]
