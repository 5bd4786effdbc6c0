"""Strict failures that the LLM judge left ungraded: rates are ranges, or the text warns."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from annotate.sample.weights import Weighting
from grader.cascade import combine
from grader.records import Grade, Step, Task, Transcript, Verdict
from reports.compare import paired_table
from reports.compare.stability import stability_table
from reports.figures.cumulative import cumulative, draw_cumulative
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.headline import Fact, headline
from reports.measures import pass_rate
from reports.missing import gaps
from reports.share import Share
from reports.tables.covariates import covariates_table
from reports.tables.graders import graders_table
from reports.tables.modes import arms_table
from reports.tables.nudges import nudges_table
from reports.tables.outcomes import outcomes_table

# strict verdict, LLM verdict (None: not asked)
Judged = tuple[Verdict, Verdict | None]
PASS: Judged = ("correct", None)
OPEN: Judged = ("incorrect", "ungraded")
FAIL: Judged = ("no_answer", "incorrect")
NO_TRUTH: Judged = ("ungraded", None)


def run(*judged: Judged, name: str = "run") -> RunFrames:
    transcripts, grades = [], []
    for number, (strict, lenient) in enumerate(judged):
        key = f"{name}{number}"
        truth = None if (strict, lenient) == NO_TRUTH else "5"
        task = Task(task_id=f"t{number}", ground_truth=truth, covariates={"kind": "ab"[number % 2]})
        transcripts.append(
            Transcript(transcript_id=key, task=task, steps=(Step(),), outcome="clean")
        )
        found = [Grade(transcript_id=key, task_id="t", grader="strict_keyword", verdict=strict)]
        if lenient:
            found.append(Grade(transcript_id=key, task_id="t", grader="lenient", verdict=lenient))
        grades += [*found, combine(found)]
    return build_frames(name, transcripts, grades)


def fact(frames: RunFrames, label: str) -> Fact:
    return next(fact for fact in headline(frames) if fact.label == label)


def test_after_an_outage_the_pass_rate_is_a_range() -> None:
    frames = run(*[PASS] * 36, *[OPEN] * 24)
    assert pass_rate(frames, "cascade") == Share(36, 60, open=24)
    assert pass_rate(frames, "strict_keyword") == Share(36, 60)
    assert fact(frames, "Cascade pass") == Fact(
        "Cascade pass",
        "60.0–100.0%",
        "36–60/60 strict or LLM judge; 24 strict failures without an LLM verdict; "
        "95% interval [47.4%, 100.0%]",
    )
    gap = next(gap for gap in gaps(frames, "r") if gap.what.startswith("LLM verdicts"))
    assert gap.command == "grader grade r --lenient auto --model MODEL --base-url URL"


def test_what_cannot_be_graded_at_all_is_left_out_and_counted() -> None:
    frames = run(PASS, FAIL, OPEN, NO_TRUTH)
    assert pass_rate(frames, "cascade") == Share(1, 3, open=1)
    assert fact(frames, "Strict pass").detail.startswith(
        "1/3 keyword-anchored, of graded; 1 ungraded left out; 95% interval"
    )
    assert fact(frames, "Cascade pass").detail.startswith(
        "1–2/3 strict or LLM judge; 1 strict failure without an LLM verdict, 1 ungraded left out;"
    )


def test_figure_2_shades_what_is_undecided() -> None:
    drawn = draw_cumulative(run(*[PASS] * 36, *[OPEN] * 15, *[FAIL] * 8, NO_TRUTH))
    assert drawn is not None
    assert "Cascade 36–51; Strict 36. Shaded: the range left by strict failures" in drawn.alt
    assert "Not graded, and drawn as not passed: Cascade 1, Strict 1." in drawn.caption
    assert "Shaded" in drawn.caption
    assert drawn.svg.count('id="FillBetweenPolyCollection') == 1
    decided = draw_cumulative(run(PASS, FAIL))
    assert decided is not None
    assert "Shaded" not in decided.caption + decided.alt
    assert "Not graded" not in decided.caption


@pytest.mark.parametrize("labelled", [0, 20, 60])
def test_figure_2_has_a_human_line_only_if_all_are_labelled(labelled: int) -> None:
    frames = run(*[PASS] * 60)
    labels = pd.DataFrame({"final": "match"}, index=frames.transcripts.index[:labelled])
    frames = replace(frames, labels=labels)
    assert ("human" in cumulative(frames)) == (labelled == 60)
    drawn = draw_cumulative(frames)
    assert drawn is not None
    for said in (drawn.caption, drawn.alt):
        assert ("No line of human matches: 20 of 60 labelled." in said) == (labelled == 20)
    assert ("Human match" in drawn.alt) == (labelled == 60)


def test_what_is_not_graded_yet_is_said() -> None:
    frames = run(*[PASS] * 3, *[FAIL] * 3)
    first = {name: dict(list(found.items())[:2]) for name, found in frames.grades.items()}
    cut_short = replace(frames, grades=first)
    assert "2/2 keyword-anchored, of graded; 4 not graded yet;" in (
        fact(cut_short, "Strict pass").detail
    )
    assert "4 not graded yet" in fact(cut_short, "Cascade pass").detail
    assert "grades of some transcripts" in {gap.what for gap in gaps(cut_short)}
    assert "grades of some transcripts" not in {gap.what for gap in gaps(frames)}


def test_complete_verdicts_need_no_range() -> None:
    frames = run(PASS, FAIL)
    assert fact(frames, "Cascade pass").figure == "50.0%"
    assert fact(frames, "Cascade pass").detail.startswith("1/2 strict or LLM judge, of graded; 95%")
    assert "LLM verdict" not in outcomes_table(frames).note
    assert "LLM verdicts of some strict failures" not in {gap.what for gap in gaps(frames)}


def test_without_a_judge_the_cascade_is_the_strict_grader_alone() -> None:
    said = fact(run(PASS, ("incorrect", None)), "Cascade pass").detail
    assert said.startswith("1/2 strict alone, no LLM judge ran, of graded; 95%")


def test_tables_show_ranges_in_every_row() -> None:
    table = outcomes_table(run(PASS, OPEN, FAIL, OPEN))
    column = [c.header for c in table.columns].index("Cascade pass")
    shown = [row[column] for row in table.shown()]
    assert shown == ["1–3/4 (25.0–75.0%)", "1/2 (50.0%)", "0–2/2 (0.0–100.0%)"]
    assert "from–to" in table.note


def test_side_by_side_a_known_failure_decides_for_all() -> None:
    first, second = run(PASS, OPEN, OPEN, name="a"), run(PASS, FAIL, PASS, name="b")
    table = arms_table({"a": first, "b": second}, "arms", "Side by side")
    (row,) = [row for row in table.rows if row["metric"] == "Cascade pass"]
    assert (row["run:a"], row["run:b"]) == (Share(1, 3, open=2), Share(2, 3))
    assert row["every"] == Share(1, 3, open=1)
    assert "from–to" in table.note


def test_side_by_side_what_an_arm_has_no_grade_of_counts_for_none() -> None:
    first, second = run(PASS, NO_TRUTH, FAIL, name="a"), run(PASS, PASS, NO_TRUTH, name="b")
    table = arms_table({"a": first, "b": second}, "arms", "Side by side")
    (row,) = [row for row in table.rows if row["metric"] == "Strict pass"]
    assert (row["run:a"], row["run:b"], row["every"]) == (Share(1, 2), Share(2, 2), Share(1, 1))


@pytest.mark.parametrize("verdicts", [(PASS, OPEN, OPEN), (PASS, FAIL, PASS)])
def test_what_is_left_out_is_said_with_its_numbers(verdicts: tuple[Judged, ...]) -> None:
    arms = {"a": run(*verdicts), "b": run(PASS, FAIL, FAIL, name="again")}
    stability = stability_table(arms)
    covariates = covariates_table(arms["a"])
    assert stability is not None
    assert covariates is not None
    notes = [paired_table(arms).note, stability.note, covariates.note]
    missing = OPEN in verdicts
    assert [row["p_value"] is None for row in paired_table(arms).rows] == [False, missing]
    assert [row["interval"].low is None for row in paired_table(arms).rows] == [False, missing]
    assert ({row["target"] for row in covariates.rows} == {"strict_keyword"}) == missing
    assert ["Caution" in note for note in notes] == [missing] * 3
    assert ["2 of 3 transcripts in a" in note for note in notes] == [missing, missing, False]
    assert ("(2 of 3 transcripts)" in covariates.note) == missing


@pytest.mark.parametrize("is_judged", [False, True])
def test_a_cascade_without_nudges_that_no_judge_read_is_named(is_judged: bool) -> None:
    frames = run(PASS, FAIL)
    without = {
        f"{name}:before_nudge": frames.grades[name] for name in ("strict_keyword", "cascade")
    }
    if is_judged:
        without["lenient:before_nudge"] = frames.grades["lenient"]
    labels = pd.DataFrame({"final": "match"}, index=frames.transcripts.index)
    sampled = dict.fromkeys(frames.transcripts.index, True)
    both = replace(
        frames,
        grades=frames.grades | without,
        labels=labels,
        transcripts=frames.transcripts.assign(outcome="nudge_recovered"),
        weighting=Weighting(design="all", sampled=sampled, strata=dict.fromkeys(sampled, "all")),
    )
    named = [gap.what for gap in gaps(both)]
    assert ("LLM verdicts of the steps before the first nudge" in named) != is_judged
    assert "LLM verdicts of the steps before the first nudge" not in [g.what for g in gaps(frames)]
    table_1, table_2, figure_2 = graders_table(both), nudges_table(both), draw_cumulative(both)
    assert table_1 is not None
    assert table_2 is not None
    assert figure_2 is not None
    for said in (table_1.note, table_2.note, figure_2.caption, figure_2.alt):
        assert ("the cascade without nudges is the strict grader alone" in said) != is_judged
    titles = {row["grader"]: row["title"] for row in table_1.rows}
    alone = "Cascade (strict alone, no judge ran)"
    assert titles["cascade"] == "Cascade (strict or lenient)"
    assert (titles["cascade:before_nudge"] == alone) != is_judged


def test_transcripts_that_could_be_graded_only_with_nudges_are_counted() -> None:
    frames = run(PASS, FAIL, FAIL, NO_TRUTH)
    keys = list(frames.transcripts.index)
    frames = replace(
        frames,
        transcripts=frames.transcripts.assign(n_nudges=[0, 1, 2, 1]),
        labels=pd.DataFrame({"final": "match"}, index=keys[:3]),
    )
    preview = frames.grades["strict_keyword"][keys[1]].model_copy(update={"verdict": "ungraded"})
    before = frames.grades["strict_keyword"] | {keys[1]: preview}
    with_both = replace(frames, grades=frames.grades | {"strict_keyword:before_nudge": before})
    complete, both = graders_table(frames), graders_table(with_both)
    assert complete is not None
    assert both is not None
    assert "Caution" not in complete.note
    assert "the first nudge of 1 of 3 nudged transcripts could not be graded" in both.note
