"""Looking grades up on disk."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from grader.errors import InputError
from grader.records import Grade
from grader.run import RunDirectory
from grader.run.grade_index import GradeIndex
from tests.graded import add_grades


def made(grader: str, value: str) -> Grade:
    evidence = {"confidence": 0.5} if grader == "strict_blind" else {}
    return Grade(
        transcript_id="a", task_id="t", grader=grader, verdict="correct", value=value,
        evidence=evidence,
    )  # fmt: skip


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunDirectory:
    monkeypatch.chdir(tmp_path)
    run = RunDirectory.create("run")
    add_grades(run, [made("strict_blind", "1"), made("lenient", "2"), made("lenient", "3")])
    return run


def test_the_last_grade_of_each_grader_is_found(run: RunDirectory) -> None:
    index = GradeIndex(run)
    assert index.graders == {"lenient": set(), "strict_blind": {"confidence"}}
    with index.open() as grades_of:
        assert [grade.value for grade in grades_of("a")] == ["3", "1"]
        assert grades_of("b") == []


def test_a_last_grade_of_other_settings_leaves_none_that_counts(run: RunDirectory) -> None:
    other = made("lenient", "4").model_copy(update={"evidence": {"settings": "other"}})
    with run.append_grades() as appender:
        appender.add(other)
    with GradeIndex(run).open() as grades_of:
        assert [grade.value for grade in grades_of("a")] == ["1"]
    assert set(run.grades_by_transcript()["a"]) == {"strict_blind"}


def test_an_index_of_some_graders_is_of_use_in_another_process_and_folder(
    run: RunDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = pickle.loads(pickle.dumps(GradeIndex(run, {"lenient"})))
    monkeypatch.chdir(tmp_path.parent)
    with index.open() as grades_of:
        assert [grade.value for grade in grades_of("a")] == ["3"]


def test_a_strict_failure_that_the_judges_have_not_read_is_ungraded(run: RunDirectory) -> None:
    strict = Grade(transcript_id="b", task_id="t", grader="cascade", verdict="incorrect")
    judge = made("lenient", "3").model_copy(update={"evidence": {"judged_by": "j"}})
    add_grades(run, [judge, strict])
    with GradeIndex(run).open() as grades_of:
        (found,) = grades_of("b")
    assert found == run.grades_by_transcript()["b"]["cascade"]
    assert (found.verdict, found.reason.partition(":")[0]) == ("ungraded", "not_judged")


def test_a_line_that_is_no_whole_grade_is_named(run: RunDirectory) -> None:
    text = run.grades_path.read_text()
    run.grades_path.write_text(text.replace('"verdict": "correct", ', ""))
    with (
        GradeIndex(run).open() as grades_of,
        pytest.raises(InputError, match=r"grades\.jsonl: .*not a grade: verdict: Field req"),
    ):
        grades_of("a")


def test_grades_that_cannot_be_read_are_named(run: RunDirectory) -> None:
    index = GradeIndex(run)
    run.grades_path.unlink()
    run.grades_path.mkdir()
    for look in (lambda: GradeIndex(run), lambda: index.open().__enter__()):
        with pytest.raises(InputError, match=r"grades\.jsonl: cannot read: Is a directory"):
            look()
