"""The drop-downs over the list of transcripts, and the modes named above it."""

from __future__ import annotations

import pytest

from grader.records import NudgeMode, Task, Transcript
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.html import modes_said
from reports.row_filters import filters
from reports.tables.transcripts import transcript_rows


def run(*modes: NudgeMode | None, agents: tuple[str, ...] = ("",)) -> RunFrames:
    rows = [
        Transcript(transcript_id=f"{n}{agent}", task=Task(task_id="t"), nudge_mode=m, agent=agent)
        for n, m in enumerate(modes)
        for agent in agents
    ]
    return build_frames("run", rows, [])


def test_each_field_has_titles_of_its_own() -> None:
    frames = run("A", None, agents=("A", "", "failed"))
    options = {one.field: one.options for one in filters(frames, transcript_rows(frames))}
    assert options["agent"] == [("", "agent not recorded"), ("A", "A"), ("failed", "failed")]
    assert options["mode"] == [("", "mode not recorded"), ("A", "mode A (format + question)")]


@pytest.mark.parametrize(
    ("modes", "said"),
    [
        ((None, None), ""),
        (("A", "A"), "mode A (format + question)"),
        (("B", None, None), "mode B (format only): 1, mode not recorded: 2"),
        (("none", "A", "A"), "mode A (format + question): 2, no nudges: 1"),
    ],
)
def test_the_modes_of_a_run_are_said_with_their_numbers(
    modes: tuple[NudgeMode | None, ...], said: str
) -> None:
    assert modes_said(run(*modes)) == said
