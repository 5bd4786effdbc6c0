from __future__ import annotations

import pytest

from grader import grade, verify
from grader.extraction.number_words import find_number_words, find_shares

ASKED = "How many duplicate rows are there?"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Fourteen of them, or nineteen.", [14, 19]),
        ("There are no duplicates: none.", [0, 0]),
        ("No, there is only one.", [1]),
        ("One of the two-sided tests is no use; no one knows.", []),
        ("There are no missing values, in two ways; the three rows are fine.", []),
        ("We found twelve duplicated rows.", [12]),
        ("There are three thousand rows, two hundred and five rows, two point five rows.", []),
        ("There are twenty five rows, or seven percent of rows.", []),
    ],
)
def test_numbers_in_words(text: str, values: list[float]) -> None:
    found = find_number_words(text, frozenset({"duplicate", "rows"}))
    assert [number.value for number in found] == values
    assert all(text[number.start : number.end] == number.text for number in found)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It misses six and a quarter per cent, or thirty-six percentage points.", [6.25, 36]),
        ("Twenty five percent, ninety and three quarters percent.", [25, 90.75]),
        ("Three and three quarters percent, twenty-three and a half percent.", [3.75, 23.5]),
        ("The top ten percent, minus five percent, minus thirty-six percent.", []),
        ("Two hundred and five percent, one hundred percent, two point five percent.", []),
        ("Up one percentage point, twenty twelve percent, seven percentiles.", []),
    ],
)
def test_shares_in_words(text: str, values: list[float]) -> None:
    found = find_shares(text)
    assert [number.value for number in found] == values
    assert all(text[n.start : n.end] == n.text and n.is_percent for n in found)


def test_every_number_word() -> None:
    said = (
        "zero, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen,"
        " Fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty, none."
    )
    found = find_number_words(said, frozenset())
    assert [number.value for number in found] == [0, *range(2, 21), 0]


@pytest.mark.parametrize(
    ("text", "truth", "question"),
    [
        ("There are no duplicate rows in the data.", "0", ASKED),
        ("I found twelve duplicate rows.", "12", ASKED),
        ("Fourteen of the 62.", "14", ASKED),
        ("There are three bars below 8.", "3", "How many bars have a value below 8?"),
        (
            "Bar 1: 1\nBar 2: 2\nBar 3: 5\nSo there are two bars below 4.",
            "2",
            "How many bars are below 4?",
        ),
    ],
)
@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_a_count_in_words_is_an_answer(text: str, truth: str, question: str, grader: str) -> None:
    assert grade(text, truth, question, grader=grader).verdict == "correct"
    assert verify(text, truth, question) == 1.0


@pytest.mark.parametrize(
    ("text", "truth", "question"),
    [
        ("I looked at two files. The number of duplicate rows is 7.", "2", ASKED),
        ("The rate is high in two groups.", "2", "What is the rate?"),
    ],
)
@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_other_numbers_in_words_are_not(text: str, truth: str, question: str, grader: str) -> None:
    assert grade(text, truth, question, grader=grader).verdict != "correct"


def test_the_baseline_reads_digits_only() -> None:
    said = "Of 62 rows, fourteen are duplicates."
    assert grade(said, "62", ASKED, grader="strict_heuristic").verdict == "correct"
