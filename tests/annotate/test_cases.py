"""What is known of a run's transcripts."""

from __future__ import annotations

import pytest

from annotate.cases import Case, main_grader


@pytest.mark.parametrize(
    ("graders", "main"),
    [
        (["strict_heuristic", "strict_keyword", "cascade"], "cascade"),
        (["strict_heuristic", "strict_blind"], "strict_blind"),
        (["strict_heuristic:before_nudge", "cascade:before_nudge"], "cascade:before_nudge"),
        (["cascade:before_nudge", "strict_heuristic"], "strict_heuristic"),
        (["other"], "other"),
        ([], None),
    ],
)
def test_the_best_grader_stands_for_the_run(graders: list[str], main: str | None) -> None:
    case = Case(transcript_id="x", task_id="t", verdicts=dict.fromkeys(graders, "correct"))
    assert main_grader([case]) == main
