"""The chat agent on a real, very small model: whatever it says, the record must be whole."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.grader.llm import real_model

from .conftest import GraderRun


@pytest.mark.machine
@pytest.mark.slow
def test_a_small_model_runs_tasks_end_to_end(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", "t2", data=["x.csv"])
    (grader_run.folder / "x.csv").write_text("x\n4.3\n4.5\n")
    grader_run.settings(
        {"*": ["unused"]},
        run={"max_nudges": 2, "max_revisions": 1},
        **{"agent.chat": {"max_tokens": 120, "max_rounds": 2, "temperature": 0.0}},
    )
    with real_model.serving(8192) as base_url:
        done = grader_run.go(
            *("--model", real_model.MODEL, "--base-url", base_url, "--timeout", "60"), agent="chat"
        )
    assert done.returncode == 0, done.stdout + done.stderr
    for record in grader_run.records().values():
        assert record["outcome"] in {"clean", "error_recovered", "nudge_recovered", "failed"}
        assert record["steps"][0]["instruction_type"] == "original_prompt"
        for step in record["steps"]:
            assert step["token_count"] > 0 or "cut_off" in step["metadata"]
            assert step["elapsed_time"] > 0
    graded = subprocess.run(
        [
            *(sys.executable, "-m", "grader", "grade", str(grader_run.directory)),
            *("--lenient", "off", "--json"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert graded.returncode == 0
    assert json.loads(graded.stdout)
