"""Numbers of a question that an output may give as its answer."""

from __future__ import annotations

import pytest

from grader.extraction.question import read_question


@pytest.mark.parametrize(
    ("question", "its_own"),
    [
        ("Which number of clusters from 2 to 5 has the best silhouette?", []),
        ("Among 2, 3 and 4 clusters, which number is best?", []),
        ("How many components (1, 2, 3 or 4) minimise the error?", []),
        ("For polynomial degrees 1 to 5, which degree has the lowest BIC?", []),
        ("For k in {1, 3, 5, 7}, which k is best with 10 folds?", [10.0]),
        ("Which value of alpha among 0.01, 0.1, 1 and 10 gives the lowest error?", []),
        ("What is the lowest error for k from 2 to 5?", [2.0, 5.0]),
        ("What is the highest temperature between 2010 and 2020?", [2010.0, 2020.0]),
        ("How many customers aged 20 to 30 bought it?", [20.0, 30.0]),
        ("What is the mean of the 40 ages? A. 12.5 B. 13.1 (C) 14 D: 15", [40.0]),
    ],
)
def test_its_own_numbers(question: str, its_own: list[float]) -> None:
    assert [number.value for number in read_question(question).numbers] == its_own
