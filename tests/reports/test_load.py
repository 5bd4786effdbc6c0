"""All that reads a run goes by the grades that count."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from annotate.cases import cases_of
from annotate.frames import grades
from annotate.labels import open_store
from grader.lenient import LenientSettings
from grader.passes.grading import grade_run
from grader.passes.plan import Plan
from grader.passes.summary import Summary
from grader.records import Label
from grader.run import GradeAppender, RunDirectory
from grader.run.export import RunTable
from grader.settings import GradeSettings
from reports.load import load_run
from tests.grader.transcripts import transcript

OFF = LenientSettings(mode="off")
NUDGED = transcript(
    ["The mean rate is 0.30.", "The mean rate is 0.25."],
    transcript_id="right",
    kinds=("original_prompt", "nudge_generic"),
)
WRONG = transcript("Some were 0.25.\n\nSo the mean rate is **0.30**.", transcript_id="wrong")


def judges(folder: Path, name: str, replies: dict[str, str]) -> LenientSettings:
    """Judges that have replied, asked about passes too where they replied on them."""
    path = folder / f"{name}.jsonl"
    lines = [{"transcript_id": i, "reply": r, "judge": name} for i, r in replies.items()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return LenientSettings(mode="replay", replay_file=path, judge_passes=len(replies) > 1)


@pytest.fixture
def grade(tmp_path: Path) -> Callable[..., Summary]:
    run = RunDirectory.create(tmp_path / "run")

    def graded(lenient: LenientSettings = OFF, before: bool = False, **settings: Any) -> Summary:
        plan = Plan(("strict_keyword", "lenient"), GradeSettings(**settings), lenient, before)
        source = None if run.transcripts_path.exists() else [NUDGED, WRONG]
        return grade_run(run, source, plan)

    return graded


def counted(run: RunDirectory) -> dict[str, dict[str, int]]:
    """Grader -> verdict -> number, as the report has it; all other readers must agree."""
    found: dict[str, dict[str, int]] = {}
    frames = load_run(run.path)
    for name, of in frames.grades.items():
        row = found[name] = dict.fromkeys(("correct", "incorrect", "no_answer", "ungraded"), 0)
        for one in of.values():
            row[one.verdict] += 1
    by_case = [(c.transcript_id, n, v) for c in cases_of(run) for n, v in c.verdicts.items()]
    table = [
        (row["transcript_id"], name, verdict)
        for row in RunTable(run).rows()
        for name in found
        if (verdict := row[f"{name.replace(':', '_')}_verdict"])
    ]
    listed = grades(run.path)[["transcript_id", "grader", "verdict"]].itertuples(index=False)
    assert sorted(by_case) == sorted(table) == sorted(map(tuple, listed))
    assert len(by_case) == sum(sum(row.values()) for row in found.values())
    return found


def test_other_settings_put_the_grades_before_nudges_out_of_date(
    tmp_path: Path, grade: Callable[..., Summary], caplog: pytest.LogCaptureFixture
) -> None:
    run = RunDirectory(tmp_path / "run")
    grade()
    both = grade(before=True)
    assert counted(run) == both.graders
    assert not caplog.messages
    wide = grade(relative_tolerance=0.5)
    assert counted(run) == wide.graders
    assert set(wide.graders) == {"strict_keyword", "cascade"}
    assert wide.graders["cascade"]["correct"] == 2
    assert "the grades of the steps before the first nudge were made with other" in caplog.text
    assert load_run(run.path).settings == GradeSettings(relative_tolerance=0.5)
    stated = run.manifest()["grading"]
    tolerance = [
        stated[n]["settings"]["relative_tolerance"] for n in ("after_nudges", "before_nudge")
    ]
    assert tolerance == [0.5, 0.03]
    again = grade()
    assert counted(run) == again.graders
    assert again.graders["cascade:before_nudge"] == both.graders["cascade:before_nudge"]


def test_outcomes_stay_as_they_were_recorded(
    grade: Callable[..., Summary], caplog: pytest.LogCaptureFixture
) -> None:
    before = grade().outcomes
    assert grade(relative_tolerance=0.5).outcomes == before
    assert not caplog.messages  # an outcome never depends on the published answer
    assert grade(max_candidates=9).outcomes == before
    assert "outcomes and per-step fields keep the settings they were recorded with" in caplog.text


def test_what_other_judges_said_is_shown_nowhere(
    tmp_path: Path, grade: Callable[..., Summary]
) -> None:
    run = RunDirectory(tmp_path / "run")
    grade(judges(tmp_path, "a", {"right": "0.25", "wrong": "0.25"}))
    assert counted(run)["lenient"]["correct"] == 2
    assert counted(run)["cascade"]["correct"] == 2
    by_b = grade(judges(tmp_path, "b", {"wrong": "0.30"}))
    assert counted(run) == by_b.graders
    assert by_b.graders["lenient"] == by_b.graders["lenient"] | {"correct": 0, "incorrect": 1}
    assert by_b.graders["cascade"]["correct"] == 1
    assert grade().graders == counted(run) == by_b.graders


def test_a_pass_that_was_cut_short_says_what_its_grades_were_made_with(
    tmp_path: Path, grade: Callable[..., Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RunDirectory(tmp_path / "run")
    grade(judges(tmp_path, "a", {"wrong": "0.25"}))

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("grader.passes.grading.judge_rest", stop)
    with pytest.raises(KeyboardInterrupt):
        grade(judges(tmp_path, "b", {"wrong": "0.30"}))
    strict, cascade = counted(run)["strict_keyword"], counted(run)["cascade"]
    assert cascade["correct"] == strict["correct"]
    assert cascade["incorrect"] == cascade["no_answer"] == 0  # no judge has read these yet
    assert cascade["ungraded"] == strict["incorrect"] + strict["no_answer"] + strict["ungraded"]
    assert "lenient" not in counted(run)


def test_what_grades_are_made_with_is_stated_before_the_first_of_them(
    tmp_path: Path, grade: Callable[..., Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RunDirectory(tmp_path / "run")
    grade()
    write, done = GradeAppender.write_many, iter([True])

    def once(self: GradeAppender, lines: Iterable[str]) -> None:
        if not next(done, False):
            raise KeyboardInterrupt
        write(self, lines)

    monkeypatch.setattr(GradeAppender, "write_many", once)
    with pytest.raises(KeyboardInterrupt):
        grade(relative_tolerance=0.5)
    assert sum(counted(run)["cascade"].values()) == 1
    assert run.validity().settings == GradeSettings(relative_tolerance=0.5)
    assert list(run.grades_by_transcript()) == ["right"]


def test_grading_again_mends_a_run_that_states_nothing(
    tmp_path: Path, grade: Callable[..., Summary]
) -> None:
    run = RunDirectory(tmp_path / "run")
    first = grade()
    run.manifest_path.unlink()
    again = grade()
    assert (again.graded_now, again.graders) == (0, first.graders)
    assert counted(run) == first.graders


def test_a_run_that_states_nothing_keeps_what_its_judges_said(
    tmp_path: Path, grade: Callable[..., Summary]
) -> None:
    run = RunDirectory(tmp_path / "run")
    first = grade(judges(tmp_path, "a", {"wrong": "0.25"}))
    stated = run.manifest()["grading"]
    run.update_manifest(grading=None)
    again = grade()
    assert (again.graded_now, again.graders) == (0, first.graders)
    assert run.manifest()["grading"] == stated
    assert counted(run) == first.graders


def test_a_first_pass_before_nudges_keeps_the_grades_of_a_run_that_states_nothing(
    tmp_path: Path, grade: Callable[..., Summary], caplog: pytest.LogCaptureFixture
) -> None:
    run = RunDirectory(tmp_path / "run")
    first = grade(judges(tmp_path, "a", {"wrong": "0.25"}))
    run.update_manifest(grading=None)
    both = grade(before=True)
    assert both.graders == counted(run) == {**both.graders, **first.graders}
    assert not caplog.messages
    run.update_manifest(grading=None)
    grade(before=True, relative_tolerance=0.5)
    assert "the grades of all steps were made with other settings" in caplog.text
    assert "cascade" not in counted(run)


def test_the_grades_of_all_steps_stand_whatever_is_graded_beside_them(
    tmp_path: Path, grade: Callable[..., Summary], caplog: pytest.LogCaptureFixture
) -> None:
    run = RunDirectory(tmp_path / "run")
    first = grade()
    wide = grade(before=True, relative_tolerance=0.5)
    assert counted(run) == first.graders
    assert wide.graders == {**wide.graders, **first.graders}
    assert sum(wide.graders["cascade:before_nudge"].values()) == 2
    assert "the grades of the steps before the first nudge were made with other" in caplog.text
    assert load_run(run.path).settings == GradeSettings()
    again = grade(before=True, relative_tolerance=0.5)
    assert (again.graded_now, again.graders) == (0, wide.graders)


def test_other_judges_leave_the_strict_grades_before_nudges(
    tmp_path: Path, grade: Callable[..., Summary], caplog: pytest.LogCaptureFixture
) -> None:
    run = RunDirectory(tmp_path / "run")
    strict = grade(before=True).graders["strict_keyword:before_nudge"]
    grading = {"before_nudge": {**run.manifest()["grading"]["before_nudge"], "judged_by": "b"}}
    run.update_manifest(grading=grading)
    by_a = grade(judges(tmp_path, "a", {"wrong": "0.25"}))
    assert counted(run) == by_a.graders
    assert by_a.graders["strict_keyword:before_nudge"] == strict
    assert "cascade:before_nudge" not in by_a.graders
    assert (
        "the lenient and cascade grades of the steps before the first nudge were made by other"
        in (caplog.text)
    )


def test_labels_of_what_cannot_be_graded_do_not_count(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    bare = transcript("The mean rate is 0.25.", truth=None, transcript_id="bare")
    grade_run(run, [NUDGED, bare], Plan(("strict_keyword",)))
    with open_store(run) as store:
        for name in ("right", "bare"):
            store.add(
                Label(transcript_id=name, annotator="ada", stage="transcript", verdict="match",
                      created_at=datetime.now(UTC))
            )  # fmt: skip
    frames = load_run(run.path)
    assert frames.human_matches == {"right": True}
    assert frames.audit is not None and frames.audit.labelled == 1
