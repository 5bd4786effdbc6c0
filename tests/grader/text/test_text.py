from __future__ import annotations

import json

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from grader.text import split_output
from tests.shared_data import FIXTURES

DETAILS = (
    '<details style="border: 1px"><summary style="x">✅Click to view execution results</summary>'
    "<pre>{}</pre></details>"
)


def kinds(raw: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in split_output(raw).blocks]


def test_lambda_html() -> None:
    raw = (
        "```python\nround(x, 2)\n```\n🖥️ Execute code..."
        + DETAILS.format("np.float64(0.28)\n&lt;class &#x27;int&#x27;&gt;")
        + "The rate is 0.28.\n\nNext, you can:\n<div><button class='suggestion-btn'>1. Plot"
        "</button><button class='suggestion-btn'>Test at 5%</button></div>"
    )
    output = split_output(raw)
    assert output.execution == "np.float64(0.28)\n<class 'int'>"
    assert [b.text for b in output.blocks if b.kind == "prose"] == ["The rate is 0.28."]
    assert [b.text for b in output.blocks if b.kind == "code"] == ["round(x, 2)"]
    assert not output.unfinished


def test_an_answer_after_the_suggestions_counts() -> None:
    raw = "Some words.\n\nNext steps:\n1. Plot it\n\n**Final answer:** 0.28"
    assert kinds(raw)[-1] == ("answer", "**Final answer:** 0.28")


def test_repair_banner_is_interface() -> None:
    blocks = kinds("⭕ Execution error, try to repair the code, attempts: 3....\n\nIt is 4.")
    assert blocks[0][0] == "ui"
    assert blocks[-1] == ("prose", "It is 4.")


def test_output_after_the_suggestions_counts() -> None:
    raw = "Next, you can:\n<b>Plot it</b>\n<pre>0.25</pre>\nIt is 0.25.\n\nNext, you can: rest"
    assert kinds(raw)[1:] == [
        ("execution", "0.25"), ("prose", "It is 0.25."), ("ui", "Next, you can: rest")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("final_answer(0.25)", ["0.25"]),
        ("final_answer( answer = 'about (0.25)' )", ["answer = 'about (0.25)'"]),
        ('final_answer(\n  f"{x} is 0.25"\n)', ['f"{x} is 0.25"']),
        ('final_answer("x final_answer("x final_answer("0.25")', ['"0.25"']),
        ("final_answer(mean(0.25))", []),
        ("final_answer('0.25\n')", []),
    ],
)
def test_what_code_hands_over_is_an_answer(code: str, answers: list[str]) -> None:
    blocks = kinds(f"```python\n{code}\n```")
    assert [text for kind, text in blocks if kind == "answer"] == answers


def test_a_fence_that_starts_with_blank_lines_may_be_code() -> None:
    assert kinds("```\n\n \n  x = 1\n```\nSo 1.")[0] == ("code", "\n \n  x = 1".strip("\n"))


