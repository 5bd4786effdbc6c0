from __future__ import annotations

import pytest

from grader.extraction.question import read_question
from grader.extraction.rules import RULES, first_mark, in_context, possible_rules
from grader.numbers import find_numbers
from tests.shared_data import cases

CASES = cases("rules.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['text'][:30]}-{case['number']}")
def test_the_rule_that_fires(case: dict) -> None:
    question = read_question(case.get("question", "What proportion is it? Round to two decimals."))
    number = next(n for n in find_numbers(case["text"]) if n.text == case["number"])
    text, kind = case["text"], case.get("kind", "prose")
    rule = first_mark(
        in_context(number, text, kind, question), possible_rules(text.lower(), kind, question)
    )
    assert (rule.name if rule else None) == case["rule"]


def test_every_rule_has_a_case() -> None:
    assert {rule.name for rule in RULES} == {case["rule"] for case in CASES} - {None}


def test_rule_names_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
