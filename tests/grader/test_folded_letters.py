"""Letters that patterns which ignore case take for others name nothing, and nothing raises."""

from __future__ import annotations

import pytest

from grader import grade
from grader.dates import writings
from grader.numbers import find_numbers


@pytest.mark.parametrize("word", ["mİllion", "mıllıon", "thou\u017fand", "bıllionſ"])
def test_a_scale_is_spelled_in_plain_letters(word: str) -> None:
    (number,) = find_numbers(f"5 {word}")
    assert (number.value, number.scale) == (5.0, 1.0)


@pytest.mark.parametrize("text", ["Aprİl 2020", "3 Auguſt 2015", "\u017feptember 3rd, 2015"])
def test_a_month_is_spelled_in_plain_letters(text: str) -> None:
    assert writings(text) == ()


@pytest.mark.parametrize("word", ["\u017feven", "ſix", "fİve"])
def test_a_number_word_is_spelled_in_plain_letters(word: str) -> None:
    found = grade(f"There are {word} rows with gaps.", "7", "How many rows have gaps?")
    assert found.verdict == "no_answer"
