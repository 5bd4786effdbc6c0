"""Arguments of the wrong kind: one clear error each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from annotate import frames
from grader import UserError, extract, grade, grade_column, grade_file, verify


def _kind(one: object) -> str:
    return type(one).__name__


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(grade_column, np.ones((1, 1)), "3"), "texts: a ndarray, not a column"),
        (partial(grade_column, np.array(3), "3"), "texts: a ndarray, not a column"),
        (partial(grade_column, ["3"], np.ones((1, 1))), "a ndarray .*grade_column"),
        (partial(grade, "3", "3", choices=np.array(3)), "choices: not a list"),
        (partial(grade, "3", "3", choices=pd.DataFrame({"a": ["3"]})), "choices: not a list"),
        (partial(grade_file, 5), "a int where a path is wanted. Give a text"),
        (partial(grade_file, "run", 5), "a int where a path"),
        (partial(grade_file, b"run"), "a bytes where a path"),
        (partial(frames.labels, None), "a NoneType where a path"),
        (partial(frames.grades, []), "a list where a path"),
        (partial(frames.grades, ""), "an empty path"),
    ],
)
def test_what_is_no_column_and_no_path_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        call()


@pytest.mark.parametrize(
    "value",
    [object(), bytearray(b"5"), len, int, iter([5]), pytest],
    ids=_kind,
)
def test_what_has_no_text_is_refused_wherever_a_text_is_wanted(value: Any) -> None:
    for call in (
        partial(extract, value),
        partial(grade, value, "5"),
        partial(grade, "It is 5.", value),
        partial(grade, "It is 5.", "5", value),
        partial(grade, "It is 5.", "5", choices=["5", value]),
        partial(verify, "It is 5.", value),
        partial(verify, "It is 5.", [5, value]),
        partial(grade_column, ["It is 5."], [value]),
        partial(grade_column, [value], "5"),
    ):
        with pytest.raises(UserError, match=r"where a text or a number is wanted"):
            call()


def test_a_gap_and_a_text_may_stand_in_angles() -> None:
    assert grade("It is 5.", pd.NA).reason.startswith("no_ground_truth")
    assert verify("<answer>5</answer>", "5") == verify("It is 5.", "<answer>5</answer>") == 1.0


@pytest.mark.parametrize("names", [np.array(["strict_keyword"] * 2), 5, None], ids=_kind)
def test_what_names_no_grader_is_refused(names: Any) -> None:
    for call in (
        partial(grade, "3", "3", grader=names),
        partial(extract, "3", parser=names),
        partial(grade_file, "run", graders=[names]),
    ):
        with pytest.raises(UserError, match=r"unknown (strict grader|parser) .* Valid: "):
            call()


@pytest.mark.parametrize(
    "graders", [None, 5, object(), b"strict_keyword", "keywrd", [5]], ids=_kind
)
def test_what_names_no_graders_of_a_file_is_refused(graders: Any) -> None:
    with pytest.raises(UserError, match=r"unknown strict grader .* Valid: "):
        grade_file("run", graders=graders)


def test_graders_may_come_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"transcript_id": "a", "raw_output": "It is 5.", "ground_truth": "5"}\n')
    assert list(grade_file(path, graders=iter(["strict_blind"]))["grader"]) == ["strict_blind"]


def test_an_array_without_a_dimension_is_one_value() -> None:
    found: Any = grade_column(["It is 5.", "It is 6."], np.array(5), np.array("What is it?"))
    assert list(found["verdict"]) == ["correct", "incorrect"]
