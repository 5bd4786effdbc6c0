"""Values that are chats, and those that look like one; chats kept as JSON texts in columns."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from grader import extract, grade, grade_column, grade_file, verify
from grader.readers import from_native
from grader.readers.chat_records import chat_in

USER = {"role": "user", "content": "How many of the 5 rows are empty?"}
CHAT = [USER, {"role": "assistant", "content": "There are 3."}, {**USER, "content": "All 7?"}]
LANGCHAIN = [{"type": "human", "content": "How many?"}, {"type": "ai", "content": "3"}]


@pytest.mark.parametrize("chat", [CHAT, LANGCHAIN])
def test_a_chat_may_be_a_text(chat: list[dict[str, object]]) -> None:
    text = json.dumps(chat)
    for value in (chat, text, f"\n{text}", text.encode(), json.dumps({"messages": chat})):
        assert chat_in(value) == chat


@pytest.mark.parametrize(
    "value",
    [
        "There are 3.", "", None, 3, "[3", "[1, 2, 3]", "[]", "{}", '["user", "assistant"]',
        '{"answer": 3}', '{"messages": 3}', '[{"type": "bot", "count": 3}]',
        '[{"type": "human", "value": 5}, {"type": "bot", "value": 3}]',
        json.dumps([USER]), json.dumps([*CHAT, {"mean": 3}]), json.dumps([*CHAT, 3]),
        [{"role": "assistant", "content": "I add.", "raw_output": "3"}],
    ],
)  # fmt: skip
def test_what_is_no_chat(value: object) -> None:
    assert chat_in(value) is None


def test_the_verbs_read_the_json_text_of_a_chat() -> None:
    question, text = "How many of the 5 rows are empty?", json.dumps(CHAT)
    assert (verify(text, "3", question), verify(text, "7", question)) == (1.0, 0.0)
    assert extract(text, question).scalar == 3
    assert grade(text, "3", question).verdict == "correct"
    column = pd.Series([text, '[{"type": "bot", "count": 3}]', "There are 3."])
    assert grade_column(column, "3", question)["verdict"].tolist() == ["correct"] * 3


def test_an_output_may_be_a_chat() -> None:
    for output in (CHAT, json.dumps(CHAT)):
        found = from_native({"transcript_id": "a", "ground_truth": "3", "raw_output": output})
        assert [step.raw_output for step in found.steps] == ["There are 3."]
        assert found.task.question == USER["content"]
    steps = [{"raw_output": json.dumps(CHAT)}]  # as it stands, since a run's records are so
    found = from_native({"transcript_id": "a", "ground_truth": "3", "steps": steps})
    assert found.steps[0].raw_output == json.dumps(CHAT)


def test_other_messages_beside_an_output_that_is_a_chat_stay() -> None:
    record = {"transcript_id": "a", "ground_truth": "3", "raw_output": CHAT, "messages": [USER]}
    found = from_native(record)
    assert [step.raw_output for step in found.steps] == ["There are 3."]
    assert found.metadata == {"messages": [USER]}
    ours = {**record, "steps": [{"raw_output": "It is 3."}]}
    assert [step.raw_output for step in from_native(ours).steps] == ["It is 3."]


@pytest.mark.parametrize("name", ["messages", "raw_output"])
def test_parquet_may_hold_chats_as_texts(name: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"transcript_id": ["a"], "ground_truth": ["3"], name: [json.dumps(CHAT)]})
    frame.to_parquet(tmp_path / "run.parquet")
    frame.to_json(tmp_path / "run.jsonl", orient="records", lines=True)
    for file in ("run.parquet", "run.jsonl"):
        graded = grade_file(tmp_path / file, graders="strict_blind")
        assert graded["verdict"].tolist() == ["correct"], file
