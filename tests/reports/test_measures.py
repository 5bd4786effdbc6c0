"""Measures of a run: success with and without nudges, levels of a covariate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from grader.records import Grade, Step, Task, Transcript
from reports.figures.outcomes import covariate_shown
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.measures import levels, success, success_before_nudge
from reports.share import Share, share_of


def test_without_nudges_only_what_was_not_nudged_is_unknown() -> None:
    task, nudge = Task(task_id="t"), Step(instruction_type="nudge_generic")
    transcripts = [
        Transcript(transcript_id="a", task=task, steps=(nudge,)),
        Transcript(transcript_id="b", task=task),
        Transcript(transcript_id="c", task=task, outcome="clean"),
    ]
    frames = build_frames("r", transcripts, [])
    assert success(frames)[:3] == (1, 3, 2)
    assert success_before_nudge(frames)[:3] == (1, 3, 1)


@pytest.mark.parametrize("rest", [False, True])
def test_where_hits_are_open_repeats_are_as_alike_as_they_may_turn_out(rest: bool) -> None:
    """If the open ones turn out as the rest, tries of a task always agree; if not, never."""
    found = share_of([None, rest, None, rest], list("aabb"))
    assert found == Share(2 * rest, 4, open=2, design_effect=2)


def with_rows(values: Sequence[str]) -> RunFrames:
    """A run of one task for each value of the covariate `rows`."""
    tasks = [Task(task_id=str(i), covariates={"rows": value}) for i, value in enumerate(values)]
    return build_frames("r", [Transcript(transcript_id=t.task_id, task=t) for t in tasks], [])


def test_levels_of_a_number_with_many_values_are_named_as_it_is_written() -> None:
    found = levels(with_rows(["1.0", *map(str, range(2, 11)), "1000", "1200"]), "rows")
    assert list(found) == ["1.0 to 3", "4 to 6", "7 to 9", "10 to 1200"]
    assert [len(part) for part in found.values()] == [3, 3, 3, 3]
    assert list(levels(with_rows(["2", "10", "2", "3"]), "rows")) == ["2", "3", "10"]


def test_levels_where_most_tasks_share_a_number_and_one_has_none() -> None:
    found = levels(with_rows(["0"] * 40 + [str(n) for n in range(5, 20)] + ["unknown"]), "rows")
    sizes = {name: len(part) for name, part in found.items()}
    assert sizes == {"0": 40, "5 to 19": 15, "unknown": 1}


def test_the_covariate_of_a_figure_is_chosen_without_cutting_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A covariate may have a level for every task; cutting the run by it takes as many cuts."""
    monkeypatch.setattr(RunFrames, "part", None)
    assert covariate_shown(with_rows([f"file{number}" for number in range(13)])) is None
    assert covariate_shown(with_rows([f"file{number % 12}" for number in range(24)])) == "rows"


def test_a_part_looks_up_its_own_grades_only() -> None:
    class Grades(dict[str, Grade]):
        def __iter__(self) -> Iterator[str]:
            raise AssertionError("all grades of the run are read for a part of it")

        items = keys = values = __iter__  # type: ignore[assignment]

    run = with_rows(["x", "y"])
    grade = Grade(transcript_id="1", task_id="1", grader="cascade", verdict="correct")
    run = replace(run, grades={"cascade": Grades({"1": grade})})
    assert {name: part.grades for name, part in levels(run, "rows").items()} == {
        "x": {"cascade": {}},
        "y": {"cascade": {"1": grade}},
    }
