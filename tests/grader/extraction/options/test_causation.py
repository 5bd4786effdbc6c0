"""Options about cause and effect, stated in other words."""

from __future__ import annotations

import pytest

from grader import extract
from tests.shared_data import cases

PAIRS = [
    ("R hip pain", "L L4 radiculopathy"),
    ("PKC", "PIP2"),
    ("rainfall_mm", "river_flow_m3s"),
    ("p44/42", "PIP2"),
]
# What is said of one and other -> the option, where A is "one causes other".
SAID = cases("causes.jsonl")


def question(one: str, other: str) -> str:
    return (
        f"Which cause-and-effect relationship is more likely?\nA. {one} causes {other}\n"
        f"B. {other} causes {one}\nC. No causal relationship exists\nPlease answer with A, B, or C."
    )


@pytest.mark.parametrize("case", SAID, ids=lambda case: case["said"])
def test_what_causes_what(case: dict) -> None:
    said, option = case["said"], case["option"]
    other_way = {"A": "B", "B": "A"}
    for pair in PAIRS:
        for one, other in (pair, pair[::-1]):
            text = said.format(one=one, other=other)
            found = extract(text, question(*pair), choices=("A", "B", "C")).scalar
            meant = option if (one, other) == pair else other_way.get(option or "", option)
            assert found == (meant.lower() if meant else None), (text, pair)


def test_short_names_stand_for_long_ones() -> None:
    asked = question("rainfall_mm", "river_flow_m3s")
    text = "Rain fills the river: the rainfall is the cause and the river flow is the effect."
    assert extract(text, asked, choices=("A", "B", "C")).scalar == "a"


def test_sides_are_told_apart() -> None:
    asked = question("L ham problem", "R ham problem")
    text = "It is more plausible that R ham problem leads to L ham problem."
    assert extract(text, asked, choices=("A", "B", "C")).scalar == "b"


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Rain causes floods. Floods cause rain.", None),
        ("Rain may drive floods. So floods drive rain.", "b"),
        ("Rain drives floods. Overall, they are causally unrelated.", "c"),
        ("Rain leads to floods.\n\n```python\nprint(1)\n```\n\nI checked the data.", None),
        ("They influence each other: the relation is bidirectional.", "d"),
    ],
)
def test_the_last_conclusion_counts(text: str, option: str | None) -> None:
    asked = (
        "Which is more likely?\nA. rain causes floods\nB. floods cause rain\n"
        "C. No causal relationship exists\nD. The causal relation is double sided"
    )
    assert extract(text, asked, choices=("A", "B", "C", "D")).scalar == option


def test_a_direction_that_is_not_offered_is_none() -> None:
    asked = "Which is more likely?\nA. rain causes floods\nB. floods cause rain"
    assert extract("They are causally unrelated.", asked, choices=("A", "B")).scalar is None
