"""A run's strict layer, whichever strict grader it is, is what tables and figures show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.grader_names import BEFORE_NUDGE, BLIND, CASCADE, HEURISTIC, KEYWORD
from reports.compare.stability import stability_table
from reports.compare.tables import arms_of, paired_table
from reports.figures.cumulative import cumulative, draw_cumulative
from reports.frames import RunFrames, layers_of
from reports.tables.covariates import covariates_table
from reports.tables.modes import modes_table
from reports.tables.nudges import nudges_table
from reports.tables.outcomes import outcomes_table
from reports.tables.transcripts import transcript_rows


def with_strict(frames: RunFrames, *names: str) -> RunFrames:
    """The run with its keyword-anchored grades under other names, and without other strict ones."""
    kept = {name: found for name, found in frames.grades.items() if name.startswith(CASCADE)}
    for suffix in ("", BEFORE_NUDGE):
        if found := frames.grades.get(KEYWORD + suffix):
            kept |= {name + suffix: found for name in names}
    return replace(frames, grades=kept)


@pytest.mark.parametrize("name", [BLIND, HEURISTIC])
def test_another_strict_grader_is_shown_in_its_place(run_ab: RunFrames, name: str) -> None:
    usual, other = with_strict(run_ab, KEYWORD), with_strict(run_ab, name)

    assert other.layers == (name, CASCADE)
    assert outcomes_table(other).rows[0][name] == outcomes_table(usual).rows[0][KEYWORD]
    for show in (modes_table, nudges_table):
        shown, expected = show(other), show(usual)
        assert shown and expected
        assert shown.rows == expected.rows
    tested, expected = covariates_table(other), covariates_table(usual)
    assert tested and expected
    assert [row["p_value"] for row in tested.rows] == [row["p_value"] for row in expected.rows]
    pairs = [paired_table(arms_of({"run": frames})) for frames in (usual, other)]
    assert [row["n"] for row in pairs[0].rows] == [row["n"] for row in pairs[1].rows]
    before = name + BEFORE_NUDGE
    assert cumulative(other)[name].tolist() == cumulative(usual)[KEYWORD].tolist()
    assert (before in cumulative(other)) == (KEYWORD + BEFORE_NUDGE in cumulative(usual))
    drawn, same = draw_cumulative(other), draw_cumulative(usual)
    assert drawn and same
    assert drawn.alt == same.alt
    notes = [[row["disagreements"] for row in transcript_rows(f)] for f in (usual, other)]
    assert notes[0] == notes[1]
    assert any("strict ≠ lenient" in note for note in notes[1])


def test_repeats_are_counted_by_the_strict_grader_that_ran(run_ab: RunFrames) -> None:
    one = with_strict(run_ab, BLIND)
    table = stability_table({"first": one, "second": one})
    assert table
    assert {row["title"] for row in table.rows} == {"Strict, blind", "Cascade (strict or lenient)"}


def test_runs_are_compared_by_a_strict_grader_that_all_of_them_ran(run_ab: RunFrames) -> None:
    both = with_strict(run_ab, KEYWORD, BLIND)
    assert layers_of([both]) == (KEYWORD, CASCADE)
    assert layers_of([both, with_strict(run_ab, BLIND)]) == (BLIND, CASCADE)
    assert layers_of([with_strict(run_ab, HEURISTIC), with_strict(run_ab, BLIND)])[0] == BLIND
    assert layers_of([]) == (KEYWORD, CASCADE)
