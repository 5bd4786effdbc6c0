"""Chats: what the agent said and what its code printed is output; what the user says is not."""

from __future__ import annotations

import pytest

from grader.readers import from_native
from grader.readers.conversation import steps_of
from grader.readers.messages import Message
from grader.records import Step
from tests.grader.transcripts import grade_strict

ASKED, WORKING = (
    Message("user", "How many clusters?"),
    Message("assistant", "I fit the models next."),
)


def kinds_and_outputs(*turns: Message, question: str = "") -> list[tuple[str, str]]:
    return [(step.instruction_type, step.raw_output) for step in steps_of(turns, question)]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("You have 3 steps left. Continue.", "nudge_generic"),
        ("Output: a single number, for example 4.", "nudge_generic"),
        ("Only the number, please. How many clusters?", "nudge_original"),
        ("Error: Turn 2 failed: 500. Please try a different approach.", "inspector_revision"),
    ],
)
def test_a_users_turn_is_an_instruction(said: str, kind: str) -> None:
    turns = (ASKED, WORKING, Message("user", said), Message("assistant", "It is 3."))
    first, second = steps_of(turns, "How many clusters?")
    assert (first.instruction_text, first.raw_output) == (ASKED.text, WORKING.text)
    assert (second.instruction_type, second.instruction_text) == (kind, said)
    assert second.raw_output == "It is 3."


@pytest.mark.parametrize(
    ("said", "output"),
    [
        ("\n<information>0.2</information>\n", "<information>0.2</information>"),
        ('<Pre class="out">0.2</Pre>', "<pre>0.2</pre>"),
        ("[stdout]\n0.2", "<pre>[stdout]\n0.2</pre>"),
        ("Observation: 0.2", "<pre>Observation: 0.2</pre>"),
        ("Execution result:\na < 3", "<pre>Execution result:\na &lt; 3</pre>"),
        ("Error:\nKeyError: 'x'", "<pre>Error:\nKeyError: 'x'</pre>"),
    ],
)
def test_output_may_come_in_a_users_turn(said: str, output: str) -> None:
    found = kinds_and_outputs(
        ASKED, WORKING, Message("user", said), Message("assistant", "So 0.2.")
    )
    assert found == [("original_prompt", f"{WORKING.text}\n\n{output}\n\nSo 0.2.")]


@pytest.mark.parametrize(
    ("said", "output"),
    [
        ("Observation: k=2 bic 40", "<pre>Observation: k=2 bic 40</pre>"),
        ("EXECUTION RESULT: loaded, 150 rows", "<pre>EXECUTION RESULT: loaded, 150 rows</pre>"),
        ("Your code printed:\n<pre>0.2</pre>", "<pre>0.2</pre>"),
        ("exitcode: 0 (execution succeeded)\nCode output: k", "<pre>{said}</pre>"),
        ("The output of the code is:\nk", "<pre>{said}</pre>"),
        ("Code executed successfully. Output:\nk", "<pre>{said}</pre>"),
        ("EXECUTION OUTPUT of [IPythonRunCellAction]:\nk", "<pre>{said}</pre>"),
        ("```output\nk\n```", "<pre>{said}</pre>"),
        ("0.2", "<pre>0.2</pre>"),
    ],
)
@pytest.mark.parametrize("code", ["```python\nfit()\n```", "<python>fit()</python>", "Action: fit"])
def test_what_follows_code_may_be_output_with_words(code: str, said: str, output: str) -> None:
    working = Message("assistant", code)
    found = kinds_and_outputs(
        ASKED, working, Message("user", said), Message("assistant", "So 0.2.")
    )
    printed = output.replace("{said}", said)
    assert found == [("original_prompt", f"{code}\n\n{printed}\n\nSo 0.2.")]


@pytest.mark.parametrize(
    ("working", "said"),
    [
        ("```python\nfit()\n```", "It ran for 3 s."),
        ("```python\nfit()\n```", "The output is wrong, please fix:\nk must be 3."),
        ("```python\nfit()\n```", "Results should be rounded:\n0.2"),
        ("```python\nfit()\n```", "Error: NameError: fit"),
        (WORKING.text, "Traceback (most recent call last):\nValueError: x"),
        (WORKING.text, "KeyError: 'x'"),
    ],
)
def test_what_is_said_to_code_is_no_nudge(working: str, said: str) -> None:
    turns = (
        ASKED,
        Message("assistant", working),
        Message("user", said),
        Message("assistant", "So 0.2."),
    )
    assert kinds_and_outputs(*turns)[1:] == [("inspector_revision", "So 0.2.")]


def test_what_a_user_says_beside_output_is_an_instruction() -> None:
    said = "<information>1</information>\nSay 4.\n<information>2</information>\nUse 4 digits."
    (step,) = steps_of([ASKED, WORKING, Message("user", said), Message("assistant", "So 0.2.")])
    assert step.instruction_text == f"{ASKED.text}\n\nSay 4.\n\nUse 4 digits."
    assert step.raw_output.count("<information>") == 2 and "4" not in step.raw_output


