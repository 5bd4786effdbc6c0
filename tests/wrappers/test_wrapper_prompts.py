"""Instructions: what each kind of task is asked, replacement, and refusal of bad files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.instrument import instrument
from grader.records import Step, Task
from grader.settings import GradeSettings
from wrappers.nudges import DEFAULT_RULES, nudge_reason
from wrappers.prompts import PROMPTS, load_prompts

CHOICE = Task(
    task_id="c", question="Which is largest?", answer_kind="choice", choices=("A. iris", "B. wine")
)


def test_a_choice_task_lists_its_options_and_asks_for_one() -> None:
    prompts = load_prompts()
    assert prompts.original(CHOICE, []) == (
        "Question: Which is largest?\n\nOptions:\nA. iris\nB. wine"
    )
    assert "option" in prompts.nudge("B", CHOICE)
    assert "number" in prompts.nudge("B", CHOICE.model_copy(update={"answer_kind": "percent"}))
    assert "number" not in prompts.nudge("A", CHOICE)


@pytest.mark.parametrize(
    ("choices", "reply"),
    [
        (("A. iris", "B. wine"), "B"),
        (("A. iris", "B. wine"), "B. wine"),
        (("iris", "wine"), "wine"),
        ((), "Yes"),
    ],
)
def test_who_does_as_a_nudge_says_has_an_answer(choices: tuple[str, ...], reply: str) -> None:
    """The nudge asks for the option as it is written, not for a letter that it may lack."""
    truth = "yes" if not choices else choices[1]
    task = CHOICE.model_copy(update={"choices": choices, "ground_truth": truth})
    nudge = load_prompts().nudge("B", task)
    assert "as it is written" in nudge
    assert "letter" not in nudge and "no words" not in nudge
    step = instrument(Step(raw_output=reply), task, GradeSettings())
    assert nudge_reason(step, task, DEFAULT_RULES) is None


@pytest.mark.parametrize(
    ("question", "choices", "is_given"),
    [
        ("Largest? A. iris B. wine", ("A. iris", "B. wine"), False),
        ("Largest? (A) iris (B) wine", ("iris", "wine"), False),
        ("Is it red, blue or green?", ("red", "blue", "green"), False),
        ("Is it larger (answer yes/no)?", ("yes", "no"), False),
        ("Is the group 0 or 1?", ("0", "1"), False),
        ("Of the 10 groups, which?", ("0", "1"), True),
        ("Are there 1 or 2 groups, not 0?", ("0", "1"), True),
        ("Are more women than expected among them, or men?", ("men", "women"), True),
        ("Is it known to work yesterday?", ("yes", "no"), True),
        ("Is red larger than blue?", ("red", "blue"), True),
        ("Is it red or bluegreen?", ("red", "blue"), True),
        ("Which?", (), False),
    ],
)
def test_options_that_the_question_lists_are_not_repeated(
    question: str, choices: tuple[str, ...], is_given: bool
) -> None:
    task = CHOICE.model_copy(update={"question": question, "choices": choices})
    assert ("Options:" in load_prompts().original(task, [])) == is_given


def test_dollars_in_a_task_are_text() -> None:
    task = Task(task_id="d", question="Is $files over $5?", context="Prices in $context.")
    text = load_prompts().original(task, ["a.csv"])
    assert "Is $files over $5?" in text and "Prices in $context." in text


def test_a_users_wording_replaces_ours_and_changes_the_hash(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "nudge_generic"\nversion = "9"\ntext = "Just $answer_format"\n')
    prompts = load_prompts(file)
    assert prompts.nudge("B", CHOICE).startswith("Just Choose")
    assert "nudge_generic/9" in prompts.manifest()
    assert prompts.manifest()["task/1"] == load_prompts(None).manifest()["task/1"]
    assert load_prompts(tmp_path).manifest() == prompts.manifest()


def test_every_wording_is_packaged_and_recorded() -> None:
    assert {name.split("/")[0] for name in load_prompts().manifest()} == set(PROMPTS)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "nudge_generic"\nversion = "1"\ntext = "$truth"', r"\$truth is unknown here"),
        ('name = "nudge"\nversion = "1"\ntext = "x"', "unknown prompt 'nudge'"),
        ('name = "task"\nversion = "1"', "text: Field required"),
        ('name = "task"\nversion = "1"\ntext = "5 $ only"', r"lone \$"),
        ('name = "task"\nversion = "1"\ntext = "Q: {question}"', r"\$question is missing"),
        ('name = "nudge_original"\nversion = "1"\ntext = "Again!"', r"\$question is missing"),
        ('name = "chat_result"\nversion = "1"\ntext = "It ran."', r"\$output is missing"),
        ('name = "chat_inspector"\nversion = "1"\ntext = "$code"', r"\$error is missing"),
        ("name = ", "not valid TOML"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(UserError, match=says):
        load_prompts(file)


def test_two_files_of_one_prompt_are_refused(tmp_path: Path) -> None:
    for version in (9, 10):
        text = f'name = "nudge_generic"\nversion = "{version}"\ntext = "Number?"\n'
        (tmp_path / f"nudge_generic-{version}.toml").write_text(text)
    says = r"nudge_generic-9.toml: a second nudge_generic, beside nudge_generic-10.toml. Keep one"
    with pytest.raises(UserError, match=says):
        load_prompts(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no prompt"):
        load_prompts(tmp_path)


def test_a_pipe_is_refused_for_each_worker_would_read_it_again() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as end:
        end.write('name = "answer_text"\nversion = "mine"\ntext = "Say it."\n')
    with os.fdopen(reading), pytest.raises(UserError, match=r"a pipe\. Write its output to a"):
        load_prompts(Path(f"/dev/fd/{reading}"))
