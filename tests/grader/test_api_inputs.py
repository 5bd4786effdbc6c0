"""What the verbs take: texts, cells of any type, gaps and chats; and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from openai.types.chat import ChatCompletionMessage

from grader import (
    Step,
    Task,
    Transcript,
    UserError,
    extract,
    grade,
    grade_column,
    grade_file,
    verify,
)
from grader.api import Cell
from grader.strict import STRICT_GRADERS


def test_a_text_that_spells_a_gap_may_be_an_option() -> None:
    assert grade("It is none.", "None", choices=["None", "nan"]).verdict == "correct"


def test_options_come_in_any_list_but_not_as_one_text() -> None:
    for options in (np.array(["A", "B"]), pd.Series(["A", "B"]), iter("AB")):
        assert verify("It is B.", "B", choices=options) == 1.0
    assert verify("It is 5.", "5", choices=None) == 1.0
    for wrong in ("red,blue", [["red", "blue"], ["a", "b"]]):
        for verb in (partial(grade, "It is red.", "red"), partial(verify, "It is red.", "red")):
            with pytest.raises(UserError, match=r"choices: a (text|list of lists)"):
                verb(choices=wrong)  # type: ignore[arg-type]
        with pytest.raises(UserError, match="choices"):
            grade_column(["It is red."], "red", choices=wrong)  # type: ignore[arg-type]


@dataclass
class Said:
    """A message as agents' libraries have it."""

    content: str
    tokens: int
    role: str = "assistant"


ASKED = Task(task_id="t", question="What is the mean?", ground_truth="5")
SAID = ChatCompletionMessage(role="assistant", content="It is 5.")
WHOLE = Transcript(transcript_id="a", task=ASKED, steps=(Step(raw_output="It is 7."),))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: grade(WHOLE, "7"), "a Transcript where a text"),
        (lambda: verify("It is 5.", ASKED), "a Task where a text"),
        (lambda: extract(WHOLE), "a Transcript where a text"),
        (lambda: grade("It is 5.", ASKED, "What is the median?"), "another question"),
        (lambda: grade("It is 5.", ASKED, choices=("5", "6")), "other choices"),
        (lambda: grade("It is 5.", {"ground_truth": "5"}), "a dict where a text"),
        (lambda: grade({"raw_output": "It is 5."}, "5"), "a dict where a text"),
        (lambda: verify(SAID, "5"), "a ChatCompletionMessage .*fields, or a list of messages"),
        (lambda: verify("It is 5.", SAID), "a ChatCompletionMessage where"),
        (lambda: grade_column([Said("It is 5.", 7)], "5"), "a Said where"),
        (lambda: extract(pd.Series(["It is 5."])), "a Series .*grade_column"),
        (lambda: verify(np.array(["It is 5."]), "5"), "a ndarray where a text"),
        (lambda: verify(["It is 5."], "5"), "a list where one output is wanted"),
        (lambda: verify(("It is 5.",), "5"), "a tuple where one text"),
        (lambda: verify("It is 5.", "5", ["What is it?"]), "a list where one text"),
        (lambda: verify("It is 5.", "5", choices=1), "choices: not a list"),
        (lambda: verify("It is B.", "B", choices=[{"label": "A"}]), "choices: a list of lists or"),
        (lambda: verify("It is B.", "B", choices={"A": ["a", "b"]}), "choices: a list of lists or"),
        (lambda: verify("It is 5.", np.ones((2, 2))), "a ndarray .*grade_column"),
        (lambda: verify("It is a.", "a", choices=[None, "a"]), "choices: a gap"),
        (lambda: grade("It is nan.", "a", choices=["a", float("nan")]), r"choices: a gap \(nan\)"),
        (lambda: grade("It is a.", "a", choices={"A": "a", "B": pd.NA}), "choices: a gap"),
        (lambda: grade_column(["a"], "a", choices=pd.Series(["a", pd.NaT])), "choices: a gap"),
        (lambda: grade("3", "3", settings={"relative_tolerance": 0.1}), "a dict. .*GradeSettings"),
        (lambda: grade("3", "3", settings={}), "settings: a dict. Give `GradeSettings"),
        (
            lambda: grade_column(["3"], "3", settings={"relative_tolerance": 0.1}),
            "settings: a dict",
        ),
        (lambda: grade_column([], "3", settings=0.1), "settings: a float"),
        (lambda: grade_file("run", settings={"relative_tolerance": 0.1}), "settings: a dict"),
    ],
)
def test_what_is_no_output_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        call()


