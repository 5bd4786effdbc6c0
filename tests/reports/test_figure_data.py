"""What figures draw: bars, lines and shades in the figure itself, against counts by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from scipy import stats

from grader.records import Grade, Step, Task, Transcript
from reports.figures.anchoring import draw_anchoring
from reports.figures.cascade import draw_cascade
from reports.figures.confidence import draw_confidence
from reports.figures.cumulative import draw_cumulative
from reports.figures.outcomes import draw_outcomes
from reports.figures.style import BLUE, GREEN
from reports.frame_rows import build_frames
from reports.frames import RunFrames

from .test_undecided import FAIL, OPEN, PASS, run

Axes = Any  # matplotlib's, which says little of the types of what is drawn
Drawn = Callable[[Callable[[RunFrames], Any], RunFrames], list[Axes]]


@pytest.fixture
def axes_of(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """The axes of a figure, with what is drawn in them."""

    def drawn(draw: Callable[[RunFrames], Any], frames: RunFrames) -> list[Axes]:
        monkeypatch.setattr(f"{draw.__module__}.picture", lambda figure, *_: figure)
        return list(draw(frames).axes)

    return drawn


def lines(axes: Axes, colour: str) -> list[Any]:
    """The places and the heights of each line of a colour."""
    found = [line for line in axes.lines if line.get_color() == colour]
    return [([*map(float, x)], [*map(float, y)]) for x, y in (one.get_data() for one in found)]


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The ends of the interval, in percent."""
    low, high = stats.binomtest(successes, n).proportion_ci(method="wilson")
    return 100 * low, 100 * high


def test_outcomes_are_bars_beside_the_name_of_their_level(axes_of: Drawn) -> None:
    outcomes = {"few": ["clean", "failed"], "many": ["clean"] * 2 + ["failed"] * 5 + ["unknown"]}
    frames = build_frames(
        "run",
        [
            Transcript(
                transcript_id=f"{level}{number}",
                task=Task(task_id=f"{level}{number}", covariates={"size": level}),
                outcome=None if outcome == "unknown" else outcome,
            )
            for level, of_level in outcomes.items()
            for number, outcome in enumerate(of_level)
        ],
        [],
    )
    left, _ = axes_of(draw_outcomes, frames)
    bars: dict[str, list[tuple[float, float]]] = {}
    ticks = zip(left.get_yticks(), left.get_yticklabels(), strict=True)
    names = {int(place): text.get_text() for place, text in ticks}
    for bar in left.patches:
        name = names[round(bar.get_y() + bar.get_height() / 2)]
        if bar.get_width():
            bars.setdefault(name, []).append((bar.get_x(), bar.get_width()))
    assert bars == {
        "all\n(n = 10)": [(0, 30), (30, 60), (90, 10)],
        "few\n(n = 2)": [(0, 50), (50, 50)],
        "many\n(n = 8)": [(0, 25), (25, 62.5), (87.5, 12.5)],
    }


def test_rates_are_points_in_intervals_and_ranges_are_broad_bars(axes_of: Drawn) -> None:
    _, right = axes_of(draw_outcomes, run(PASS, OPEN, FAIL, OPEN))
    drawn: dict[str, dict[float, list[Any]]] = {}
    for colour in (BLUE, GREEN):
        for x, (y, *_) in lines(right, colour):
            drawn.setdefault(colour, {}).setdefault(y, []).append(pytest.approx(x))
    # from above: all, a (PASS, FAIL), b (OPEN, OPEN)
    assert drawn[BLUE] == {
        2.2: [wilson(1, 4), (25,)],
        1.2: [wilson(1, 2), (50,)],
        0.2: [wilson(0, 2), (0,)],
    }
    assert drawn[GREEN] == {
        2: [(wilson(1, 4)[0], wilson(3, 4)[1]), (25, 75)],
        1: [wilson(1, 2), (50,)],
        0: [(wilson(0, 2)[0], wilson(2, 2)[1]), (0, 100)],
    }


def test_running_counts_and_the_range_above_them(axes_of: Drawn) -> None:
    (axes,) = axes_of(draw_cumulative, run(PASS, OPEN, FAIL, OPEN, PASS))
    every = [1, 2, 3, 4, 5]
    assert (every, [1, 1, 1, 1, 2]) in lines(axes, GREEN)
    assert (every, [1, 1, 1, 1, 2]) in lines(axes, BLUE)
    (shade,) = axes.collections
    corners = {(float(x), float(y)) for x, y in shade.get_paths()[0].vertices}
    most = {(1, 1), (2, 2), (3, 2), (4, 3), (5, 4)}
    assert corners == most | {(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)}


def test_bands_are_rates_in_wilsons_intervals(axes_of: Drawn) -> None:
    scores = [(0.1, i < 1) for i in range(4)] + [(0.9, i < 5) for i in range(6)]
    transcripts, grades = [], []
    for number, (score, is_pass) in enumerate(scores):
        key = str(number)
        transcripts.append(Transcript(transcript_id=key, task=Task(task_id=key, ground_truth="5")))
        grade = Grade(
            transcript_id=key,
            task_id=key,
            grader="strict_keyword",
            verdict="correct" if is_pass else "incorrect",
            evidence={"region_score": score},
        )
        grades.append(grade)
    left, _ = axes_of(draw_confidence, build_frames("run", transcripts, grades))
    assert lines(left, BLUE) == [
        (pytest.approx([0.1] * 2), pytest.approx(wilson(1, 4))),
        (pytest.approx([0.1]), pytest.approx([25])),
        (pytest.approx([0.9] * 2), pytest.approx(wilson(5, 6))),
        (pytest.approx([0.9]), pytest.approx([500 / 6])),
    ]


def test_the_cascade_has_its_counts_on_its_arrows(axes_of: Drawn) -> None:
    (axes,) = axes_of(draw_cascade, run(*[PASS] * 3, *[OPEN] * 2, *[FAIL] * 4))
    bold = [text for text in axes.texts if text.get_fontweight() == "bold"]
    said = [text.get_text() for text in sorted(bold, key=lambda text: text.get_position()[0])]
    assert said == ["9", "3 passed", "6", "0 passed", "6"]
    labels = [t.get_text() for t in axes.texts if t.get_text().startswith("match")]
    assert labels == [f"match 0\nno match 0\nnot labelled {n}" for n in (3, 0, 6)]


def test_anchoring_is_a_mean_in_an_interval_within_the_bounds_of_the_score(axes_of: Drawn) -> None:
    scores = {"a": [0.9, 0.5], "b": [1.0]}
    frames = build_frames(
        "run",
        [
            Transcript(
                transcript_id=key,
                task=Task(task_id=key),
                steps=tuple(Step(anchoring_score=score) for score in of),
            )
            for key, of in scores.items()
        ],
        [],
    )
    (axes,) = axes_of(draw_anchoring, frames)
    low = stats.t.interval(0.95, 1, 0.95, stats.sem([0.9, 1.0]))[0]
    mean, whisker = lines(axes, BLUE)
    assert mean == ([1, 2], pytest.approx([0.95, 0.5]))
    assert whisker == ([1, 1], pytest.approx([low, 1]))
