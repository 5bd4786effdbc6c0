"""Alterations: what each does to a small response, and when it does not apply."""

from __future__ import annotations

import pytest

from grader.numbers import find_numbers, parse_number
from grader.tolerance import matches, same_value
from reports.stress.perturb import NOISES, read_response

RAW = "<pre>0.25</pre>\n\nSome words first.\n\nThe proportion of wet days is **0.25**."


def alter(
    name: str, raw: str, answer: str, question: str = "What proportion is wet?"
) -> str | None:
    quantity = parse_number(answer)
    assert quantity is not None
    return NOISES[name](read_response(raw, quantity, question, lambda _: True))


@pytest.mark.parametrize("name", NOISES)
def test_the_answer_is_still_there(name: str) -> None:
    altered = alter(name, RAW, "0.25")
    answer = parse_number("0.25")
    assert answer is not None
    if altered is not None:
        assert altered != RAW
        assert any(same_value(number, answer) for number in find_numbers(altered))


@pytest.mark.parametrize(
    ("name", "answer", "written"),
    [
        ("answer as percent", "0.25", "**25%**"),
        ("answer as percent", "25%", "**0.25**"),
        ("answer as percent", "1.38e-12", "**0.000000000138%**"),
        ("answer as percent", "0.07", "**7%**"),
        ("answer as percent", "0.000123456789012%", "**0.00000123456789012**"),
        ("answer in scientific notation", "0.25", "**2.5e-01**"),
        ("answer in scientific notation", "1234567890123", "**1.234567890123e+12**"),
        ("answer with thousands separators", "1234.5", "**1,234.5**"),
        ("answer with thousands separators", "1,234", "**1234**"),
        ("answer with thousands separators", "1,500,000", "**1500000**"),
        ("answer with thousands separators", "1e16", "**10,000,000,000,000,000**"),
        ("answer in LaTeX", "25%", r"**$\boxed{25\%}$**"),
    ],
)
def test_rewriting(name: str, answer: str, written: str) -> None:
    altered = alter(name, f"The proportion is **{answer}**.", answer)
    assert altered == f"The proportion is {written}."


@pytest.mark.parametrize(
    ("name", "answer", "question"),
    [
        ("answer as percent", "3.5", "What proportion?"),
        ("answer as percent", "0.25", "What is the regression coefficient?"),
        ("answer with thousands separators", "25", "How many?"),
        ("answer in scientific notation", "25%", "What share?"),
        ("answer in scientific notation", "24.4×10^8", "How many?"),
        ("answer as percent", "0.5 million", "What share?"),
        ("answer in LaTeX", "3.4 million", "How many?"),
    ],
)
def test_where_it_does_not_apply(name: str, answer: str, question: str) -> None:
    assert alter(name, f"It is {answer}.", answer, question) is None


@pytest.mark.parametrize(
    ("answer", "published", "written"),
    [
        ("3.5%", "3.5", None),
        ("3.5%", "3.5%", "0.035"),
        ("3.5%", "0.035", "0.035"),
        ("3.5%", "7", "0.035"),
        ("0.25", "0.25", "25%"),
        ("0.25", "25", None),
    ],
)
def test_a_percent_form_is_right_or_wrong_as_before(
    answer: str, published: str, written: str | None
) -> None:
    given, truth = parse_number(answer), parse_number(published)
    assert given is not None and truth is not None
    response = read_response(
        f"The share is {answer}.", given, "What share?", lambda number: matches(number, truth)
    )
    expected = written and f"The share is {written}."
    assert NOISES["answer as percent"](response) == expected


def test_answer_moves_to_the_front() -> None:
    altered = alter("answer moved to the front", RAW, "0.25")
    assert altered is not None
    assert altered.startswith("The proportion of wet days is **0.25**.")
    assert altered.count("The proportion of wet days") == 1


def test_html_becomes_markdown() -> None:
    raw = "<details><summary>Out</summary><pre>a &lt; 1</pre></details><b>0.25</b>"
    altered = alter("HTML as Markdown", raw, "0.25")
    assert altered is not None
    assert "```\na < 1\n```" in altered
    assert "**0.25**" in altered
    assert "<" not in altered.replace("a < 1", "")
    assert alter("HTML as Markdown", "plain 0.25", "0.25") is None


@pytest.mark.parametrize(
    ("name", "raw", "altered"),
    [
        ("no bold", "<pre>**1**</pre>\n\nIt is **0.25**.", "<pre>**1**</pre>\n\nIt is 0.25."),
        ("lists with stars", "- a: 0.25\n  - b: 3-4", "* a: 0.25\n  * b: 3-4"),
        ("hard spaces", "It is 0.25 cm, or -4 on it.", "It is\xa00.25\xa0cm, or\xa0-4\xa0on it."),
        ("Windows line ends", "It is\n0.25.", "It is\r\n0.25."),
        ("no bold", "It is 0.25.", None),
        ("lists with stars", "It is 0.25.", None),
        ("Windows line ends", "It is 0.25.", None),
    ],
)
def test_the_same_text_in_another_dress(name: str, raw: str, altered: str | None) -> None:
    assert alter(name, raw, "0.25") == altered
