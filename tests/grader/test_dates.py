from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import grade
from grader.dates import day_of, writings
from grader.make_task import make_task


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2262, 1, 1)))
def test_every_writing_is_read_as_the_same_date(day: date) -> None:
    written = writings(day.isoformat())
    assert len(written) > 10
    for text in written:
        assert pd.to_datetime(text.replace(" of ", " ")).date() == day
        assert set(writings(text)) >= set(written)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Jan. 2015", {"January 2015", "Jan 2015", "2015-01"}),
        ("1914-15", {"1914–15", "1914/15"}),
        ("1999-2000", {"1999/2000"}),
        ("Q3 2015", {"2015Q3", "2015-Q3"}),
        ("1:46.70", {"1:46.70"}),
        ("03/01/2015", {"03/01/2015"}),  # of March or January
        ("1990s", {"1990s"}),
    ],
)
def test_dates_and_times(text: str, others: set[str]) -> None:
    assert set(writings(text)) >= others


@given(st.datetimes(datetime(1900, 1, 1), datetime(2262, 1, 1)))
def test_every_writing_of_a_time_of_a_day_is_read_as_the_same(at: datetime) -> None:
    at = at.replace(microsecond=0)
    written = writings(f"{at:%Y-%m-%dT%H:%M:%SZ}")
    assert len(written) > 10
    for text in written:
        assert set(writings(text)) >= {f"{at}", f"{at:%Y-%m-%dT%H:%M:%S}"}
        assert pd.to_datetime(text.replace(" at", "")).replace(tzinfo=None) == at
    assert day_of(f"{at:%Y-%m-%d %H:%M}") == f"{at.date()}"
    assert day_of(f"{at.date()}") == ""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("It began on 2020-01-02 15:04:00.", "correct"),
        ("The outage began at 2020-01-02T15:04.", "correct"),
        ("It began on January 2, 2020 at 3:04 PM.", "correct"),
        ("```\nTimestamp('2020-01-02 15:04:00')\n```", "correct"),
        ("It began on January 2, 2020 at 3:04 am.", "incorrect"),
        ("It began on 2020-01-02 15:04:30.", "incorrect"),
        ("It began on 2020-01-02.", "incorrect"),
        ("It began on 2020-01-02 15:04. No, it began on 2020-01-02 16:04.", "incorrect"),
    ],
)
def test_a_published_time_of_a_day_is_found_however_it_is_written(text: str, verdict: str) -> None:
    at = pd.Timestamp("2020-01-02 15:04")
    for truth in (at, at.to_pydatetime(), at.to_datetime64(), at.tz_localize("Asia/Tokyo")):
        assert grade(text, truth, "When did the outage begin?").verdict == verdict


def test_of_a_question_for_a_date_the_day_is_enough() -> None:
    truth: Any = pd.Timestamp("2020-01-02 15:04")
    for text, verdict in (
        ("Sales peaked on January 2, 2020.", "correct"),
        ("Sales peaked on 2020-01-02 15:04:00.", "correct"),
        ("Sales peaked on January 3, 2020.", "incorrect"),
    ):
        assert grade(text, truth, "On which date did sales peak?").verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        "2020-02-31 15:04",
        "January 2020 15:04",
        "2020-01-02 25:04",
        "2020-01-02T15:04:00.5",
        "2020 15:04",
        "5 15:04",
        "2015",
        "0.5",
        "3-1",
        "5 to 10",
        "1:2",
        "10.1.2",
        "2010-19",
        "May",
        "12-15-2",
        "9" * 99,
    ],
)
def test_numbers_ranges_and_words_are_none(text: str) -> None:
    assert writings(text) == ()


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The highest temperature was on January 3, 2015.", "correct"),
        ("The highest temperature occurred on 2015-01-03, with 31 degrees.", "correct"),
        ("```\n2015-01-03 00:00:00\n```", "correct"),
        ("Final answer: Jan 3rd, 2015", "correct"),
        ("The highest temperature was on January 4, 2015.", "incorrect"),
        ("The lowest was on January 3, 2015, the highest on January 4, 2015.", "incorrect"),
        ("The answer is 2015-01-031.", "incorrect"),
    ],
)
def test_a_published_date_is_found_however_it_is_written(text: str, verdict: str) -> None:
    task = make_task("t", "On which date was the highest temperature?", "2015-01-03")
    assert grade(text, task).verdict == verdict
