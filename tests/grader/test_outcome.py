from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.instrument import instrument_transcript
from grader.outcome import outcome_of
from grader.readers import from_native, read
from grader.records import Transcript
from tests.grader.transcripts import transcript
from tests.shared_data import FIXTURES

STEP = {"raw_output": "The mean rate is 0.25."}
# Tasks by what they ask for, each with published answers of one form: right, wrong and, where
# the task itself says what it asks for, none.
ASKED: dict[str, tuple[dict[str, Any], tuple[str | None, ...]]] = {
    "number": ({}, ("0.25", "0.9", None, "NaN", "12 days")),
    "percent": ({"answer_kind": "percent"}, ("0.25", "40%", None)),
    "text": ({"answer_kind": "text"}, ("red", "blue", "a long answer", None)),
    "unnamed options": ({"answer_kind": "choice"}, ("red", "blue", None)),
    "options": ({"choices": ["red", "blue"]}, ("red", "blue", "A", "B", None)),
    "letters": ({"question": "Which? A. red, B. blue or C. green?"}, ("A", "b", "C")),
    "unlisted letters": ({}, ("A", "b", "C")),
    "quoted options": ({"question": 'Is it "red" or "blue"?'}, ("red", "blue")),
    "yes or no": ({}, ("yes", "no")),
}
CASES = [(asked, truth) for asked, (_, truths) in ASKED.items() for truth in truths]
ANSWER = "It is 0.25, so red.\n\nAnswer: A.\n\nYes, it is red."
ERROR = "<pre>Traceback (most recent call last):\n  line 3\nKeyError: 'x'</pre>"


def outcome(made: Transcript) -> str:
    return outcome_of(instrument_transcript(made))


def asked_for(name: str, truth: str | None, *outputs: str, kinds: tuple[str, ...] = ()) -> str:
    kinds = kinds or ("original_prompt",) * len(outputs)
    steps = [
        {"raw_output": output, "instruction_type": kind}
        for output, kind in zip(outputs, kinds, strict=True)
    ]
    record = {"transcript_id": "a", "ground_truth": truth, "steps": steps, **ASKED[name][0]}
    return outcome(from_native(record))


@pytest.mark.parametrize(("asked", "truth"), CASES)
def test_the_outcome_does_not_depend_on_the_published_answer(asked: str, truth: str | None) -> None:
    assert asked_for(asked, truth, ANSWER) == "clean"
    revised = ("original_prompt", "inspector_revision")
    assert asked_for(asked, truth, "", ANSWER, kinds=revised) == "error_recovered"
    nudged = ("original_prompt", "nudge_generic")
    assert asked_for(asked, truth, "", ANSWER, kinds=nudged) == "nudge_recovered"
    assert asked_for(asked, truth, "```python\nx\n```") == "failed"
    assert asked_for(asked, truth, ANSWER + ERROR) == "failed"


@pytest.mark.parametrize(("asked", "truth"), CASES)
def test_words_are_an_answer_only_where_words_are_asked_for(asked: str, truth: str | None) -> None:
    expected = "clean" if asked in ("text", "unnamed options") else "failed"
    assert asked_for(asked, truth, "I could not do it.") == expected


@pytest.mark.parametrize(
    ("texts", "kinds", "expected"),
    [
        ([ERROR, "It is 0.25."], (), "error_recovered"),
        ([ERROR, "It is 0.25." + ERROR], (), "failed"),
        (["It is 0.25." + ERROR], (), "failed"),
        ([ERROR + "<pre>0.25</pre>It is 0.25."], (), "error_recovered"),
        (["<information>STDERR: Traceback (most recent call last):\nKeyError: 'x'</information>"
          "<python>y</python><information>0.25</information>It is 0.25."], (), "error_recovered"),
        (["It is 0.25." + ERROR], ("nudge_generic",), "failed"),
        ([ERROR, "", "It is 0.25."], ("original_prompt", "inspector_revision", "nudge_generic"),
         "nudge_recovered"),
        (["Execution error, try to repair the code, attempts: 1\n\nIt is 0.25."], (),
         "error_recovered"),
    ],
)  # fmt: skip
def test_an_error_is_recovered_if_the_last_step_has_none(
    texts: list[str], kinds: tuple[str, ...], expected: str
) -> None:
    assert outcome(transcript(texts, kinds=kinds)) == expected


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
