"""`tests.bench.published`: what it takes away from an output, and how it reads one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench.published import same, unmarked, verdict, word_problem_solutions


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("It costs 18.\nThe answer is 18.", "It costs 18."),
        ("It costs 18. So the answer is (B).", "It costs 18."),
        ("It costs $\\boxed{18}$ in all.", "It costs 18 in all."),
        ("9 * 2 = $18\nA: 18", "9 * 2 = $18"),
        ("It costs 18.\n18", "It costs 18."),
        ("It costs 18.", "It costs 18."),
    ],
)
def test_marks_are_taken_away(text: str, rest: str) -> None:
    assert unmarked(text) == rest


def test_answers_are_the_same_within_tolerance() -> None:
    assert same("1,000", "1010")
    assert same("(B)", "b")
    assert not same("1,000", "1100")


def test_solutions_are_read_without_the_notes_of_their_calculator(tmp_path: Path) -> None:
    models = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")
    row = {
        "question": "How much is it?",
        "ground_truth": "9 * 2 = 18\nA: 18",
        **{model: {"solution": "9 * 2 = <<9*2=16>>16\nA: 16"} for model in models},
    }
    path = tmp_path / "grade_school_math" / "data" / "example_model_solutions.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    output, *others = word_problem_solutions(tmp_path)
    assert (output.text, output.stated, output.truth) == ("9 * 2 = 16\nA: 16", "16", "18")
    assert len(others) == 3
    assert verdict(output, "16", "strict_blind") == "correct"
    assert verdict(output, "18", "strict_blind") == "incorrect"
