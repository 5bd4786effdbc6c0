"""Figures: the values behind them, stable bytes, and words for those who cannot see them."""

from __future__ import annotations

import io
import re
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from scipy import stats

from grader.cascade import combine
from grader.records import Grade, Step, Task, Transcript, Verdict
from reports.figures import FIGURES, draw_figures
from reports.figures.anchoring import anchoring_trace, draw_traces, half_width
from reports.figures.cascade import draw_cascade
from reports.figures.cumulative import cumulative, spread
from reports.figures.outcomes import draw_outcomes
from reports.figures.style import Picture, new_figure, picture, styled, wrapped
from reports.flow import Humans, cascade_flow
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.headline import headline


@pytest.fixture(scope="module")
def pictures(run_ab: RunFrames) -> dict[str, Picture]:
    return draw_figures(run_ab)


def test_all_figures_are_drawn(pictures: dict[str, Picture]) -> None:
    assert list(pictures) == list(FIGURES)


def test_cumulative_ends_at_the_published_counts(run_a: RunFrames) -> None:
    ends = {name: int(curve[-1]) for name, curve in cumulative(run_a).items()}
    assert ends == {
        "cascade": 70,
        "strict_keyword": 62,
        "cascade:before_nudge": 25,
        "strict_keyword:before_nudge": 17,
        "human": 72,
    }
    assert all((np.diff(curve) >= 0).all() for curve in cumulative(run_a).values())


def test_cascade_flow(run_a: RunFrames) -> None:
    flow = cascade_flow(run_a)
    assert (flow.total, flow.strict_pass, flow.strict_fail) == (153, 62, 91)
    assert (flow.judged, flow.lenient_pass, flow.not_passed, flow.ungraded) == (91, 8, 83, 0)
    assert flow.humans["not_passed"] == Humans(match=2, non_match=81, not_labelled=0)
    assert flow.humans["strict_pass"] == Humans(62, 0, 0)


def test_what_strict_cannot_grade_goes_to_no_judge() -> None:
    task = Task(task_id="t")
    rows = [Transcript(transcript_id=key, task=task, steps=(Step(),)) for key in "abcd"]
    verdicts: dict[str, tuple[Verdict, Verdict | None]] = {
        "a": ("ungraded", None), "b": ("incorrect", "ungraded"), "c": ("incorrect", "incorrect"),
    }  # fmt: skip
    grades = []
    for key, (strict, lenient) in verdicts.items():
        found = [
            Grade(transcript_id=key, task_id="t", grader=grader, verdict=verdict)
            for grader, verdict in (("strict_keyword", strict), ("lenient", lenient))
            if verdict
        ]
        grades += [*found, combine(found)]
    frames = build_frames("run", rows, grades)
    flow = cascade_flow(frames)
    assert (flow.total, flow.not_graded, flow.strict_fail, flow.judged) == (4, 2, 2, 1)
    assert (flow.not_passed, flow.ungraded) == (1, 1)
    drawn = draw_cascade(frames)
    assert drawn is not None
    assert "not graded 2" in drawn.svg
    assert "does not grade 2" in drawn.alt


def test_anchoring_trace_is_mean_and_standard_error(run_a: RunFrames) -> None:
    trace = anchoring_trace(run_a)
    first = run_a.steps[run_a.steps["turn"] == 1]["anchoring_score"].to_numpy(dtype=float)
    assert trace.n[0] == len(first) == 153
    assert trace.mean[0] == pytest.approx(first.mean())
    low, high = stats.t.interval(0.95, 152, first.mean(), stats.sem(first))
    assert trace.half_width[0] == pytest.approx((high - low) / 2)


def test_intervals_of_few_transcripts_cover_the_mean() -> None:
    rng = np.random.default_rng(6)
    draws = rng.normal(0.5, 0.1, (2000, 2))
    covered = [abs(two.mean() - 0.5) <= (half_width(two) or 0) for two in draws]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)
    assert half_width(draws[0, :1]) is None


def test_labels_do_not_overlap() -> None:
    heights = spread([10, 10, 11, 30], gap=3)
    assert all(b - a >= 3 - 1e-6 for a, b in pairwise(sorted(heights)))
    assert heights[3] == 30


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("mode A (format + question)", ["mode A (format + question)"]),
        ("a\nb", ["a b"]),
        (
            "gpt-4o-mini_qrdata_modeA_seed-2026-10-31_attempt-01",
            ["gpt-4o-", "mini_qrdata_modeA_seed-2026-", "10-31_attempt-01"],
        ),
        ("x" * 50 + "y" * 50, ["x" * 28, "x" * 13 + "…" + "y" * 14, "y" * 27]),
    ],
)
def test_long_names_are_wrapped_and_shortened_in_the_middle(name: str, lines: list[str]) -> None:
    assert wrapped(name, 28) == "\n".join(lines)


