from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader import grade, number_forms
from grader.numbers import find_numbers, parse_number
from tests.shared_data import cases


@pytest.mark.parametrize("case", cases("numbers.jsonl"), ids=lambda case: case["text"][:30])
def test_find_numbers(case: dict) -> None:
    found = find_numbers(case["text"])
    assert [number.value for number in found] == pytest.approx(case["values"])
    if "percent" in case:
        assert {number.is_percent for number in found} == {case["percent"]}


def test_spans_cover_sign_currency_and_percent() -> None:
    text = "about -$3.20 and −12.5 % here"
    assert [text[n.start : n.end] for n in find_numbers(text)] == ["-$3.20", "−12.5 %"]


def test_a_letter_right_behind_a_number_scales_it() -> None:
    found = find_numbers("$45K, 3.2M, 2bn, 5m, 300 K")
    assert [n.scale for n in found] == [1e3, 1e6, 1e9, 1.0, 1.0]
    assert grade("The mean income is $45K.", "45,000").verdict == "correct"


def test_an_m_behind_money_is_a_million() -> None:
    found = find_numbers("$983.01m, USD 5m, 3m, $4 m")
    assert [n.scale for n in found] == [1e6, 1e6, 1.0, 1.0]


def test_a_scale_word_stands_behind_the_span() -> None:
    text = "about $320.6 billion, 3 Millions, 2 million-fold and 4 tons"
    found = find_numbers(text)
    assert [n.written for n in found] == ["$320.6 billion", "3 Millions", "2 million", "4"]
    assert [text[n.start : n.end] for n in found] == ["$320.6", "3", "2", "4"]
    assert [n.scale for n in found] == [1e9, 1e6, 1e6, 1.0]


def test_a_space_groups_thousands_only_where_asked() -> None:
    assert [n.value for n in find_numbers("3 385 visits")] == [3, 385]
    assert [n.value for n in find_numbers("3 385 visits", spaced=True)] == [3385]
    assert [n.value for n in find_numbers("in 2009 300 people", spaced=True)] == [2009, 300]


def test_a_fraction_with_a_slash_belongs_to_the_number_before_it_only_in_prose() -> None:
    assert [n.value for n in find_numbers("2 1/2 hours", spaced=True)] == [2.5]
    assert [n.value for n in find_numbers("2 1/2 hours")] == [2, 0.5]
    assert [n.value for n in find_numbers("3 5/2, in 2020 1/2", spaced=True)] == [3, 2.5, 2020, 0.5]


def test_spans_of_mixed_numbers_and_fractions_are_as_written() -> None:
    text = "it took $-2\\frac{1}{2}$, ½ or 3½ %, or \\frac12"
    spans = ["-2\\frac{1}{2}", "½", "3½ %", "\\frac12"]
    assert [text[n.start : n.end] for n in find_numbers(text)] == spans


def test_per_mille_is_a_scale() -> None:
    assert [n.readings() for n in find_numbers("5‰, 2.5 ‰")] == [(5.0, 0.005), (2.5, 0.0025)]
    assert grade("The rate is 5‰.", "0.5%").verdict == "correct"


@pytest.mark.parametrize("text", ["p < 0.001", "p ≤ 0.05", "n >= 30", "p $<$ 0.01"])
def test_one_side_of_an_inequality_is_bounded(text: str) -> None:
    assert find_numbers(text)[0].bounded


@pytest.mark.parametrize(
    ("text", "value", "percent"),
    [
        ("0.20", 0.2, False),
        ("5.36%", 5.36, True),
        ("1,691", 1691, False),
        ("−0.026", -0.026, False),
        ("$1,691", 1691, False),
        ("**0.5**", 0.5, False),
        ("\\boxed{17.0\\%}", 17.0, True),
        ("$0.5$", 0.5, False),
        ("≈ 3.5.", 3.5, False),
        ("1 691", 1691, False),
        ("1.5 million", 1.5, False),
        ("$320.6 billion.", 320.6, False),
        ("2 trillion", 2, False),
    ],
)
def test_parse_number(text: str, value: float, percent: bool) -> None:
    number = parse_number(text)
    assert number is not None
    assert (number.value, number.is_percent) == (value, percent)


@pytest.mark.parametrize("text", ["B", "", "0.5 years", "1 or 2", "< 0.001", "nan", "0.5 0.5",
                                  "2 million cats", "million", "24.4×10^8 million"])  # fmt: skip
def test_parse_number_refuses_what_is_not_one_number(text: str) -> None:
    assert parse_number(text) is None


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
def test_every_float_is_read_back(value: float) -> None:
    number = parse_number(repr(value))
    assert number is not None
    assert number.value == value


@given(st.integers(-(10**12), 10**12), st.sampled_from(["{:,}", "{:d}"]))
def test_grouped_integers_are_read_back(value: int, form: str) -> None:
    assert [n.value for n in find_numbers(f"it is {form.format(value)} in all")] == [value]


@given(st.text(max_size=300))
@example("۰ or ٣٫٥, 3½ and 0,05")
def test_any_text_is_safe_and_spans_hold(text: str) -> None:
    for number in find_numbers(text, spaced=True):
        assert 0 <= number.start < number.end <= len(text)
        assert number.text == text[number.start : number.end] or "frac" in text


def test_a_million_digits_is_no_number() -> None:
    assert find_numbers("9" * 1_000_000) == []


def test_a_currency_code_belongs_to_its_number() -> None:
    assert [n.text for n in find_numbers("BRL 5, KRW 1,500 or CHF 2")] == [
        "BRL 5",
        "KRW 1,500",
        "CHF 2",
    ]


def test_the_digits_of_all_scripts_are_read() -> None:
    digits = (chr(code) for code in range(128, sys.maxunicode + 1) if chr(code).isdecimal())
    unread = [sign for sign in digits if not find_numbers(sign)]
    assert not unread or unicodedata.unidata_version > "15"
    for code, digit in number_forms._USUAL.items():
        assert isinstance(digit, int) or unicodedata.digit(chr(code)) == int(digit)
    assert [n.value for n in find_numbers("٣٫٥ and १२, ١٬٢٣٤")] == [3.5, 12, 1234]
