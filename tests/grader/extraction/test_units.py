from __future__ import annotations

import pytest

from grader.extraction.units import asked_unit, has_unit


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("what is the half-life in seconds?", "s"),
        ("what is the doubling time, in years?", "year"),
        ("find young's modulus. answer in gpa.", "gpa"),
        ("give the activation energy in kj/mol (one decimal).", "kj"),
        ("what is the share in percent?", None),
        ("what is the mean in the first group?", None),
        ("what is the mean?", None),
    ],
)
def test_the_unit_a_question_asks_for(question: str, unit: str | None) -> None:
    assert asked_unit(question) == unit


@pytest.mark.parametrize(
    ("unit", "after", "expected"),
    [
        ("s", " seconds", True),
        ("s", " ± 1.0 s (2.55 min)", True),
        ("s", " s⁻¹", None),
        ("year", r"\ \text{years}.", True),
        ("kj", r"\ \mathrm{kJ\,mol^{-1}}$", True),
        ("ha", r"\,\text{ha}", True),
        ("ha", " hectares", True),
        ("m", " m²", None),
        ("gpa", " and more", None),
        ("gpa", ".", None),
        ("km", " miles", False),
        ("km", " in 2021", None),
        ("min", " hours", False),
        ("kg", " m", None),
    ],
)
def test_the_unit_behind_a_number(unit: str, after: str, expected: bool | None) -> None:
    assert has_unit(unit, after) is expected


def test_a_unit_stands_on_the_line_of_its_number() -> None:
    assert has_unit("kg", " kg")
    assert not has_unit("july", "\nJuly: 24.6")  # "in July?" reads like a unit
