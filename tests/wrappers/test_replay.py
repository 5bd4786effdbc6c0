"""Replays: what other rules would have done, and that nothing is invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.readers import read
from grader.readers.native import to_native
from grader.records import Transcript
from grader.run import RunDirectory
from grader.settings import GradeSettings
from wrappers.prompts import load_prompts
from wrappers.replay import replay
from wrappers.settings import LoopSettings

from .conftest import GraderRun
from .test_loop import ANSWER, CHATTY, FAILED, SILENT, play


def replayed(
    recorded: Transcript, grading: GradeSettings | None = None, **settings: Any
) -> Transcript:
    return replay(recorded, load_prompts(), LoopSettings(**settings), grading or GradeSettings())


@pytest.mark.parametrize(
    "turns",
    [[ANSWER], [FAILED, ANSWER], [SILENT, CHATTY, ANSWER], [SILENT], [FAILED], [CHATTY, FAILED]],
)
@pytest.mark.parametrize("mode", ["A", "B", "none"])
def test_the_same_rules_give_the_same_run(tmp_path: Path, turns: list[Any], mode: Any) -> None:
    recorded = play(tmp_path, *turns, nudge_mode=mode)
    again = replayed(recorded, nudge_mode=mode)
    assert again.steps == recorded.steps
    assert again.outcome == recorded.outcome
    assert again.problem is None
    for name in ("stop_reason", "nudges"):
        assert again.metadata[name] == recorded.metadata[name]


def test_fewer_nudges_are_known(tmp_path: Path) -> None:
    recorded = play(tmp_path, SILENT, CHATTY, ANSWER)
    without = replayed(recorded, nudge_mode="none")
    assert without.steps == recorded.steps[:1]
    assert (without.outcome, without.metadata["stop_reason"]) == ("failed", "nudging_off")
    one = replayed(recorded, max_nudges=1)
    assert one.steps == recorded.steps[:2]
    assert (one.outcome, one.metadata["stop_reason"]) == ("failed", "nudges_used_up")


def test_a_laxer_threshold_stops_earlier(tmp_path: Path) -> None:
    recorded = play(tmp_path, CHATTY, ANSWER)
    lax = replayed(recorded, GradeSettings(max_candidates=5))
    assert len(lax.steps) == 1 and lax.steps[0].ambiguous_answer is False
    assert (lax.outcome, lax.metadata["stop_reason"]) == ("clean", "answered")


@pytest.mark.parametrize(
    ("turns", "mode", "settings", "missing"),
    [
        ([SILENT], "none", {"nudge_mode": "A"}, "nudge_original after step 1"),
        ([SILENT, ANSWER], "A", {"nudge_mode": "B"}, "nudge_generic after step 1"),
        ([SILENT], "A", {"max_nudges": 4}, "nudge_original after step 4"),
        ([FAILED], "A", {"max_revisions": 6}, "inspector_revision after step 6"),
        ([FAILED, SILENT, ANSWER], "A", {"rules": ()}, None),
    ],
)
def test_what_was_not_recorded_is_unknown(
    tmp_path: Path, turns: list[Any], mode: Any, settings: dict[str, Any], missing: str | None
) -> None:
    recorded = play(tmp_path, *turns, nudge_mode=mode)
    result = replayed(recorded, **settings)
    if missing is None:
        assert result.problem is None and result.metadata["stop_reason"] == "answered"
        return
    assert result.problem == f"counterfactual_unknown: no record of {missing}"
    assert result.outcome is None
    assert result.metadata["stop_reason"] == "unknown"
    assert result.steps == recorded.steps[: len(result.steps)]


def test_a_record_that_begins_with_a_nudge_has_no_first_turn(tmp_path: Path) -> None:
    recorded = play(tmp_path, SILENT, ANSWER)
    beheaded = recorded.model_copy(update={"steps": recorded.steps[1:]})
    assert replayed(beheaded).problem == "counterfactual_unknown: no record of a first turn"


def test_a_repeat_keeps_its_number(tmp_path: Path) -> None:
    recorded = play(tmp_path, ANSWER)
    assert replayed(recorded).repeat == 1
    second = recorded.model_copy(update={"metadata": {**recorded.metadata, "repeat": 2}})
    assert replayed(second).repeat == 2


@pytest.mark.parametrize("why", ["timeout", "agent_died", "agent_error"])
def test_a_recorded_cut_off_stays_one(tmp_path: Path, why: str) -> None:
    recorded = play(tmp_path, SILENT, ANSWER)
    cut = recorded.steps[1].model_copy(update={"raw_output": "", "scalar_found": False})
    hung = recorded.model_copy(
        update={
            "steps": (recorded.steps[0], cut),
            "metadata": {**recorded.metadata, "stop_reason": why},
        }
    )
    again = replayed(hung)
    assert (again.outcome, again.metadata["stop_reason"]) == ("failed", why)
    assert len(again.steps) == 2
    assert replayed(hung, nudge_mode="none").metadata["stop_reason"] == "nudging_off"


def test_replay_by_command_line(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", "t2")
    grader_run.settings({"*": [ANSWER], "t2": [SILENT, ANSWER]})
    grader_run.go("--nudge", "B")
    record = str(grader_run.directory / "transcripts.jsonl")
    grader_run.directory = grader_run.folder / "none"
    done = grader_run.go("--recorded", record, "--nudge", "none", "--json", agent="replay")
    assert json.loads(done.stdout)["outcomes"] == {"clean": 1, "failed": 1}
    grader_run.directory = grader_run.folder / "other"
    done = grader_run.go("--recorded", record, "--nudge", "A", "--json", agent="replay")
    assert json.loads(done.stdout)["outcomes"] == {"clean": 1, "unknown": 1}
    problems = {
        t.transcript_id: t.problem for t in read(grader_run.directory / "transcripts.jsonl")
    }
    assert problems["t1"] is None
    assert str(problems["t2"]).startswith("counterfactual_unknown")


def test_records_that_cannot_be_replayed_do_not_stop_a_replay(tmp_path: Path) -> None:
    """A later attempt would find them as they are: what comes behind them is reached now."""
    good = to_native(play(tmp_path, ANSWER))
    lines = [json.dumps(good | {"transcript_id": f"bad{n}", "steps": [7]}) for n in range(11)]
    (tmp_path / "old.jsonl").write_text("\n".join([*lines, json.dumps(good)]))
    run = tmp_path / "run"
    replaying = ["run", "--agent", "replay", "--nudge", "none", "--run", str(run)]
    assert main([*replaying, "--recorded", str(tmp_path / "old.jsonl")]) == 1
    assert len((run / "not_run.jsonl").read_text().splitlines()) == 11
    assert len(list(RunDirectory(run).transcripts())) == 1


def test_grading_goes_by_the_settings_of_the_run(tmp_path: Path) -> None:
    """A run whose rules make two candidates ambiguous is graded by the same rules, in its own
    directory and in another; a settings file wins over them."""
    recorded = play(tmp_path, "The median proline level of the wines is one of 1050 and 1095.")
    (tmp_path / "old.jsonl").write_text(json.dumps(to_native(recorded)) + "\n")
    (tmp_path / "one.toml").write_text("[grade]\nmax_candidates = 1\n")
    (tmp_path / "five.toml").write_text("[grade]\nmax_candidates = 5\n")
    run, other = str(tmp_path / "run"), str(tmp_path / "other")
    replaying = ["run", "--agent", "replay", "--nudge", "none", "--run", run]
    replaying += ["--recorded", str(tmp_path / "old.jsonl")]
    assert main([*replaying, "--settings", str(tmp_path / "one.toml")]) == 0
    assert main(["grade", run, "--lenient", "off"]) == 0
    assert main(["grade", run, "--run", other, "--lenient", "off"]) == 0
    for directory in (run, other):
        (transcript,) = RunDirectory(directory).transcripts()
        assert (transcript.outcome, verdict_in(directory)) == ("failed", "no_answer")
    five = ["--settings", str(tmp_path / "five.toml")]
    assert main(["grade", run, "--lenient", "off", *five]) == 0
    assert verdict_in(run) == "correct"


def verdict_in(directory: str) -> str:
    grades = RunDirectory(directory).grade_history()
    return [grade.verdict for grade in grades if grade.grader == "strict_keyword"][-1]
