"""Replay: both recorded forms, offline, and the figures on the development transcripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.llm.calls import CallLog
from grader.llm.replay import Recording
from grader.readers import read
from tests.shared_data import SHARED, needs_shared

from ..lenient.runs import calls, grade, transcript
from .server import FaultServer


def test_recorded_calls_replay_to_the_same_grades(tmp_path: Path) -> None:
    items = [transcript(i, f"{i}: 0.28 or 0.31") for i in range(6)]
    scripts = {"a": "0.28", "b": "no form", "c": "0.31"}
    with FaultServer(lambda body, n: scripts[body["model"]]) as server:
        live, _ = grade(tmp_path / "live", items, models=("a", "b", "c"), base_urls=(server.url,))
        sent = len(server.requests)
    recorded = tmp_path / "live" / "llm_calls.jsonl"
    lines = recorded.read_text().splitlines(keepends=True)
    recorded.write_text("".join(reversed(lines)))  # judges reply in any order
    replayed, summary = grade(
        tmp_path / "replayed", items, mode="replay", replay_file=recorded, models=()
    )
    assert replayed == live
    assert (sent, summary.tally.usage.calls, summary.tally.usage.reused) == (24, 0, 24)
    assert {call.source for call in calls(tmp_path / "replayed")} == {"replay"}
    assert sum(call.charged.calls for call in calls(tmp_path / "replayed")) == 0
    once_more = tmp_path / "replayed" / "llm_calls.jsonl"
    again, _ = grade(tmp_path / "third", items, mode="replay", replay_file=once_more, models=())
    assert again == live


def test_one_recorded_judge_can_be_chosen(tmp_path: Path) -> None:
    path = write_replies(tmp_path, [("t1", "0.28", "one"), ("t1", "0.31", "two")])
    item = transcript(1, "0.28 or 0.31")
    [both], _ = grade(tmp_path / "r", [item], mode="replay", replay_file=path, models=())
    [one], _ = grade(tmp_path / "s", [item], mode="replay", replay_file=path, models=("one",))
    assert (both.reason, one.verdict) == ("tie", "correct")
    with pytest.raises(UserError, match=r"unknown recorded judge 'oen'\. Did you mean 'one'"):
        grade(tmp_path / "t", [item], mode="replay", replay_file=path, models=("oen",))


def test_plain_replies(tmp_path: Path) -> None:
    path = write_replies(
        tmp_path, [("t1", "0.28", "j"), ("t2", "about 0.28?", "j"), ("t3", "UNCLEAR", "j")]
    )
    items = [transcript(i) for i in (1, 2, 3, 4)]
    grades, _ = grade(tmp_path / "r", items, mode="replay", replay_file=path, models=())
    log = tmp_path / "r" / "llm_calls.jsonl"
    second, _ = grade(tmp_path / "s", items, mode="replay", replay_file=log, models=())
    assert [g.reason for g in second] == [g.reason for g in grades]
    assert [(g.verdict, g.reason) for g in grades] == [
        ("correct", "within_tolerance"),
        ("ungraded", "unparseable_reply"),
        ("no_answer", "unclear"),
        ("ungraded", "not_recorded"),
    ]
    for folder in (tmp_path / "r", tmp_path / "s"):
        assert [(c.prompt_id, c.messages) for c in calls(folder)] == [("", ())] * 3
    path.write_text(path.read_text().replace("UNCLEAR", "0.28"))
    again, _ = grade(tmp_path / "r", items, mode="replay", replay_file=path, models=())
    assert again[2].verdict == "correct"
    assert [call.reply for call in calls(tmp_path / "r")][3:] == ["0.28"]  # the log has it too


def test_a_plain_reply_is_no_reply_to_a_prompt(tmp_path: Path) -> None:
    path = write_replies(tmp_path, [("t1", "0.31", "gpt-4o-mini")])
    grade(tmp_path, [transcript()], mode="replay", replay_file=path, models=())
    [call] = calls(tmp_path)
    log = CallLog(tmp_path / "llm_calls.jsonl")
    assert log.served(call.key, "t1") == call.to_reply()
    assert log.find(call.key) is None  # the model itself may be asked this
    log.close()


def test_of_the_steps_before_a_nudge_no_reply_to_a_whole_transcript_is_read(tmp_path: Path) -> None:
    with FaultServer(lambda body, n: "0.28") as server:
        grade(tmp_path, [transcript(2)], base_urls=(server.url,))
    path = tmp_path / "llm_calls.jsonl"
    path.write_text(path.read_text() + '{"transcript_id": "t1", "reply": "0.28"}\n')
    recording = Recording(path)
    recording.forget_whole_transcripts()
    assert len(recording.by_key) == 1
    assert not recording.by_transcript


def test_plain_reply_with_the_sentence_that_settles_on_an_option(tmp_path: Path) -> None:
    question = "What is its shape?\nA. Symmetric\nB. Skewed to the right"
    output = "A few huge values pull the mean far above the median."
    items = [transcript(i, f"Plot {i}. {output}", "B", "choice", question=question) for i in (1, 2)]
    path = tmp_path / "replies.jsonl"
    rows = [
        {"transcript_id": "t1", "reply": "B", "quote": output},
        {"transcript_id": "t2", "reply": "B"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for source in (path, tmp_path / "r" / "llm_calls.jsonl"):  # the second replays the first
        folder = tmp_path / ("r" if source is path else "again")
        grades, _ = grade(folder, items, mode="replay", replay_file=source, models=())
        assert [g.reason for g in grades] == ["same_option", "ungrounded"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"transcript_id": "t1"}\n', ":1: neither a recorded call nor a reply"),
        ('{"transcript_id": "t1", "reply": "B", "quote": 1}\n', 'may have "quote" and "same"'),
        (
            2 * '{"transcript_id": "t", "reply": "1"}\n' + '{"transcript_id": "t", "reply": "2"}\n',
            ":3: another `reply` of 'recorded judge' to transcript 't'",
        ),
        ('{"key": "k"}\n', ":1: not an LLM call: at: Field required"),
        ("[]\n{}\n", ":1: not a JSON object"),
        ("", "holds no recorded replies"),
    ],
)
def test_unreadable_recording(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        Recording(path)


def test_a_judge_whose_name_no_file_can_hold(tmp_path: Path) -> None:
    path = write_replies(tmp_path, [("t1", "0.28", "a\ud800")])
    recording = Recording(path)
    assert [endpoint.model for endpoint in recording.endpoints] == ["a\ufffd"]
    assert recording.by_transcript == {("extract", "t1", "a\ufffd"): "0.28"}


def write_replies(folder: Path, rows: list[tuple[str, str, str]]) -> Path:
    path = folder / "replies.jsonl"
    lines = [json.dumps({"transcript_id": t, "reply": r, "judge": j}) for t, r, j in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


@needs_shared
def test_lenient_alone_finds_every_match_in_the_development_transcripts(tmp_path: Path) -> None:
    labels = {}
    for line in (SHARED / "data" / "transcripts" / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        labels[row["transcript_id"]] = row["label"]
    grades, _ = grade(
        tmp_path,
        read(SHARED / "data" / "transcripts" / "transcripts.jsonl"),
        mode="replay",
        replay_file=SHARED / "data" / "judge_replies" / "replies.jsonl",
        models=(),
    )
    passed = {g.transcript_id for g in grades if g.verdict == "correct"}
    assert passed == {t for t, label in labels.items() if label == "match"}
    assert len(passed) == 36


@needs_shared
def test_lenient_alone_on_a_recorded_run(tmp_path: Path) -> None:
    grades, _ = grade(
        tmp_path,
        read(SHARED / "data" / "lambda_run" / "dsgym_results.json"),
        mode="replay",
        replay_file=SHARED / "data" / "judge_replies" / "replies.jsonl",
        models=(),
    )
    failed = [g.transcript_id for g in grades if g.verdict != "correct"]
    numerical = [g for g in grades if not g.transcript_id.endswith("_4_4")]
    assert failed == ["qrdata_original_qrdata_18_18", "qrdata_original_qrdata_42_42"]
    assert sum(g.verdict == "correct" for g in numerical) == 22