@pytest.mark.parametrize(
    ("truth", "right", "wrong"),
    [
        (list(np.array([0.5, 0.6])), "Values: 0.5, 0.6", "Values: 0.5, 0.7"),
        ([Decimal("0.5"), Decimal("0.6")], "Values: 0.5, 0.6", "Values: 0.5, 0.7"),
        (np.array([42]), "The answer is 42.", "The answer is 24."),
        ((42,), "The answer is 42.", "The answer is 24."),
        (np.array(["Chad", "Mali"]), "Chad and Mali", "Chad and Niger"),
    ],
)
def test_a_list_of_published_values_may_be_of_any_library(
    truth: Any, right: str, wrong: str
) -> None:
    assert (verify(right, truth), verify(wrong, truth)) == (1.0, 0.0)
    assert grade(right, truth).verdict == "correct"


@pytest.mark.parametrize("name", [None, 5, ["strict_keyword"], "keywrd", {}])
def test_what_names_no_grader_or_parser_is_refused(name: Any) -> None:
    for call in (
        partial(grade, "3", "3", grader=name),
        partial(grade_column, [], [], grader=name),
        partial(extract, "3", parser=name),
    ):
        with pytest.raises(UserError, match=r"unknown (strict grader|parser) .* Valid: "):
            call()


def test_options_may_be_a_list_of_labels_and_one_of_texts() -> None:
    options: Any = {"label": ["A", "B", "C"], "text": ["mean", "median", "mode"]}
    assert verify("It is the median.", "B", choices=options) == 1.0
    assert verify("The answer is C.", "B", choices=options) == 0.0
    with pytest.raises(UserError, match="as many labels as texts"):
        verify("C", "C", choices={"label": ["A"], "text": ["mean", "median"]})  # type: ignore[dict-item]


def test_a_task_may_come_with_its_own_question() -> None:
    assert grade("It is 5.", ASKED, ASKED.question).verdict == "correct"


def test_a_gap_holds_no_answer() -> None:
    found = pd.Series(["It is 5.", None, float("nan")], dtype=object).map(extract)
    assert [one.scalar for one in found] == [5.0, None, None]


GAPS: list[Any] = [
    None,
    float("nan"),
    pd.NaT,
    pd.NA,
    "",
    " ",
    "nan",
    "NaN",
    "None",
    "null",
    "<NA>",
    "N/A",
]


@pytest.mark.parametrize("gap", GAPS, ids=repr)
@pytest.mark.parametrize("grader", STRICT_GRADERS)
def test_a_gap_among_the_truths_is_no_published_answer(grader: str, gap: Cell) -> None:
    for text in (f"The result is {gap}.", f"{gap}", "It is 2."):
        grade_ = grade(text, gap, grader=grader)
        assert (grade_.verdict, grade_.reason.split(":")[0]) == ("ungraded", "no_ground_truth")
        assert verify(text, gap) == 0.0


@pytest.mark.parametrize("truth", ["12 of 40", "$12 a day", "-3 or so", "about 12 or so"])
def test_a_truth_that_is_almost_a_number_is_ungraded(truth: str) -> None:
    for text in (f"The answer is {truth}.", "12", "No idea."):
        found = grade(text, truth)
        assert found.verdict == "ungraded"
        assert found.reason.startswith(f"unparseable_ground_truth: {truth!r} is not one number. ")
        assert verify(text, truth) == 0.0


def test_a_truth_with_its_scale_and_a_truth_in_words() -> None:
    for text in ("1,500,000", "It is 1.5 million."):
        assert grade(text, "1.5 million").verdict == "correct"
        assert verify(text, "1.5 million") == 1.0
    assert grade("So the effect is positive.", "positive").verdict == "correct"
    assert grade("The best fit is a linear model.", "linear model").verdict == "correct"


@pytest.mark.parametrize("truth", [1, 1.0, "1"])
def test_verify_takes_numbers(truth: float | str) -> None:
    assert verify("1", truth) == verify(1, truth) == 1.0