def test_react_tags() -> None:
    raw = (
        "<reasoning>check 12</reasoning>\n<python>\nprint(3)\n</python>\n"
        "<information>\n3\n</information>\n<answer>3</answer>"
    )
    assert [kind for kind, _ in kinds(raw)] == ["reasoning", "code", "execution", "answer"]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            "Thought: the mean\nAction: python\nAction Input: df.x.mean()\nObservation: 4.2\n"
            "Thought: I know.\nFinal Answer: It is 4.",
            [("prose", "the mean"), ("code", "python"), ("code", "df.x.mean()"),
             ("execution", "4.2"), ("prose", "I know."), ("answer", "It is 4.")],
        ),
        (
            "Action 1: Search[year]\nObservation 1: In 2004 and 2009.\nAction 2: Finish[2004]",
            [("code", "Search[year]"), ("execution", "In 2004 and 2009."), ("answer", "2004")],
        ),
        (
            "Action Input: ```python\nprint(4)\n```\nObservation: 4\n\nThought: So 4.",
            [("code", "print(4)"), ("execution", "4"), ("prose", "So 4.")],
        ),
        (
            "Action Input: x\nObservation: Traceback (most recent call last)\n  1\nThought: Hm.",
            [("code", "x"), ("error", "Traceback (most recent call last)\n  1"),
             ("prose", "Hm.")],
        ),
        # a call without an observation: prose may follow it, but not more code
        ("Action Input: df.x.mean()\n\nThe mean is 4.",
         [("code", "df.x.mean()"), ("prose", "The mean is 4.")]),
        ("Action Input: import pandas\n\nlimit = 4", [("code", "import pandas\n\nlimit = 4")]),
        # the headings of a report
        ("Observation: the mean is 4.\n\nAction: none.",
         [("prose", "Observation: the mean is 4."), ("prose", "Action: none.")]),
    ],
)  # fmt: skip
def test_labelled_lines(raw: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(raw) == expected


def test_tags_of_other_agents() -> None:
    output = split_output(
        "<tool_call>print(m)</tool_call><TOOL_RESPONSE>3.5</TOOL_RESPONSE>"
        "<execution_results>4.5</execution_results><final-answer>3.5</final-answer>"
    )
    kinds = [(block.kind, block.text) for block in output.blocks]
    assert kinds == [
        ("code", "print(m)"), ("execution", "3.5"), ("execution", "4.5"), ("answer", "3.5")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ending", "unfinished"),
    [
        ("Agent stopped due to iteration limit or time limit.", True),
        ("Maximum number of steps reached.", True),
        ("The solver hit the iteration limit.", False),
        ("The mean is 4.", False),
    ],
)
def test_an_agent_that_is_stopped_is_unfinished(ending: str, unfinished: bool) -> None:
    assert split_output(f"The mean may be 4.\n\n{ending}").unfinished == unfinished


def test_an_open_section_is_unfinished() -> None:
    assert split_output("<reasoning>still thinking about 42").unfinished
    assert not split_output("<reasoning>done</reasoning> 42").unfinished


@pytest.mark.parametrize(
    "before", ["Maybe 3.", "Maybe 3.\n\n```python\nprint(4)\n```\n\nOutput: 4\n\nOr 5."]
)
def test_a_closing_tag_alone_ends_the_reasoning(before: str) -> None:
    """The opening tag is the end of the prompt, as in the chat templates of reasoning models."""
    found = kinds(f"{before}\n</think>\n\nThe answer is 6.")
    assert {kind for kind, _ in found[:-1]} == {"reasoning"}
    assert found[-1] == ("answer", "The answer is 6.")


def test_a_closing_tag_alone_ends_the_reasoning_of_its_turn() -> None:
    raw = "Maybe 3.\n</think>\n```python\nx\n```\n<pre>4</pre>\nOr 5?\n</think>\nIt is 4."
    assert kinds(raw) == [
        ("reasoning", "Maybe 3."),
        ("code", "x"),
        ("execution", "4"),
        ("reasoning", "Or 5?"),
        ("prose", "It is 4."),
    ]


def test_chat_fences_after_code_are_output() -> None:
    raw = "```python\nprint(1)\n```\n\nOutput:\n```\n1 2\n```\n\nSo it is 2."
    assert kinds(raw) == [
        ("code", "print(1)"),
        ("execution", "Output:"),
        ("execution", "1 2"),
        ("prose", "So it is 2."),
    ]


def test_bare_printout_after_code_is_output() -> None:
    raw = "```python\nm.params\n```\n\nIntercept   -20.5\nvalue        0.11\n\nThe slope is 0.11."
    assert [kind for kind, _ in kinds(raw)] == ["code", "execution", "prose"]


def test_a_bare_number_after_marked_output_is_prose() -> None:
    assert kinds("```python\nlen(x)\n```\n" + DETAILS.format("43") + "\n43")[-1] == ("prose", "43")
    assert kinds("```python\nlen(x)\n```\n```\n43\n```\n43")[-1] == ("prose", "43")


def test_traceback_is_an_error_even_outside_pre() -> None:
    raw = '```python\nx\n```\nTraceback (most recent call last):\n  File "a", line 7\nNameError: x'
    assert [kind for kind, _ in kinds(raw)] == ["code", "error"]


@pytest.mark.parametrize("raw", ["p < 0.001 and x > 5", "<class 'int'> 5", "a <b and c> 3"])
def test_angle_brackets_that_are_no_markup_stay(raw: str) -> None:
    assert any(character.isdigit() for character in split_output(raw).verbal)


def test_execution_agrees_with_an_html_parser() -> None:
    checked = 0
    for line in (FIXTURES / "transcripts.jsonl").read_text().splitlines():
        for step in json.loads(line)["steps"]:
            raw = step["raw_output"]
            if "<pre>" not in raw:
                continue
            soup = BeautifulSoup(raw, "html.parser")
            expected = " ".join(pre.get_text() for pre in soup.find_all("pre")).split()
            assert split_output(raw).execution.split() == expected
            checked += 1
    assert checked >= 25


@given(
    st.lists(
        st.sampled_from(
            ["<pre>", "</pre>", "```", "```python\n", "<answer>", "</answer>", "<details>", "\n\n",
             "5 ", "text ", "<button>", "Next, you can:", "<reasoning>", "&lt;", "\x00", "\ud800"]
        ),
        max_size=40,
    )
)  # fmt: skip
def test_unbalanced_markup_loses_no_digit(pieces: list[str]) -> None:
    raw = "".join(pieces)
    output = split_output(raw)
    assert sum(b.text.count("5") for b in output.blocks) == raw.count("5")
    assert all(0 <= b.start <= b.end <= len(raw) for b in output.blocks)


def test_line_ends_and_hard_spaces_make_no_difference() -> None:
    plain = "The mean is 4 cm.\n\n```python\nx\n```\n\n- a: 1 234 km"
    written = plain.replace("\n", "\r\n").replace("4 cm", "4\u202fcm").replace("is 4", "is\xa04")
    assert split_output(written) == split_output(plain)


def test_hard_spaces_between_digits_stay() -> None:
    assert split_output("It is 1\u202f234 and 5\xa0678.").raw == "It is 1\u202f234 and 5\xa0678."


def test_code_in_elements_of_its_own() -> None:
    program = "Thought: fit it.\n<code>\nd = load()\nprint(d)\n</code>\nObservation:\nage 0.4\n\n"
    blocks = split_output(program + "So\n<code>\nfinal_answer(3.25)\n</code>").blocks
    assert [block.kind for block in blocks] == [
        "prose", "code", "execution", "prose", "code", "answer"
    ]  # fmt: skip
    assert blocks[-1].text == "3.25"
    said = split_output("It is <code>4.2</code>\nprint(4.2) shows it.").blocks
    assert [block.text for block in said] == ["It is 4.2\nprint(4.2) shows it."]
    for text in ("It is <code>4.2</code>.", "The mean is\n<code>\n4.2\n</code>", "<code>\n" * 9):
        assert {block.kind for block in split_output(text).blocks} <= {"prose"}
