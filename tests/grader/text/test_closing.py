from __future__ import annotations

import pytest

from grader import grade
from grader.text import split_output

LEAD = "The rate of the first group is 0.5.\n"


@pytest.mark.parametrize(
    "line",
    [
        "The answer is 0.28.",
        "Therefore, the final answer is $0.28$.",
        "So my answer would be 28%",
        "**Answer:** 0.28",
        "FINAL ANSWER: 0.28",
        "**The answer to the question is: 0.28**",
        "Final answer = 0.28",
        "Answer to the question: 14",
        "The answer is undefined.",
        "The answer is not available.",
        "Therefore, the answer (in dollars) is 0.28.",
        "Based on the 310 rows, the best answer is most likely 0.28",
        "Among A through E, the answer is D.",
        "Therefore, the answer (Yes or No) is No, as the rate is not high.",
        "#### 0.28",
        "A: 0.28",
        "Solution: 0.28",
    ],
)
def test_a_closing_line_that_states_the_answer_is_an_answer_section(line: str) -> None:
    *_, block = split_output(LEAD + line).blocks
    assert (block.kind, block.text) == ("answer", line)
    assert (LEAD + line)[block.start : block.end] == line


@pytest.mark.parametrize(
    "line",
    [
        "The answer is 0.28.\nThat is all.",
        "The answer is 0.28.\n```python\nprint(1)\n```",
        "The answer is not 0.28.",
        "The answer: it can't be 0.28.",
        "The answer is 0.28. But that is wrong.",
        "The answer is",
        "The answers are 0.28 and 0.3.",
        "I think the answer is 0.28.",
        "The answer is correct.",
        "The answer is rounded to 2 decimals.",
        "My answer is based on the whole data set of 1,200 rows.",
        "Final answer: done.",
        "The answer is A or B.",
        "The answer is no longer known to me.",
        "#### 4 steps remain to be done",
        "A: 12 homes, B: 14 homes",
        f"The answer is 0.28, {'as the data say, ' * 20} in all.",
    ],
)
def test_other_lines_are_not(line: str) -> None:
    assert "answer" not in {block.kind for block in split_output(LEAD + line).blocks}


def test_further_questions_that_a_model_asks_itself_are_no_answer() -> None:
    text = f"{LEAD}The answer is 0.28.\n\nQuestion: What is the median?\n\nThe answer is 4."
    kinds = [block.kind for block in split_output(text).blocks]
    assert kinds == ["prose", "answer", "ui", "ui"]
    text = f"{LEAD}The answer is 4.\n\nProblem: I dropped rows.\n\nThe answer is 0.28."
    assert [block.kind for block in split_output(text).blocks][-1] == "answer"
    text = f"{LEAD}\n\nQ: What is the rate of the second?\n\nThe answer is 0.28."
    assert [block.kind for block in split_output(text).blocks][-1] == "answer"


def test_the_interface_may_follow() -> None:
    blocks = split_output(f"{LEAD}The answer is 0.28.\n\nNext, you can:\nplot it").blocks
    assert [block.kind for block in blocks] == ["prose", "answer", "ui"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The answer is:\n\nAn apple costs 0.28 each.", "An apple costs 0.28 each."),
        ("**Final answer:**\n0.28", "0.28"),
        ("The answer is 0.28.\n\nI hope this helps!", "The answer is 0.28."),
        ("The answer is 0.28.\nLet me know if you need more.\nThanks!", "The answer is 0.28."),
        ("The rate is low. So the answer is:\n0.28", "0.28"),
        ("Thus, the answer to the problem is:\n\n\\[\n0.28\n\\]", "\\[\n0.28\n\\]"),
        ("It is low.\n\n$$\n0.28\n$$", None),
        ("B: 0.31\nA: 0.28", None),
        ("The rate is 0.28.\n\nP-value:\n0.03", None),
        ("The rate is 0.28. Based on the median, the answer is 4.", None),
        ("Rates:\n0.31\n0.28", None),
        ("Of 7 homes, 2 are new. Therefore, the answer is 0.28.",
         "Therefore, the answer is 0.28."),
        ("The answer is 0.28. Others say 4.", None),
        ("Action: Finish[0.28]", "0.28"),
        ("submit(B)", "B"),
        ("The answer is:\n\nIs it 0.28?", None),
        ("The answer is 0.28.\n\nThe median is 4.", None),
    ],
)  # fmt: skip
def test_what_stands_around_a_closing_answer(text: str, answer: str | None) -> None:
    blocks = split_output(LEAD + text).blocks
    assert [block.text for block in blocks if block.kind == "answer"] == (
        [answer] if answer else []
    )
    for block in blocks:
        assert block.text in (LEAD + text)[block.start : block.end]


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    ("text", "truth", "verdict"),
    [
        ("So the rate of home loans is 0.5.\nThe answer is 0.28.", "0.5", "incorrect"),
        ("So the rate of home loans is 0.5.\nThe answer is 0.28.", "0.28", "correct"),
        # words or an expression instead of a number
        ("So the rate of home loans is 0.5.\nThe answer is undefined.", "0.5", "no_answer"),
        ("So the rate of home loans is 0.5.\nThe answer is $2\\pi$.", "2", "no_answer"),
        ("So the rate of home loans is 0.5.\n<answer>cannot be told</answer>", "0.5", "no_answer"),
        ("So the rate of home loans is 0.5.\nThe answer is given above.", "0.5", "correct"),
        ("So the rate of home loans is 0.5.\n<answer>mean_rate</answer>", "0.5", "correct"),
        ("The rate of home loans:\n**Answer to the question:** 14", "14", "correct"),
    ],
)
def test_the_answer_section_decides(grader: str, text: str, truth: str, verdict: str) -> None:
    question = "What is the rate of home loans?"
    assert grade(text, truth, question, grader=grader).verdict == verdict
