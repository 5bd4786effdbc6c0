"""A run whose labels over-represent hard cases: what the report shows is of the run."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

from annotate.cases import cases_of
from annotate.labels import open_store
from annotate.sample import draw
from annotate.sample.queue import save_sample
from grader.cli import main
from grader.records import Label, LabelStage
from reports.figures.outcomes import draw_outcomes
from reports.frames import RunFrames
from reports.headline import headline
from reports.load import load_run
from reports.measures import match_rate
from reports.missing import gaps
from reports.table import show_rate
from reports.tables.bands import bands_table
from reports.tables.graders import graders_table
from reports.tables.outcomes import outcomes_table

from ..annotate.runs import grade, make_run, transcript

MISSED = range(6)  # matches that the graders fail, without confidence; the other 54 they pass


def labelled_run(path: Path, size: int, stage: LabelStage = "transcript") -> RunFrames:
    """54 sure passes and 6 unsure failures, all matches, and a transcript without a published
    answer; the first `size` of a stratified queue are labelled."""
    graded = [
        grade(
            f"t{i:03d}",
            name,
            "incorrect" if i in MISSED else "correct",
            confidence=0.1 if i in MISSED else 0.9,
        )
        for i in range(60)
        for name in ("strict_keyword", "strict_blind", "cascade")
    ]
    transcripts = [transcript(i, truth="" if i == 60 else "0.25") for i in range(61)]
    run = make_run(path, transcripts, graded)
    sample = draw(cases_of(run), "stratified", size=size)
    with open_store(run) as store:
        save_sample(store, sample)
        for key in sample.queue:
            store.add(
                Label(
                    transcript_id=key,
                    annotator="ada",
                    stage=stage,
                    verdict="match",
                    created_at=datetime(2026, 1, 1, tzinfo=UTC),
                )
            )
    return load_run(run.path)


@pytest.fixture
def frames(tmp_path: Path) -> RunFrames:
    return labelled_run(tmp_path / "run", 12)


def test_recall_and_human_match_are_weighted(frames: RunFrames) -> None:
    table = graders_table(frames)
    assert table is not None
    (row,) = (row for row in table.rows if row["grader"] == "cascade")
    assert row["recall"].value == pytest.approx(0.9, abs=0.01)
    assert row["tp"] / (row["tp"] + row["fn"]) < 0.8
    assert "weighted for the sampling design" in table.note
    assert "Wilson" not in table.note
    assert "Recall, 95% interval" in [column.header for column in table.columns]
    assert "weighted" in show_rate(row["recall"])
    assert match_rate(frames).value == 1.0
    detail = next(fact.detail for fact in headline(frames) if fact.label == "Human match")
    assert "12/12 of labelled, weighted for their sampling design" in detail
    assert "all grades and 12 labels" in headline(frames)[-1].detail


def test_labels_of_snippets_and_disputes_are_said(tmp_path: Path, frames: RunFrames) -> None:
    snippets = labelled_run(tmp_path / "snippets", 12, "snippet")
    assert snippets.audit is not None
    disputed = replace(snippets, audit=snippets.audit.model_copy(update={"undecided": ("x", "y")}))
    table, human = graders_table(disputed), headline(disputed)[3].detail
    assert table is not None
    assert "from the snippet alone, without reading the transcript: 12 of 12." in table.note
    assert "annotators disagree: 2 of 14 labelled transcripts." in table.note
    assert human.endswith("; 12 of the labels from the snippet alone; 2 disputed and left out")
    plain = graders_table(frames)
    assert plain is not None
    assert "snippet alone" not in plain.note and "disagree" not in plain.note


def test_labels_given_unblinded_are_said(frames: RunFrames) -> None:
    assert frames.audit is not None
    unblinded = replace(frames, audit=frames.audit.model_copy(update={"unblinded": 3}))
    notes = [getattr(graders_table(each), "note", "") for each in (frames, unblinded)]
    assert ["unblinded" in note for note in notes] == [False, True]
    assert "saw the grades, the agent and the nudge mode: 3." in notes[1]
    assert headline(unblinded)[3].detail.endswith("; 3 labels given unblinded")
    assert "left out" not in headline(frames)[3].detail


def test_labels_weigh_in_a_part_of_the_run_what_they_weigh_in_all_of_it(frames: RunFrames) -> None:
    part = frames.part([f"t{i:03d}" for i in range(30)], "half")  # 24 passes, all 6 failures
    table = graders_table(part)
    assert table is not None
    assert table.rows[0]["recall"].value == pytest.approx(24 / 30, abs=0.02)


def test_a_mode_without_a_label_in_a_stratum_has_no_rates(frames: RunFrames) -> None:
    """Mode B has labels of the failures only: among these recall is 0 %, in the mode 97 %."""
    weighting = frames.weighting
    assert weighting is not None
    assert weighting.weights is not None
    inside = [f"t{i:03d}" for i in range(60)]
    hard = [key for key in weighting.sampled if key in inside[:6]]
    easy = [key for key in inside[6:] if key not in weighting.sampled][:30]
    modes = {key: "B" if key in {hard[0], *easy} else "A" for key in frames.transcripts.index}
    table = graders_table(
        replace(frames, transcripts=frames.transcripts.assign(mode=pd.Series(modes)))
    )
    assert table is not None
    a, b = (row for row in table.rows if row["grader"] == "cascade")
    assert ("mode A" in a["panel"], "mode B" in b["panel"]) == (True, True)
    assert a["recall"].value > 0.5
    assert (b["recall"].value, b["fn"], b["recall"].n) == (None, 1, 0)
    assert "n/a: a panel has no rates while a stratum of the queue has no label" in table.note


def test_a_level_without_a_label_in_a_stratum_has_no_human_match(frames: RunFrames) -> None:
    """Level `few` has labels of the failures only, which are a tenth of it."""
    weighting = frames.weighting
    assert weighting is not None
    hard = [f"t{i:03d}" for i in MISSED]
    easy = [key for key in frames.transcripts.index if key not in {*weighting.sampled, *hard}][:30]
    few = {hard[0], *easy}
    size = {key: "few" if key in few else "many" for key in frames.transcripts.index}
    table = frames.transcripts.assign(**{"covariate:size": pd.Series(size)})
    cut = replace(frames, transcripts=table)
    outcomes, figure = outcomes_table(cut), draw_outcomes(cut)
    found = {row["level"]: row["match"] for row in outcomes.rows}
    assert (found["few"].value, found["many"].value) == (None, 1.0)
    assert found["all transcripts"].value == 1.0
    assert figure is not None
    for text in (outcomes.note, figure.caption):
        assert "has no human match while a stratum of the queue has no label in it (correct" in text
    assert "has no human match" not in outcomes_table(frames).note


def test_reliability_counts_grades_that_state_a_confidence(frames: RunFrames) -> None:
    table = bands_table(frames)
    assert table is not None
    assert "n = 12 labelled grades that state one" in table.note


@pytest.mark.parametrize(("size", "lacks"), [(12, True), (60, False)])
def test_what_cannot_be_graded_is_no_missing_label(tmp_path: Path, size: int, lacks: bool) -> None:
    found = labelled_run(tmp_path / "run", size)
    assert len(found) == 61
    assert ("labels of some transcripts" in {gap.what for gap in gaps(found)}) == lacks


def test_a_dispute_is_settled_by_adjudication_not_by_more_labels(tmp_path: Path) -> None:
    path = tmp_path / "run"
    labelled_run(path, 60)
    (labels := tmp_path / "ben.csv").write_text("transcript_id,verdict\nt001,non_match\n")
    assert main(["labels", "import", str(path), str(labels)]) == 0
    found = {gap.what: gap.command for gap in gaps(load_run(path), str(path))}
    assert "labels of some transcripts" not in found
    program, *command = found["a decision where annotators disagree"].split()
    assert (program, main([*command, "t001", "match"])) == ("grader", 0)
    assert "a decision where annotators disagree" not in {g.what for g in gaps(load_run(path))}


def test_human_match_waits_for_a_label_of_every_stratum(frames: RunFrames) -> None:
    assert frames.weighting is not None
    lacking = frames.weighting.model_copy(update={"unlabelled": ("fail / low",)})
    human = headline(replace(frames, weighting=lacking))[3]
    assert (human.figure, human.detail) == ("n/a", "no label yet in: fail / low")
