from __future__ import annotations

from datetime import date

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import grade
from grader.dates import writings
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


@pytest.mark.parametrize(
    "text",
    ["2015", "0.5", "3-1", "5 to 10", "1:2", "10.1.2", "2010-19", "May", "12-15-2", "9" * 99],
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
