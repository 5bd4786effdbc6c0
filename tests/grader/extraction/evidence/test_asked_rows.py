"""Which row or item a question names, by the evidence that its number gets."""

from __future__ import annotations

import pytest

from grader.extraction.evidence import weigh_candidates
from grader.extraction.question import read_question
from grader.extraction.scan import Scan
from grader.text import split_output

QUESTION = "Among members on electric bikes, adjusted for age, what share of smokers rode at night?"


def held(text: str, name: str) -> set[str]:
    scan = Scan(split_output(text), read_question(QUESTION))
    return {mark.number.text for mark, _, _, named in weigh_candidates(scan) if name in named}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("- Smoking: 0.31\n- Drinking: 0.42", {"0.31"}),
        ("- Members, electric bikes: 0.31\n- Members, classic bikes: 0.42", {"0.31"}),
        ("- Age: 0.31\n- Height: 0.42", set()),  # only adjusted for
        ("- Smokers: 0.31\n- Night: 0.42", set()),  # both are named
        ("- All\n  - Smokers: 0.42\n- Members\n  - Smokers: 0.31", {"0.31"}),
        ("- Smokers: 0.42\n- Smokers: 0.31", set()),
        ("- Final answer: 0.42\n- Smokers: 0.31", set()),
        ("| group | share |\n|---|---|\n| smokers | 0.31 |\n| others | 0.42 |", {"0.31"}),
        ("| group | share |\n|---|---|\n| smoking | 0.31 |\n| others | 0.42 |", set()),
    ],
)
def test_the_row_that_is_asked_for(text: str, named: set[str]) -> None:
    assert held(text, "holds_as_asked") == named
    others = {"0.31", "0.42"} - named if named else set()
    assert held(text, "holds_otherwise") - {"0.31"} == others - {"0.31"}
