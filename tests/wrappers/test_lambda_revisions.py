"""The real LAMBDA where few revisions or none are left."""

from __future__ import annotations

import os

import pytest

from .conftest import GraderRun
from .scripted.llm import serving
from .scripted.scenarios import code

pytestmark = pytest.mark.skipif(
    not os.environ.get("LAMBDA_HOME"), reason="LAMBDA_HOME does not name a copy of LAMBDA"
)


@pytest.mark.parametrize("before", [[], ["undefined_name"]])
def test_code_that_prints_nothing_has_not_failed(grader_run: GraderRun, before: list[str]) -> None:
    """Nor where no revision is left, when LAMBDA itself would say that it cannot fix it."""
    grader_run.tasks("t1")
    grader_run.settings({"*": ["unused"]}, run={"max_revisions": len(before)})
    replies = [*map(code, [*before, "mean = 4.4"]), "The mean of x is 4.4."]
    with serving({"mean of x": replies}) as server:
        grader_run.go("--model", "m", "--base-url", server.base_url, agent="lambda")
    record = grader_run.records()["t1"]
    assert record["metadata"]["stop_reason"] == "answered"
    assert record["outcome"] == ("error_recovered" if before else "clean")


@pytest.mark.parametrize("revisions", [0, 1])
def test_lambda_revises_as_often_as_it_may(grader_run: GraderRun, revisions: int) -> None:
    grader_run.tasks("t1")
    grader_run.settings({"*": ["unused"]}, run={"max_revisions": revisions})
    with serving({"mean of x": [code("undefined_name")] * 3}) as server:
        grader_run.go("--model", "m", "--base-url", server.base_url, agent="lambda")
    record = grader_run.records()["t1"]
    assert record["metadata"]["stop_reason"] == "revisions_used_up"
    assert [step["execution_error"] for step in record["steps"]] == [True] * (revisions + 1)
    assert all("NameError" in step["metadata"]["traceback"] for step in record["steps"])
