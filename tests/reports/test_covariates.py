"""Table 3 tests what `grader calibrate` tests; tables say who has no value of a covariate."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotate.audit import audit_of
from annotate.cases import cases_of
from grader.records import Task, Transcript
from reports.figures.outcomes import draw_outcomes
from reports.frame_rows import build_frames
from reports.load import load_run
from reports.tables.covariates import covariates_table
from reports.tables.outcomes import outcomes_table

from ..annotate.runs import grade, make_run, transcript


def test_quarters_are_those_of_the_tasks_that_can_be_graded(tmp_path: Path) -> None:
    """Half of the tasks, with the largest numbers, have no published answer."""
    run = make_run(
        tmp_path / "run",
        [
            transcript(i, truth="0.25" if i < 40 else "", covariates={"rows": str(i)})
            for i in range(80)
        ],
        [
            grade(f"t{i:03d}", "strict_keyword", "correct" if i % 3 or i < 12 else "incorrect")
            for i in range(40)
        ],
    )
    (tested,) = audit_of(cases_of(run), [], None).covariates
    table = covariates_table(load_run(run.path))
    assert table is not None
    (row,) = table.rows
    assert (tested.dof, tested.target) == (3, "strict_keyword pass")
    assert (row["dof"], row["p_value"]) == (3, pytest.approx(tested.p_value))


def test_transcripts_without_a_value_are_counted_under_outcomes() -> None:
    """They are in no row of the covariate, so its rows do not add up to all."""
    values = {"a": "x", "b": "y", "c": "", "d": ""}
    transcripts = [
        Transcript(
            transcript_id=name,
            task=Task(task_id=name, covariates={"data_kind": value} if value else {}),
        )
        for name, value in values.items()
    ]
    said = "Not among the levels: 2 transcripts without data kind."
    drawn = draw_outcomes(build_frames("run", transcripts, []))
    assert drawn is not None
    assert said in drawn.caption
    assert said in outcomes_table(build_frames("run", transcripts, [])).note
    assert "Not among" not in outcomes_table(build_frames("run", transcripts[:2], [])).note
