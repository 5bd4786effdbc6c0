"""The cascade on one transcript at a time."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.integrations.single import SingleGrader, lenient_from
from grader.records import Step, Task
from tests.grader.transcripts import transcript


def replies(path: Path, *texts: str) -> Path:
    """A file of replies to transcripts of the id x1."""
    lines = [json.dumps({"transcript_id": "x1", "reply": text}) + "\n" for text in texts]
    path.write_text("".join(lines))
    return path


def replaying(path: Path) -> SingleGrader:
    return SingleGrader(lenient=lenient_from("replay", None, None, str(path)))


def test_a_strict_failure_is_judged(tmp_path: Path) -> None:
    grader = replaying(replies(tmp_path / "replies.jsonl", "0.25"))
    grades = grader.grade(transcript("In order: 0.31, 0.4, 0.5, 0.6 and 0.25, rate for rate."))
    assert [grade.grader for grade in grades[-2:]] == ["lenient", "cascade"]
    assert grades[-1].verdict == "correct"


def test_what_cannot_be_graded_is_not_judged(tmp_path: Path) -> None:
    grader = replaying(replies(tmp_path / "replies.jsonl", "yes"))
    task = Task(task_id="t", ground_truth="maybe", answer_kind="choice", choices=("yes", "no"))
    assert {grade.verdict for grade in grader.grade(transcript("Yes.", task))} == {"ungraded"}
    preview = Step(raw_output="It is 0.4.", metadata={"truncated": True})
    cut = transcript("").model_copy(update={"steps": (preview,)})
    assert {grade.verdict for grade in grader.grade(cut)} == {"ungraded"}


def test_settings_that_cannot_be_carried_out_give_the_same_error_each_time(tmp_path: Path) -> None:
    lenient = lenient_from("replay", None, None, str(tmp_path / "missing.jsonl"))
    grader = SingleGrader(lenient=lenient, calls=tmp_path / "calls")
    for _ in range(2):
        with pytest.raises(UserError, match=r"missing\.jsonl: no such file"):
            grader.grade(transcript("I could not do it."))
    replies(tmp_path / "missing.jsonl", "UNCLEAR")
    assert grader.grade(transcript("I could not do it."))[-1].verdict == "no_answer"


def test_what_was_opened_is_closed_with_the_grader(tmp_path: Path) -> None:
    before = threading.enumerate()
    grader = replaying(replies(tmp_path / "replies.jsonl", "UNCLEAR"))
    grader.grade(transcript("No idea."))
    assert len(threading.enumerate()) == len(before) + 1
    del grader
    assert threading.enumerate() == before


def test_closing_is_not_the_end(tmp_path: Path) -> None:
    grader = replaying(replies(tmp_path / "replies.jsonl", "UNCLEAR"))
    grades = grader.grade(transcript("No idea."))
    grader.close()
    assert grader.grade(transcript("No idea.")) == grades
    grader.close()


def test_two_graders_do_not_share_a_folder_of_calls(tmp_path: Path) -> None:
    lenient = lenient_from("replay", None, None, str(replies(tmp_path / "r.jsonl", "UNCLEAR")))
    one, other = (SingleGrader(lenient=lenient, calls=tmp_path / "calls") for _ in range(2))
    one.grade(transcript("No idea."))
    with pytest.raises(UserError, match="calls: another grader writes its calls there"):
        other.grade(transcript("No idea."))
    one.close()
    assert other.grade(transcript("No idea."))[-1].verdict == "no_answer"
    other.close()
