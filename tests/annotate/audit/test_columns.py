"""Covariates from a table of the user's own."""

from pathlib import Path

import pytest

from annotate.audit import AuditSettings, audit
from annotate.audit.columns import add_columns
from annotate.cases import cases_of
from annotate.labels import LabelStore
from grader.errors import InputError
from grader.run import RunDirectory


def test_any_column_by_task(run: RunDirectory, store: LabelStore, tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    rows = [f"task{i:03d},{'long' if i % 3 else 'short'},{i}" for i in range(10)]
    path.write_text("\ufefftask_id,length,rows\n" + "\n".join(rows) + "\n")
    cases = add_columns(cases_of(run), path)
    assert cases[1].covariates == {"variable_type": "continuous", "length": "long", "rows": "1"}
    assert "length" not in cases[11].covariates
    found = audit(run, store, AuditSettings(covariates=("length",)), columns=path)
    assert found.covariates[0].n == 10
    # short tasks failed, long ones passed: perfect association
    assert found.covariates[0].cramers_v == pytest.approx(1.0)


def test_a_column_is_not_mixed_with_a_recorded_covariate_of_its_name(
    run: RunDirectory, tmp_path: Path
) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text("task_id,variable_type,rows\ntask001,mine,1\ntask002,,2\n")
    cases = cases_of(run)
    assert all("variable_type" in case.covariates for case in cases)
    found = {case.task_id: case.covariates for case in add_columns(cases, path)}
    assert found["task001"] == {"variable_type": "mine", "rows": "1"}
    assert found["task002"] == {"rows": "2"}
    assert found["task003"] == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "no column"),
        ("", "no column"),
        ("task_id,x\nother,1\n", "is in this run"),
        ("x" * 200_000 + ",task_id\n", r"tasks\.csv:1: not CSV"),
        ("task_id,x\ntask001," + "x" * 200_000, r"tasks\.csv:2: not CSV"),
    ],
)
def test_tables_that_do_not_fit(run: RunDirectory, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        add_columns(cases_of(run), path)
    with pytest.raises(InputError, match="cannot read"):
        add_columns(cases_of(run), tmp_path / "none.csv")


def test_rows_that_contradict_each_other_are_refused(run: RunDirectory, tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text("task_id,v\ntask001,1\ntask001,2\n")
    with pytest.raises(InputError, match=r"tasks\.csv:3: another row of task_id 'task001' has"):
        add_columns(cases_of(run), path)
