"""An answer stays the answer, however it is dressed."""

from __future__ import annotations

import pytest

from grader.records import Task
from grader.strict import STRICT_GRADERS
from tests.grader.transcripts import grade_strict, transcript

DRESSES = (
    "{}", "**{}**", "*{}*", "_{}_", "__{}__", "***{}***", "`{}`", "({})", '"{}"', "“{}”", "'{}'",
    "<b>{}</b>", "~{}", "≈ {}", "{}!", "**{}!**", "({}!)", "{}! - not bad", "{}^1^", "{} ✅", "🎯 {}", "→ {}", "= {}", ": {}", "{} (!)", "{}?!", "{} *", "{}**", "$${}$$", "\\({}\\)",
    "$\\boxed{{{}}}$", "\\mathbf{{{}}}", "a *{}* rise", "a **{}** rise", "about {} or so", "{}; so",
    "{} — see above", "{} / year",
)  # fmt: skip


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("number", ["42", "0.41", "-1.5", "12%", "1,234", "3.2e-05"])
def test_any_dress(dress: str, number: str) -> None:
    task = Task(task_id="t", question="What is the median rise?", ground_truth=number)
    said = transcript(f"The median is {dress.format(number)}.", task)
    for grader in STRICT_GRADERS:
        assert grade_strict(said, grader).verdict == "correct", grader
