from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.tasks import load_tasks

UNIQUE = [f"notebooks/{n}.ipynb" for n in range(12)]


@pytest.mark.parametrize(
    ("values", "is_covariate"),
    [
        (["easy", "hard"] * 6, True),
        (["easy", "hard"], True),
        (UNIQUE[:9], True),
        (UNIQUE, False),
        ([*UNIQUE[:11], UNIQUE[0]], True),
        ([*UNIQUE, None], False),
        (list(range(12)), True),
        ([f"{n}.5" for n in range(12)], True),
        ([f"1,{n:03}" for n in range(12)], True),
        ([f"{n}%" for n in range(12)], True),
        (["x" * 100, "y"] * 6, True),
        (["x" * 101, "y" * 101], False),
        (["x" * 101, "y" * 101] * 6, True),
    ],
)
def test_texts_that_name_or_retell_their_task_are_no_covariates(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, values: list[object], is_covariate: bool
) -> None:
    records = [
        {"question": f"q{n}", "answer": 1, "metadata": {"a": value, "level": "easy"}}
        for n, value in enumerate(values)
    ]
    path = tmp_path / "t.json"
    path.write_text(json.dumps(records))
    given = {"level", "a"} if is_covariate else {"level"}
    for value, task in zip(values, load_tasks(path), strict=True):
        assert task.covariates.keys() == (given if value is not None else {"level"})
    named = [message.split(": ")[2] for message in caplog.messages]
    assert named == ([] if is_covariate else ["a (--covariates may hold them)"])


def test_known_names_are_no_covariates_whatever_their_values(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Those of DSGym's daeval, dsbio and scienceagentbench."""
    known = {"original_id": 7, "paper_title": "Cells", "notebook_path": "a.ipynb",
             "gold_program_name": "b.py", "keywords": ["mean"]}  # fmt: skip
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"question": "q", "answer": 1, "metadata": {**known, "b": 2}}]))
    assert load_tasks(path)[0].covariates == {"b": "2"}
    assert caplog.messages == []


def test_covariates_given_as_such_stay(tmp_path: Path) -> None:
    records = [{"question": f"q{n}", "covariates": {"original_id": f"a{n}"}} for n in range(12)]
    path = tmp_path / "t.json"
    path.write_text(json.dumps(records))
    assert load_tasks(path)[11].covariates == {"original_id": "a11"}