@pytest.mark.parametrize("role", ["tool", "user"])
def test_tags_in_output_mean_nothing(role: str) -> None:
    notice = Message(role, "<information>Write <answer>ANSWER</answer>.</information>")
    (step,) = steps_of([ASKED, WORKING, notice])
    assert step.raw_output.endswith("Write &lt;answer&gt;ANSWER&lt;/answer&gt;.</information>")


def test_what_tools_print_is_execution_output() -> None:
    turns = (ASKED, Message("assistant", ""), Message("tool", "3 < 4"), Message("assistant", "3."))
    assert kinds_and_outputs(*turns) == [("original_prompt", "<pre>3 &lt; 4</pre>\n\n3.")]


def test_an_instruction_that_nobody_answered_is_no_step() -> None:
    turns = (
        Message("system", "Be brief."),
        ASKED,
        WORKING,
        Message("user", "Step limit (10 turns)."),
    )
    assert kinds_and_outputs(*turns) == [("original_prompt", WORKING.text)]
    assert steps_of([ASKED]) == ()


def test_an_empty_reply_is_a_step() -> None:
    turns = (
        ASKED,
        Message("assistant", "It is 3."),
        Message("user", "Sure?"),
        Message("assistant", ""),
    )
    assert kinds_and_outputs(*turns)[-1] == ("nudge_generic", "")


def test_prompts_in_a_row_are_one_instruction() -> None:
    (step,) = steps_of([ASKED, Message("user", "Use k-means."), WORKING])
    assert step.instruction_text == "How many clusters?\n\nUse k-means."


def test_a_record_may_be_a_chat() -> None:
    messages = [
        {"role": "system", "content": "You analyse data."},
        {"role": "user", "content": "How many clusters?"},
        {"role": "assistant", "content": "```python\nprint(k)\n```"},
        {"role": "user", "content": "Output: 3"},
        {"role": "assistant", "content": "There are 3 clusters."},
    ]
    found = from_native({"transcript_id": "a", "ground_truth": "3", "messages": messages})
    assert found.problem is None
    assert found.task.question == "How many clusters?"
    (step,) = found.steps
    assert step.raw_output.endswith("<pre>Output: 3</pre>\n\nThere are 3 clusters.")


SMOLAGENTS = [
    {"role": "user", "content": [{"type": "text", "text": "What is the mean?"}]},
    {"role": "tool-call", "content": [{"type": "text", "text": "Calling tools:\n[{'id': '1'}]"}]},
    {"role": "tool-response", "content": [{"type": "text", "text": "Observation:\n30.5"}]},
]


def test_tools_have_turns_in_smolagents_memory() -> None:
    found = from_native({"id": "a", "ground_truth": "30.5", "messages": SMOLAGENTS})
    assert (found.transcript_id, found.problem) == ("a", None)
    (step,) = found.steps
    assert step.raw_output.endswith("```\n\n<pre>Observation:\n30.5</pre>")


@pytest.mark.parametrize("content", ["", None, []])
def test_an_agent_that_says_nothing_has_no_answer(content: object) -> None:
    chat = [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": content}]
    found = from_native({"transcript_id": "a", "ground_truth": "3", "messages": chat})
    assert (found.problem, found.steps) == (None, (Step(),))
    assert grade_strict(found, "strict_blind").verdict == "no_answer"


def test_a_role_that_nobody_knows_is_told(caplog: pytest.LogCaptureFixture) -> None:
    chat = [{"role": "oracle", "content": "3"}, {"role": "assistant", "content": "It is 4."}]
    found = from_native({"transcript_id": "a", "ground_truth": "3", "messages": chat})
    assert [step.raw_output for step in found.steps] == ["It is 4."]
    assert "'oracle' are left out" in caplog.text


def test_steps_win_over_messages_and_a_chat_without_output_has_no_steps() -> None:
    asked = [{"role": "user", "content": "How many?"}]
    record = {"transcript_id": "a", "ground_truth": "3", "messages": asked}
    assert "no_steps" in (from_native(record).problem or "")
    both = from_native({**record, "steps": [{"raw_output": "3"}]})
    assert [step.raw_output for step in both.steps] == ["3"]
    assert both.metadata == {"messages": asked}


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([{"role": "user", "content": "How many?"}], "the messages hold no turn of the agent"),
        (
            [
                {"source": "user", "content": "How many?"},
                {"source": "analyst", "content": "It is 3.", "models_usage": None},
            ],
            "no role known in the messages (keys: source, content, models_usage)",
        ),
        (["How many?", "It is 3."], "no role known in the messages (keys: none)"),
        ([{"type": "chat", "data": {"role": "user"}}], "the messages hold no turn of the agent"),
        ([], "the record has no steps, messages or raw_output"),
        (None, "the record has no steps, messages or raw_output"),
    ],
)
def test_a_chat_without_output_says_what_it_lacks(messages: object, why: str) -> None:
    found = from_native({"transcript_id": "a", "ground_truth": "3", "messages": messages})
    assert (found.problem, found.steps) == (f"no_steps: {why}", ())
