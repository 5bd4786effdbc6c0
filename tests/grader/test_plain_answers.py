"""Answers as anybody would state them: in one short sentence, in any dress."""

from __future__ import annotations

import pytest

from grader.make_task import make_task
from grader.records import Task
from tests.grader.transcripts import grade_strict, transcript
from tests.shared_data import cases

GRADERS = ("strict_keyword", "strict_blind")
DRESSES = (
    "{}", "**{}**", "*{}*", "_{}_", "__{}__", "***{}***", "`{}`", "({})", '"{}"', "“{}”", "'{}'",
    "<b>{}</b>", "~{}", "≈ {}", "{}!", "**{}!**", "({}!)", "{}! - not bad", "{} (!)", "{}?!",
    "{}^1^", "{} [1]", "{} ✅", "🎯 {}", "→ {}", "=> {}", "= {}", ": {}", "{} *", "{}**",
    "$${}$$", "\\({}\\)", "$\\boxed{{{}}}$", "\\mathbf{{{}}}", "a *{}* rise", "a **{}** rise",
    "about {} or so", "{}; so", "{} — see above", "{} / year", "\n\n> {}\n\n", "\n======\n{}\n",
)  # fmt: skip


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("number", ["42", "0.41", "-1.5", "12%", "1,234", "3.2e-05"])
def test_any_dress(dress: str, number: str) -> None:
    task = Task(task_id="t", question="What is the median rise?", ground_truth=number)
    said = transcript(f"The median is {dress.format(number)}.", task)
    for grader in GRADERS:
        assert grade_strict(said, grader).verdict == "correct", grader


@pytest.mark.parametrize("case", cases("plain_answers.jsonl"), ids=lambda case: case["text"][:40])
def test_any_sentence(case: dict) -> None:
    task = Task(task_id="t", question=case["question"], ground_truth=case["truth"])
    for grader in GRADERS:
        assert grade_strict(transcript(case["text"], task), grader).verdict == "correct", grader


@pytest.mark.parametrize("case", cases("plain_options.jsonl"), ids=lambda case: case["text"][:40])
def test_any_way_to_choose(case: dict) -> None:
    task = make_task("t", "Which is it? A. low B. high C. none", case["truth"])
    for grader in GRADERS:
        assert grade_strict(transcript(case["text"], task), grader).verdict == "correct", grader
