"""The inspect_ai scorer on a log of the real package's mock model, through its command line."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect_ai is not installed (extra `inspect`)")

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, multiple_choice

from grader.integrations.inspect_scorer import best_of, messages_of
from grader.readers.conversation import steps_of
from grader.records import Grade, Verdict

REPLIES = {
    "right": ("What is the mean of x?", "4.4", "The mean is **4.4**."),
    "wrong": ("What is the mean of x?", "4.4", "The mean is 9."),
    "silent": ("What is the mean of x?", "4.4", "I cannot say."),
    "percent": ("What share of x is large?", "0.12", "It is 12% of them."),
    "untargeted": ("What is the mean of x?", "", "It is 7."),
}


def mock(*texts: str) -> Any:
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in texts]
    return get_model(
        "mockllm/model", custom_outputs=[o.model_copy(update={"usage": usage}) for o in outputs]
    )


def recorded(folder: Path, samples: list[Sample], solver: Any, *replies: str) -> Path:
    (log,) = eval(
        Task(dataset=samples, solver=solver, scorer=includes()),
        model=mock(*replies),
        log_dir=str(folder),
        max_samples=1,
        display="none",
    )
    assert log.status == "success"
    return Path(log.location)


def rescored(log: Path, *options: str) -> Any:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "inspect_ai", "score", str(log), "--overwrite"),
            *("--scorer", "grader/cascade", "--action", "append", *options),
        ],
        capture_output=True,
        text=True,
        cwd=log.parent,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return read_eval_log(str(log))


def test_an_existing_log_is_scored(tmp_path: Path) -> None:
    samples = [Sample(id=i, input=q, target=t) for i, (q, t, _) in REPLIES.items()]
    texts = [reply for _, _, reply in REPLIES.values()]
    log = rescored(recorded(tmp_path, samples, generate(), *texts), "-S", "lenient=off")
    scores = {sample.id: sample.scores["cascade"] for sample in log.samples}
    assert {i: s.value for i, s in scores.items() if i != "untargeted"} == {
        "right": "C",
        "wrong": "I",
        "silent": "N",
        "percent": "C",
    }
    assert math.isnan(scores["untargeted"].value)
    assert scores["wrong"].answer == "9"
    assert scores["right"].metadata["verdicts"]["strict_blind"] == "correct"
    assert all("includes" in sample.scores for sample in log.samples)
    (summary,) = [score for score in log.results.scores if score.name == "cascade"]
    assert (summary.scored_samples, summary.unscored_samples) == (4, 1)
    assert summary.metrics["accuracy"].value == 2 / 4


def test_a_strict_failure_is_judged_by_the_model(tmp_path: Path) -> None:
    """Seven numbers in one sentence are ambiguous to the strict grader; the judge reads on."""
    from tests.wrappers.scripted.llm import Reply, serving

    sample = Sample(id="many", input="How many flowers are there?", target="12")
    path = recorded(
        tmp_path,
        [sample],
        generate(),
        "Counts: 3, 5, 7, 9, 11, 12, 14.",
    )
    with serving({"flowers": [Reply("12")]}) as judge:
        log = rescored(
            path,
            *("-S", f"base_url={judge.base_url}", "-S", "model=scripted"),
            *("-S", f"calls={tmp_path / 'calls'}"),
        )
        assert judge.requests
    score = log.samples[0].scores["cascade"]
    assert (score.value, score.metadata["decided_by"]) == ("C", "lenient")
    calls = (tmp_path / "calls" / "llm_calls.jsonl").read_text().splitlines()
    assert json.loads(calls[0])


def test_options_are_graded_as_options(tmp_path: Path) -> None:
    sample = Sample(id="c", input="Largest?", target="B", choices=["iris", "wine"])
    log = rescored(
        recorded(tmp_path, [sample], multiple_choice(), "ANSWER: B"), "-S", "lenient=off"
    )
    assert log.samples[0].scores["cascade"].value == "C"


@pytest.mark.parametrize("reply", ["ANSWER: A,C", "ANSWER: A"])
def test_several_right_options_are_left_to_inspect(tmp_path: Path, reply: str) -> None:
    sample = Sample(id="c", input="Which?", target=["A", "C"], choices=["1", "2", "3"])
    solver = multiple_choice(multiple_correct=True)
    log = rescored(recorded(tmp_path, [sample], solver, reply), "-S", "lenient=off")
    score = log.samples[0].scores["cascade"]
    assert math.isnan(score.value)
    assert "several options" in score.explanation


def test_a_conversation_becomes_steps() -> None:
    messages = [
        ChatMessageSystem(content="Be brief."),
        ChatMessageUser(content="Mean of x?"),
        ChatMessageAssistant(content="I compute."),
        ChatMessageTool(content="a < 4.4"),
        ChatMessageUser(content="Only the number."),
        ChatMessageAssistant(content="4.4"),
    ]
    assert [(s.instruction_text, s.raw_output) for s in steps_of(messages_of(messages, "4.4"))] == [
        ("Mean of x?", "I compute.\n\n<pre>a &lt; 4.4</pre>"),
        ("Only the number.", "4.4"),
    ]
    assert steps_of(messages_of([], "7"))[0].raw_output == "7"


@pytest.mark.parametrize("targets", [["5", "about 5"], ["about 5", "5"]])
def test_the_order_of_targets_is_no_matter(tmp_path: Path, targets: list[str]) -> None:
    """One target is matched or not; against the other nothing can be graded."""
    samples = [Sample(id=i, input="How many?", target=targets) for i in ("wrong", "right")]
    log = rescored(
        recorded(tmp_path, samples, generate(), "It is 7.", "It is 5."), "-S", "lenient=off"
    )
    assert {s.id: s.scores["cascade"].value for s in log.samples} == {"wrong": "I", "right": "C"}


def test_a_target_that_a_judge_owes_may_yet_be_matched() -> None:
    def cascade_grade(verdict: Verdict, decided_by: str) -> list[Grade]:
        evidence = {"decided_by": decided_by}
        return [
            Grade(
                transcript_id="a", task_id="t", grader="cascade", verdict=verdict, evidence=evidence
            )
        ]

    incorrect, owed = cascade_grade("incorrect", "lenient"), cascade_grade("ungraded", "lenient")
    unreadable = cascade_grade("ungraded", "strict_keyword")
    assert best_of([incorrect, owed, unreadable]) is owed
    assert best_of([unreadable, incorrect]) is incorrect
