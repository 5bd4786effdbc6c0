"""A run that is graded again: which grades of the language models still count, and what the
cascade makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.engines import open_engine
from grader.lenient import LenientSettings
from grader.passes.grading import grade_run
from grader.passes.plan import Plan
from grader.passes.summary import Summary
from grader.records import Grade
from grader.run import RunDirectory
from grader.settings import GradeSettings
from tests.grader.lenient.runs import asked
from tests.grader.llm.server import Act, Body, FaultServer
from tests.grader.transcripts import transcript

UNCLEAR_WHICH = transcript("It was 91, 92, 93, 94, 95 and 102, rate by rate.", truth="100")
OFF = LenientSettings(mode="off")


def judged_by(folder: Path, judge: str, reply: str) -> LenientSettings:
    """A judge that has replied."""
    path = folder / f"{judge}.jsonl"
    path.write_text(json.dumps({"transcript_id": "x1", "reply": reply, "judge": judge}) + "\n")
    return LenientSettings(mode="replay", replay_file=path)


def grade(
    run: RunDirectory,
    lenient: LenientSettings,
    *graders: str,
    workers: int = 1,
    before_nudge: bool = False,
    **settings: Any,
) -> Summary:
    """Grade what the run holds (at first: one transcript)."""
    plan = Plan(
        (*(graders or ("strict_keyword",)), "lenient"),
        GradeSettings(**settings),
        lenient,
        before_nudge,
    )
    source = None if run.transcripts_path.exists() else [UNCLEAR_WHICH]
    return grade_run(run, source, plan, engine=open_engine("local", workers))


def current(run: RunDirectory, grader: str) -> Grade:
    return run.grades_by_transcript()["x1"][grader]


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return RunDirectory.create(tmp_path / "run")


def test_other_settings_judge_again(tmp_path: Path, run: RunDirectory) -> None:
    judge = judged_by(tmp_path, "a", "102")
    assert grade(run, judge).graders["cascade"]["correct"] == 1
    summary = grade(run, judge, relative_tolerance=0.001)
    assert summary.graders["lenient"]["incorrect"] == summary.graders["cascade"]["incorrect"] == 1
    assert (current(run, "cascade").value, current(run, "lenient").verdict) == ("102", "incorrect")
    size = run.grades_path.stat().st_size
    assert grade(run, judge, relative_tolerance=0.001) is not None
    assert run.grades_path.stat().st_size == size


def test_what_other_settings_judged_does_not_count(tmp_path: Path, run: RunDirectory) -> None:
    grade(run, judged_by(tmp_path, "a", "102"))
    summary = grade(run, OFF, relative_tolerance=0.001)
    assert summary.graders["cascade"]["no_answer"] == 1
    assert "lenient" not in summary.graders


def test_what_judges_grade_is_graded_now(tmp_path: Path, run: RunDirectory) -> None:
    made = grade(run, OFF).graded_now
    assert grade(run, judged_by(tmp_path, "a", "102")).graded_now == 2  # lenient and cascade
    assert made == 2  # strict and cascade
    assert grade(run, judged_by(tmp_path, "a", "102")).graded_now == 0


def test_what_a_judge_left_ungraded_is_judged_again(tmp_path: Path, run: RunDirectory) -> None:
    assert grade(run, judged_by(tmp_path, "a", "no form")).ungraded == 1
    assert grade(run, judged_by(tmp_path, "a", "102")).ungraded == 0
    assert current(run, "cascade").value == "102"


def test_other_judges_judge_again(
    tmp_path: Path, run: RunDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    grade(run, judged_by(tmp_path, "a", "102"))
    grade(run, OFF)
    grade(run, judged_by(tmp_path, "a", "102"))
    assert "by other judges" not in caplog.text
    grade(run, judged_by(tmp_path, "b", "91"))
    assert "grades of all steps by other judges, or by these with" in caplog.text
    assert current(run, "lenient").evidence["judges"][0]["judge"] == "b"
    assert run.manifest()["lenient"]["judges"] == ["b"]
    assert (current(run, "cascade").verdict, current(run, "cascade").value) == ("incorrect", "91")


def test_what_waits_for_judges_has_no_former_judge_s_reason(
    tmp_path: Path, run: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grade(run, judged_by(tmp_path, "a", "no form")).problems != []

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("grader.passes.grading.judge_rest", interrupted)
        grade(run, judged_by(tmp_path, "b", "102"))
    summary = grade(run, OFF)
    assert (summary.not_judged, summary.ungraded, summary.problems) == (1, 1, [])


def test_strict_passes_are_not_graded_again_for_judges(
    tmp_path: Path, run: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = transcript("It was 100.", truth="100")
    plan = Plan(("strict_keyword", "lenient"), GradeSettings(), OFF)
    grade_run(run, [passes], plan, engine=open_engine("local", 1))
    monkeypatch.setattr(Plan, "strict", None)  # would be called
    assert grade(run, judged_by(tmp_path, "a", "102")).lenient is not None


def test_only_what_the_judges_are_asked_makes_a_difference(
    tmp_path: Path, run: RunDirectory
) -> None:
    judge = judged_by(tmp_path, "a", "102")
    grade(run, judge)
    size = run.grades_path.stat().st_size
    elsewhere = {"concurrency": 2, "request_timeout": 5, "replay_file": run.llm_calls_path}
    grade(run, judge.model_copy(update=elsewhere))
    assert run.grades_path.stat().st_size == size
    grade(run, judge.model_copy(update={"temperature": 0.5}))
    assert run.grades_path.stat().st_size > size


@pytest.mark.parametrize("workers", [1, 2])
def test_a_later_cascade_is_made_of_the_grade_that_was_stored(
    tmp_path: Path, run: RunDirectory, workers: int
) -> None:
    grade(run, judged_by(tmp_path, "a", "102"))
    first = current(run, "cascade")
    grade(run, OFF, "strict_heuristic", workers=workers)
    assert current(run, "strict_heuristic").verdict == "correct"
    assert current(run, "cascade") == first
    assert (first.value, first.reason) == ("102", "within_tolerance")


def test_the_cascade_does_not_depend_on_the_order_of_commands(run: RunDirectory) -> None:
    decided = []
    for grader in ("strict_heuristic", "strict_keyword", "strict_heuristic", "strict_blind"):
        grade(run, OFF, grader)
        decided.append(current(run, "cascade").evidence["decided_by"])
    assert decided == ["strict_heuristic", "strict_keyword", "strict_keyword", "strict_keyword"]


def test_the_judges_are_asked_about_what_the_deciding_grader_fails(
    tmp_path: Path, run: RunDirectory
) -> None:
    grade(run, OFF, "strict_keyword")
    grade(run, judged_by(tmp_path, "a", "102"), "strict_heuristic")
    assert current(run, "strict_heuristic").verdict == "correct"
    assert current(run, "cascade").evidence["decided_by"] == "lenient"


def test_grades_before_the_nudge_are_judged_and_kept_by_themselves(
    tmp_path: Path, run: RunDirectory
) -> None:
    grade(run, judged_by(tmp_path, "a", "102"))
    summary = grade(run, OFF, before_nudge=True)
    assert summary.graders["cascade"]["correct"] == 1
    assert summary.graders["cascade:before_nudge"]["no_answer"] == 1


def test_a_strict_failure_that_the_judges_have_not_read_is_open(
    tmp_path: Path, run: RunDirectory
) -> None:
    grade(run, judged_by(tmp_path, "a", "102"))
    later = transcript("It was 1, 2, 3, 4, 5 and 6.", truth="100", transcript_id="x2")
    plan = Plan(("strict_keyword", "lenient"), GradeSettings(), OFF)
    summary = grade_run(run, [UNCLEAR_WHICH, later], plan)
    assert (summary.graders["cascade"]["ungraded"], summary.not_judged) == (1, 1)
    assert summary.problems == []
    assert run.grades_by_transcript()["x2"]["cascade"].verdict == "ungraded"
    size = run.grades_path.stat().st_size
    grade_run(run, None, plan)
    assert run.grades_path.stat().st_size == size


def test_an_interrupted_judge_leaves_the_rest_open(tmp_path: Path, run: RunDirectory) -> None:
    assert grade(run, OFF).not_judged == 0
    assert current(run, "cascade").verdict == "no_answer"
    grade(run, judged_by(tmp_path, "a", "102"))
    lines = run.grades_path.read_text().splitlines(keepends=True)
    run.grades_path.write_text("".join(lines[:-2]))  # before the judge's grade was written
    assert current(run, "cascade").verdict == "ungraded"
    assert grade(run, judged_by(tmp_path, "a", "102")).not_judged == 0
    assert current(run, "cascade").value == "102"


@pytest.mark.parametrize(
    ("reply", "next_pass"),
    [("91", OFF), ("91", None), ("102", OFF), ("102", None), ("no form", OFF)],
)
def test_a_cascade_grade_that_was_lost_is_made_anew_of_what_the_judge_said(
    tmp_path: Path, run: RunDirectory, reply: str, next_pass: LenientSettings | None
) -> None:
    judge = judged_by(tmp_path, "a", reply)
    grade(run, OFF)
    grade(run, judge)
    whole = current(run, "cascade")
    lines = run.grades_path.read_text().splitlines(keepends=True)
    run.grades_path.write_text("".join(lines[:-1]))  # killed between the two last lines
    summary = grade(run, next_pass or judge)
    assert (summary.graded_now, summary.not_judged) == (1, 0)
    assert current(run, "cascade") == whole
    assert summary.graders["cascade"][whole.verdict] == 1


def test_a_question_of_consistency_that_failed_is_asked_again_after_a_pass_without(
    run: RunDirectory,
) -> None:
    """As the README of grader/lenient says; what was answered is not paid again."""
    is_down = True

    def script(body: Body, number: int) -> Act | str:
        if asked(body) != "consistency":
            return "102"
        return Act(status=400) if is_down else "YES"

    item = transcript("<pre>91, 92, 93, 94</pre>\nIt was 95, or 102.", transcript_id="x1")
    with run.append_transcripts() as transcripts:
        transcripts.add(item)
    with FaultServer(script) as server:
        without = LenientSettings(models=("m",), base_urls=(server.url,), judge_passes=True)
        with_it = without.model_copy(update={"consistency": True})
        grade(run, with_it)
        is_down = False
        grade(run, with_it)
        assert current(run, "lenient").evidence["consistency"][0]["reason"] == "rejected"
        grade(run, without)
        grade(run, with_it)
        assert current(run, "lenient").evidence["consistency"][0]["agree"] is True
        assert len(server.requests) == 3


def test_what_cannot_be_graded_waits_for_no_judge(tmp_path: Path, run: RunDirectory) -> None:
    bare = transcript("It is 3.", truth=None, transcript_id="x2")
    plan = Plan(("strict_keyword", "lenient"), GradeSettings(), judged_by(tmp_path, "a", "102"))
    summary = grade_run(run, [UNCLEAR_WHICH, bare], plan)
    assert (summary.ungraded, summary.not_judged) == (1, 0)
