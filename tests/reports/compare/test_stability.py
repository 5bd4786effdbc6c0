"""pass@k and pass^k against brute force; flips."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from grader.records import Grade, Step, Task, Transcript, Verdict
from grader.settings import GradeSettings
from reports.compare.grading_differences import grading_caution
from reports.compare.stability import flips_table, pass_at_k, pass_hat_k, stability_table
from reports.frame_rows import build_frames
from reports.frames import RunFrames


@pytest.mark.parametrize("n", range(1, 7))
def test_against_all_subsets(n: int) -> None:
    for passed in range(n + 1):
        tries = [i < passed for i in range(n)]
        for k in range(1, n + 1):
            subsets = list(combinations(tries, k))
            assert pass_at_k(n, passed, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))
            assert pass_hat_k(n, passed, k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


def test_k_beyond_n_is_refused() -> None:
    with pytest.raises(ValueError, match="k = 3"):
        pass_at_k(2, 1, 3)


def test_two_modes_as_repeats(run_ab: RunFrames) -> None:
    """Strict passes 62 and 66 of 153, 47 in both: 81 in at least one, 34 flips."""
    table = stability_table(run_ab.by_mode())
    assert table is not None
    (row,) = [r for r in table.rows if r["k"] == 2 and r["title"].startswith("Strict")]
    assert row["run"] == "All runs together (different modes)"
    assert row["pass_at_k"] == pytest.approx(81 / 153)
    assert row["pass_hat_k"] == pytest.approx(47 / 153)
    assert row["flips"] == 34
    flips = flips_table(run_ab.by_mode())
    assert flips is not None
    assert sum(r["title"].startswith("Strict") for r in flips.rows) == 34


def test_a_run_in_a_mode_and_in_none_recorded_says_so(run_ab: RunFrames) -> None:
    """Such a run is not cut into modes, so its repeats are tries in different ones."""
    table = run_ab.transcripts.assign(mode=run_ab.transcripts["mode"].where(lambda m: m == "A", ""))
    mixed = {"one": replace(run_ab, transcripts=table)}
    stability, flips = stability_table(mixed), flips_table(mixed)
    assert stability is not None
    assert flips is not None
    assert {row["run"] for row in stability.rows} == {"one (different modes)"}
    assert all(row["title"].endswith(" (different modes)") for row in flips.rows)


def test_no_repeats_no_table(run_a: RunFrames) -> None:
    assert stability_table({"a": run_a}) is None
    assert flips_table({"a": run_a}) is None


def tried(*verdicts: Verdict, seconds: float = 1.0) -> RunFrames:
    """One task, tried several times, of which some pass."""
    rows = [
        Transcript(transcript_id=f"t-{n}", task=Task(task_id="t"), metadata={"repeat": n},
                   steps=(Step(raw_output="It is 5.", elapsed_time=seconds),))
        for n, _ in enumerate(verdicts, 1)
    ]  # fmt: skip
    grades = [
        Grade(transcript_id=row.transcript_id, task_id="t", grader="strict_keyword",
              verdict=verdict)
        for row, verdict in zip(rows, verdicts, strict=True)
    ]  # fmt: skip
    return build_frames("run", rows, grades)


def test_a_recording_in_several_runs_counts_once() -> None:
    first, later = tried("correct", "incorrect"), tried("correct", "correct", seconds=2.0)
    table = stability_table({"a": first, "copy": first})
    assert table is not None
    assert [(row["run"], row["k"]) for row in table.rows] == [
        ("a", 1), ("a", 2), ("copy", 1), ("copy", 2),
    ]  # fmt: skip
    table = stability_table({"a": first, "copy": first, "later": later})
    assert table is not None
    together = [row for row in table.rows if row["run"] == "All runs together"]
    assert [row["k"] for row in together] == [1, 2, 3, 4]
    assert together[0]["pass_at_k"] == pytest.approx(3 / 4)
    flips = flips_table({"a": first, "copy": first, "later": later})
    assert flips is not None
    assert [(row["passed"].successes, row["passed"].n) for row in flips.rows] == [(3, 4)]


def test_runs_graded_in_different_ways_are_not_counted_together() -> None:
    wide = replace(tried("correct", "correct"), settings=GradeSettings(relative_tolerance=0.5))
    arms = {"narrow": tried("correct", "incorrect"), "wide": wide}
    assert grading_caution(arms)
    table, flips = stability_table(arms), flips_table(arms)
    assert table is not None
    assert flips is not None
    assert {row["run"] for row in table.rows} == {"narrow", "wide"}
    assert [row["title"] for row in flips.rows] == ["Strict, keyword-anchored, narrow"]
    for note in (table.note, flips.note):
        assert "not graded in the same way are not counted together" in note
    same = replace(wide, settings=GradeSettings())
    assert flips_table({"narrow": tried("correct", "correct"), "wide": same}) is None
