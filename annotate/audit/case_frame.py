"""The transcripts of a run as a table, and the tests of its covariates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from grader.errors import unknown_name

from ..cases import Case, tested_graders
from ..statistics.covariates import COVARIATE, IndependenceTest, covariate_tests


def case_frame(cases: Sequence[Case], labelled: Mapping[str, bool]) -> pd.DataFrame:
    """One row per transcript: `covariate:NAME`, `GRADER pass`, `human match`, task, agent, mode,
    repeat and outcome. Unknown values are None."""
    rows = []
    for case in cases or [Case(transcript_id="none", task_id="none")]:
        row: dict[str, object] = {
            "transcript_id": case.transcript_id,
            "task_id": case.task_id,
            "agent": case.agent,
            "nudge_mode": case.nudge_mode or "not recorded",
            "repeat": case.repeat,
            "outcome": case.outcome,
            "human match": _yes_no(labelled.get(case.transcript_id)),
            **{
                f"{name} pass": _yes_no(None if v == "ungraded" else v == "correct")
                for name, v in case.verdicts.items()
            },
        }
        rows.append({**{COVARIATE + name: v for name, v in case.covariates.items()}, **row})
    frame = pd.DataFrame(rows)
    return frame if cases else frame.head(0)  # which has the columns


def case_tests(
    cases: Sequence[Case], labelled: Mapping[str, bool], names: Sequence[str] | None
) -> list[IndependenceTest]:
    """Tests of each covariate against the passes of each grader (`tested_graders`) and the human
    labels, if there are any, by nudge mode and agent. The tests weigh all labels the same.

    names: task covariates (default: all); also "outcome", the pipeline's outcome, unless a
    covariate has that name. A name given twice counts once. Raises `UserError` for another name.
    """
    known = {name: COVARIATE + name for case in cases for name in case.covariates}
    valid = {"outcome": "outcome", **known}
    chosen = list(dict.fromkeys(known if names is None else names))
    for name in chosen:
        if name not in valid:
            raise unknown_name("covariate", name, list(valid))
    if not chosen or not cases:
        return []
    targets = [f"{name} pass" for name in tested_graders(cases)]
    targets += ["human match"] if labelled else []
    frame = case_frame(cases, labelled)
    columns = [valid[name] for name in chosen]
    return covariate_tests(frame, columns, targets, mode_column="nudge_mode")


def _yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"