NO_FIVE: list[Any] = [
    10**5000,
    -(10**5000),
    Fraction(10**5000, 3),
    Fraction(1, 3),
    Decimal(10**5000),
    Decimal("1E+9999999"),
    Decimal("NaN"),
    Decimal("sNaN"),
    float("inf"),
    np.float32(0.1),
    np.datetime64("NaT"),
    np.True_,
    True,
    False,
    b"",
    b"\xff",
]


@pytest.mark.parametrize("value", NO_FIVE, ids=lambda value: type(value).__name__)
def test_a_cell_of_any_type_is_graded(value: Any) -> None:
    assert verify("The answer is 5.", value) == verify(value, "5") == 0.0
    assert verify("The answer is 5.", "5", value) == 1.0
    assert grade("The answer is 5.", value).verdict != "correct"
    assert grade(value, "5").verdict != "correct"
    assert grade("The answer is 5.", "5", value).verdict == "correct"
    assert grade_column(["The answer is 5."], [value], [value])["verdict"][0] != "correct"


def test_an_integer_too_long_to_be_written_is_no_published_answer() -> None:
    for truth in (10**5000, -(10**5000), Fraction(10**5000, 3)):
        found = grade("The answer is 5.", truth)  # type: ignore[arg-type]
        assert found.verdict == "ungraded"
        assert found.reason.startswith("unparseable_ground_truth: 'inf' is not one number. ")


@pytest.mark.parametrize(
    "five",
    [b"5", np.bytes_(b"5"), np.str_("5"), np.int8(5), np.float32(5), Decimal(5), Fraction(5)],
)
def test_a_number_of_any_type_is_graded(five: Any) -> None:
    assert verify("The answer is 5.", five) == verify(five, "5") == 1.0
    assert grade("The answer is 5.", five).verdict == grade(five, five).verdict == "correct"
    texts = ["The answer is 5.", "The answer is 6."]
    assert grade_column(texts, five)["verdict"].tolist() == ["correct", "incorrect"]


def test_a_chat_is_graded_by_what_the_agent_says() -> None:
    """As trainers give completions; what the user says is no answer."""
    hint = {"role": "user", "content": "Hint: the answer is 5."}
    for said, reward in (("The answer is 5.", 1.0), ("I cannot tell.", 0.0)):
        chat = [hint, {"role": "assistant", "content": said}]
        assert verify(chat, "5") == verify(chat[1:], "5") == reward
        assert (grade(chat, "5").verdict == "correct") == (reward == 1.0)
        assert extract(chat).scalar == (5.0 if reward else None)
    assert verify([hint], "5") == verify([], "5") == 0.0
    assert grade([hint], "5").verdict == "ungraded"


def test_a_chat_may_hold_the_objects_of_a_client() -> None:
    """Whose texts are not read: `ChatCompletionMessage(content='It is 5.', ...)`."""
    asked = {"role": "user", "content": "What is it, 7?"}
    part = Said("It is 5.", 7)
    for chat in ([asked, SAID], [asked, part], [asked, {"role": "assistant", "content": [part]}]):
        assert verify(chat, "5") == 1.0  # type: ignore[arg-type]
        assert extract(chat).scalar == 5.0  # type: ignore[arg-type]


@pytest.mark.parametrize("content", ["", None, [], [{"type": "text", "text": ""}]])
def test_a_chat_whose_only_turns_are_empty_gives_no_answer(content: object) -> None:
    """As in the readers of files, and as an empty text."""
    chat = [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": content}]
    assert grade(chat, "3").verdict == grade("", "3").verdict == "no_answer"
    assert verify(chat, "3") == 0.0
    assert extract(chat).scalar is None


def test_a_chat_may_be_the_array_that_pandas_makes_of_a_list_in_parquet(tmp_path: Path) -> None:
    turn = {"role": "assistant", "content": [{"type": "text", "text": "It is 5."}]}
    hint = {"role": "user", "content": [{"type": "text", "text": "For example 3?"}]}
    path = tmp_path / "chats.parquet"
    pd.DataFrame({"chat": [[hint, turn], [hint], []]}).to_parquet(path)
    chats = pd.read_parquet(path)["chat"]
    assert isinstance(chats[0], np.ndarray)
    given: list[Any] = [chats[0], list(chats[0])]
    for chat in given:
        assert verify(chat, "5") == 1.0
        assert extract(chat).scalar == 5.0
    graded = grade_column(chats, "5")["verdict"]
    assert graded.tolist() == ["correct", "ungraded", "ungraded"]
