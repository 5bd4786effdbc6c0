"""The page's transcript table: its columns, and the drop-downs over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader.invisible import displayable

from .frames import RunFrames
from .names import MODE_TITLES, NO_AGENT, OUTCOME_TITLES, VERDICT_TITLES, grader_title

LONGEST = 40


class Filter(NamedTuple):
    """One drop-down over the transcript table."""

    field: str
    title: str
    options: list[tuple[str, str]]


def row_columns(frames: RunFrames) -> list[tuple[str, str]]:
    """Columns of the transcript table: (field, title)."""
    return [
        ("transcript_id", "Transcript"),
        ("question", "Question"),
        *([("agent", "Agent")] if len(frames.agents) > 1 else []),
        *([("mode", "Mode")] if any(frames.modes) else []),
        ("outcome", "Outcome"),
        ("n_nudges", "Nudges"),
        ("ground_truth", "Truth"),
        *((grader, grader_title(grader)) for grader in frames.graders),
        ("human", "Human"),
        ("disagreements", "Disagreements"),
        ("task_id", "Task"),
    ]


def verdict_titles(frames: RunFrames) -> dict[str, Mapping[str, str]]:
    """Titles of the values of each column with verdicts or outcomes, by field. Values of other
    columns, which may happen to be such a word, are shown as they are."""
    return {
        "outcome": OUTCOME_TITLES,
        **dict.fromkeys(frames.graders, VERDICT_TITLES),
        "human": VERDICT_TITLES,
    }


def filters(frames: RunFrames, rows: Sequence[Mapping[str, Any]]) -> list[Filter]:
    """A drop-down for each field with a few values, with the values that occur."""
    fields = [("outcome", "Outcome"), ("agent", "Agent"), ("mode", "Mode")]
    fields += [(grader, grader_title(grader)) for grader in frames.graders]
    fields.append(("human", "Human"))
    titles = {**verdict_titles(frames), "agent": {"": NO_AGENT}, "mode": MODE_TITLES}
    made = []
    for field, title in fields:
        values = sorted({"(none)" if r.get(field) is None else str(r[field]) for r in rows})
        if len(values) > 1:
            made.append(Filter(field, title, [_option(value, titles[field]) for value in values]))
    kinds = sorted({k for r in rows for k in str(r["disagreements"]).split(", ") if k})
    if kinds:
        options = [("(any)", "any"), *((k, k) for k in kinds)]
        made.append(Filter("disagreements", "Disagreement", options))
    return made


def _option(value: str, titles: Mapping[str, str]) -> tuple[str, str]:
    """A value, as the rows of the page have it, and its title."""
    title = titles.get(value, value)
    return displayable(value), title if len(title) <= LONGEST else title[: LONGEST - 1] + "…"