def test_titles_stay_in_their_panels(run_a: RunFrames) -> None:
    names = [f"gpt-4o-mini_qrdata_modeA_seed-2026-10-31_attempt-0{n}" for n in (1, 2)]
    drawn = draw_traces(dict.fromkeys(names, run_a), "Over all transcripts.")
    assert drawn is not None
    assert not any(f">{name}<" in drawn.svg for name in names)
    assert ">10-31_attempt-02<" in drawn.svg
    assert drawn.caption.endswith("not by itself drift. Over all transcripts.")


@pytest.mark.parametrize(("turns", "named"), [(8, range(1, 9)), (24, range(1, 25, 3))])
def test_the_numbers_of_many_turns_do_not_overlap(turns: int, named: range) -> None:
    steps = tuple(Step(raw_output="5", anchoring_score=0.5) for _ in range(turns))
    run = [Transcript(transcript_id="t", task=Task(task_id="q"), steps=steps)] * 2
    drawn = draw_traces({"run": build_frames("run", run, [])})
    assert drawn is not None
    texts = re.findall(r">(\d+)</text>", drawn.svg)
    assert texts.count("1") == 1 + len(named)  # the number of turn 1, and n = 1 at each of them
    assert [int(text) for text in texts if text != "1"] == [*named][1:]
    assert f"turn {turns} 0.50 (n = 1)" in drawn.alt


def test_the_words_for_a_figure_say_all_that_it_shows(
    pictures: dict[str, Picture], run_a: RunFrames
) -> None:
    assert "Strict pass 128/306 (41.8%), 95% interval [" in pictures["outcomes"].alt
    assert "Human match 72/153 (47.1%), 95% interval [" in pictures["outcomes"].alt
    trace = anchoring_trace(run_a)
    low, high = (trace.mean[0] + sign * (trace.half_width[0] or 0) for sign in (-1, 1))
    said = f"turn 1 {trace.mean[0]:.2f} ([{low:.2f}, {high:.2f}], n = 153)"
    assert said in pictures["anchoring"].alt


def test_same_bytes_twice(run_ab: RunFrames, pictures: dict[str, Picture]) -> None:
    assert draw_figures(run_ab) == pictures


def test_png_is_a_picture_of_readable_size(pictures: dict[str, Picture]) -> None:
    for drawn in pictures.values():
        image = Image.open(io.BytesIO(drawn.png))
        assert image.width >= 600
        assert drawn.alt
        assert drawn.svg.rstrip().endswith("</svg>")


def test_an_empty_run_has_no_figures() -> None:
    assert draw_figures(build_frames("empty", [], [])) == {}


def test_characters_that_the_font_lacks_are_one_message(
    caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    with styled("x"):
        figure = new_figure()
        figure.text(0.1, 0.5, "数据 模型")
        drawn = picture(figure, "x", "", "", "")
    assert caplog.messages == ["figure x: the PNG shows some characters as boxes; the SVG has them"]
    assert "数据 模型" in drawn.svg
    assert len(recwarn) == 0


def alone(*grades: tuple[str, Verdict], **covariates: str) -> RunFrames:
    """A run of one transcript with these grades."""
    task = Task(task_id="t", covariates=covariates)
    row = Transcript(transcript_id="a", task=task, steps=(Step(),), outcome="clean")
    found = [
        Grade(transcript_id="a", task_id="t", grader=grader, verdict=verdict)
        for grader, verdict in grades
    ]
    return build_frames("run", [row], [*found, combine(found)])


def test_the_flow_begins_with_the_grader_of_the_cascade() -> None:
    frames = alone(("strict_blind", "correct"))
    flow = cascade_flow(frames)
    assert (flow.strict_pass, flow.lenient_pass) == (1, 0)
    drawn = draw_cascade(frames)
    assert drawn is not None and "blind" in drawn.svg and "keyword" not in drawn.svg
    assert [fact.figure for fact in headline(frames)[1:3]] == ["100.0%", "100.0%"]


def test_a_level_named_all_is_no_whole_run() -> None:
    task = {name: Task(task_id=name, covariates={"size": name}) for name in ("all", "big")}
    rows = [
        Transcript(transcript_id=f"{name}{number}", task=task[name], outcome="clean")
        for name in task
        for number in range(3)
    ]
    drawn = draw_outcomes(build_frames("run", rows, []))
    assert drawn is not None
    assert re.findall(r"(\w+): Clean (\d)", drawn.alt) == [("all", "6"), ("all", "3"), ("big", "3")]
