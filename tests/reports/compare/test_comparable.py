"""Arms without common tasks are left out of a comparison, and named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.cli import main
from grader.records import NudgeMode, Task, Transcript
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.pairing import comparable, left_out_caution, no_mode_caution
from reports.tables.modes import modes_table


def arms(tasks: Mapping[str, str]) -> dict[str, RunFrames]:
    """Arms by name, each with a task for every letter."""
    return {
        name: build_frames(
            name, [Transcript(transcript_id=name + t, task=Task(task_id=t)) for t in letters], []
        )
        for name, letters in tasks.items()
    }


@pytest.mark.parametrize(
    ("tasks", "compared"),
    [
        ({"x": "abc", "y": "abc", "z": "de"}, "xy"),
        ({"z": "de", "y": "abc", "x": "abc"}, "yx"),
        ({"x": "abc", "y": "abc", "z": "c"}, "xyz"),  # more arms, if only on one task
        ({"w": "a", "x": "a", "y": "bc", "z": "bc"}, "yz"),  # as many arms, on more tasks
        ({"w": "ab", "x": "ab", "y": "cd", "z": "cd"}, "wx"),
        ({"x": "ab", "y": "bc", "z": "cd"}, "xy"),
        ({"x": "aab"}, "x"),
        ({}, ""),
    ],
)
def test_the_largest_group_is_compared(tasks: Mapping[str, str], compared: str) -> None:
    assert list(comparable(arms(tasks))) == list(compared)


def test_those_left_out_are_named() -> None:
    given = arms({"m, mode A": "ab", "m, mode B": "ab", "n, mode A": "c", "n, mode B": "de"})
    assert left_out_caution(given, comparable(given)) == (
        "Caution: left out, as no task of theirs is in all that are compared: "
        "n, mode A (1 task); n, mode B (2 tasks)."
    )
    assert left_out_caution(given, given) == ""


def in_modes(tasks: Mapping[NudgeMode | None, str]) -> RunFrames:
    """A run with a transcript for every letter of each nudge mode."""
    rows = [
        Transcript(transcript_id=f"{mode}-{task}", task=Task(task_id=task), nudge_mode=mode)
        for mode, letters in tasks.items()
        for task in letters
    ]
    return build_frames("run", rows, [])


def test_a_mode_on_other_tasks_does_not_take_the_others_from_the_report() -> None:
    table = modes_table(in_modes({"A": "abc", "B": "abc", "none": "de"}))
    assert table is not None
    assert [column.header for column in table.columns[1:-1]] == [
        "Mode A (format + question)", "Mode B (format only)",
    ]  # fmt: skip
    assert table.note == (
        "Over the 3 tasks that all share, each by its first gradable repeat. Caution: left out, as "
        "no task of theirs is in all that are compared: no nudges (2 tasks)."
    )
    assert modes_table(in_modes({"A": "abc", "B": "de"})) is None


def test_transcripts_without_a_recorded_mode_are_left_out_and_counted() -> None:
    mixed, plain = in_modes({"A": "abc", "B": "abc", None: "ab"}), in_modes({None: "ab"})
    said = "Caution: left out, as no nudge mode is recorded: 2 transcripts"
    assert no_mode_caution({"m": mixed}) == f"{said}."
    assert no_mode_caution({"m": mixed, "p": plain}) == f"{said} in m."
    table = modes_table(mixed)
    assert table is not None
    assert table.note.endswith(f"{said}.")
    # none of these is cut, so each is compared with all its transcripts
    for whole in (
        plain,
        in_modes({"A": "abc", None: "ab"}),
        in_modes({"A": "a", "B": "b", None: "c"}),
    ):
        assert no_mode_caution({"m": whole}) == ""


def graded(folder: Path, field: str, tasks: Mapping[str | None, str]) -> str:
    """A graded run with a transcript for each value of a field and each letter of its tasks."""
    rows = [
        {"transcript_id": f"{value}{task}", "task_id": task, "question": "What is the median?",
         "ground_truth": "30", field: value, "raw_output": "The median is 30."}
        for value, letters in tasks.items()
        for task in letters
    ]  # fmt: skip
    source = folder / "recorded.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = str(folder / "run")
    assert main(["grade", str(source), "--run", run, "--lenient", "off"]) == 0
    return run


def test_the_command_counts_them_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = graded(tmp_path, "nudge_mode", {"A": "ab", "B": "ab", None: "ab"})
    capsys.readouterr()
    assert main(["compare", run, "--json"]) == 0
    caution = json.loads(capsys.readouterr().out)["caution"]
    assert caution == "Caution: left out, as no nudge mode is recorded: 2 transcripts."


def test_an_agent_on_other_tasks_does_not_stop_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = graded(tmp_path, "agent", {"x": "abc", "y": "abc", "z\u202e": "d"})
    capsys.readouterr()
    assert main(["compare", run, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["runs"], summary["left_out"], summary["common_tasks"]) == (
        ["x", "y"], ["z\u202e"], 3,
    )  # fmt: skip
    assert summary["caution"].endswith("z\u202e (1 task).")
    assert "z⟨U+202E⟩ (1 task)." in Path(summary["page"]).read_text()
    assert main(["compare", run]) == 0
    assert "z⟨U+202E⟩ (1 task)." in " ".join(capsys.readouterr().out.split())
