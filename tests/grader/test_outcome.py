from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.outcome import gradable, outcome_of
from grader.readers import from_native, read
from grader.records import Transcript
from grader.strict import Reading
from tests.grader.transcripts import transcript
from tests.shared_data import FIXTURES

STEP = {"raw_output": "The mean rate is 0.25."}


def outcome(made: Transcript) -> str:
    return outcome_of(made, gradable=gradable(Reading(made)))


@pytest.mark.parametrize(
    ("texts", "kinds", "expected"),
    [
        (["It is 0.25."], (), "clean"),
        (["It fails.", "It is 0.25."], ("original_prompt", "inspector_revision"),
         "error_recovered"),
        (["It fails.", "It is 0.25."], ("original_prompt", "nudge_generic"), "nudge_recovered"),
        (["I could not do it."], (), "failed"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("truth", ["0.25", "0.9", None, "NaN", "12 days"])
def test_the_outcome_does_not_depend_on_the_published_answer(
    texts: list[str], kinds: tuple[str, ...], expected: str, truth: str | None
) -> None:
    assert outcome(transcript(texts, truth=truth, kinds=kinds)) == expected


def test_a_published_answer_in_numbers_may_be_missing_from_any_fixture() -> None:
    for line in (FIXTURES / "transcripts.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        whole = from_native(record)
        if whole.task.answer_kind in ("number", "percent"):
            lacking = from_native({**record, "ground_truth": None})
            assert outcome(lacking) == outcome(whole)


def test_a_record_whose_id_is_taken_has_an_outcome(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    record = {"transcript_id": "a", "ground_truth": "1", "steps": [STEP]}
    path.write_text(2 * (json.dumps(record) + "\n"))
    assert [outcome(made) for made in read(path)] == ["clean", "clean"]


def test_without_steps_it_failed() -> None:
    assert outcome(from_native({"transcript_id": "a", "ground_truth": "1"})) == "failed"
