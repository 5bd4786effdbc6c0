"""The two loops on scripted agents: every outcome, every stop, the 15 fields to the value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.passes.strict_pass import complete
from grader.reading import Reading
from grader.records import Step, Task, Transcript
from grader.settings import GradeSettings
from wrappers.loop import TaskLoop
from wrappers.prompts import load_prompts
from wrappers.settings import LoopSettings
from wrappers.steps import assemble

from .scripted.agent import ScriptedAgent, Settings

TASK = Task(
    task_id="t1",
    question="What is the median proline level of the wines?",
    context="wine.csv describes wines.",
    ground_truth="1095",
)
ANSWER = "The median proline level of the wines is 1095."
CHATTY = "The proline level of the wines is 3, 14, 15, 92 or 65."
SILENT = "I have looked at the wines."


class Quiet:
    def begins(self, instruction: str, kind: str) -> None:
        return None

    def turn_over(self) -> None:
        return None

    def ends(self, step: Step) -> None:
        return None


class Ticks:
    """A clock that moves 2.5 s with every look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 2.5
        return self.now


def play(
    tmp_path: Path, *turns: str | dict[str, Any], task: Task = TASK, **settings: Any
) -> Transcript:
    agent = ScriptedAgent(Settings(turns={"*": list(turns)}))
    agent.start(task, [], tmp_path)
    loop_settings = LoopSettings(**settings)
    loop = TaskLoop(
        agent, task, load_prompts(), loop_settings, GradeSettings(), Quiet(), clock=Ticks()
    )
    stop = loop.run([tmp_path / "wine.csv"])
    return assemble("t1", task, loop.steps, stop, "scripted", loop_settings)


FAILED = {"text": "```python\nx\n```", "failed": True}


@pytest.mark.parametrize(
    ("turns", "settings", "outcome", "stop", "kinds", "nudges"),
    [
        ([ANSWER], {}, "clean", "answered", ["original_prompt"], []),
        (
            [FAILED, ANSWER],
            {},
            "error_recovered",
            "answered",
            ["original_prompt", "inspector_revision"],
            [],
        ),
        (
            [SILENT, CHATTY, ANSWER],
            {},
            "nudge_recovered",
            "answered",
            ["original_prompt", "nudge_original", "nudge_original"],
            [("no_scalar", False), ("ambiguous", True)],
        ),
        (
            [CHATTY, FAILED, ANSWER],
            {"nudge_mode": "B"},
            "nudge_recovered",
            "answered",
            ["original_prompt", "nudge_generic", "inspector_revision"],
            [("ambiguous", True)],
        ),
        (
            [SILENT],
            {},
            "failed",
            "nudges_used_up",
            ["original_prompt"] + ["nudge_original"] * 3,
            [("no_scalar", False)] * 3,
        ),
        ([SILENT], {"max_nudges": 0}, "failed", "nudges_used_up", ["original_prompt"], []),
        ([CHATTY], {"nudge_mode": "none"}, "failed", "nudging_off", ["original_prompt"], []),
        (
            [FAILED],
            {},
            "failed",
            "revisions_used_up",
            ["original_prompt"] + ["inspector_revision"] * 5,
            [],
        ),
        ([FAILED], {"max_revisions": 0}, "failed", "revisions_used_up", ["original_prompt"], []),
        (
            [SILENT, FAILED],
            {"max_revisions": 1},
            "failed",
            "revisions_used_up",
            ["original_prompt", "nudge_original", "inspector_revision"],
            [("no_scalar", False)],
        ),
    ],
)
def test_outcomes_stops_and_nudges(
    tmp_path: Path,
    turns: list[Any],
    settings: dict[str, Any],
    outcome: str,
    stop: str,
    kinds: list[str],
    nudges: list[tuple[str, bool]],
) -> None:
    transcript = play(tmp_path, *turns, **settings)
    assert transcript.outcome == outcome
    assert transcript.metadata["stop_reason"] == stop
    assert [step.instruction_type for step in transcript.steps] == kinds
    logged = transcript.metadata["nudges"]
    assert [(entry["reason"], entry["recovered"]) for entry in logged] == nudges
    sent = [number for number, kind in enumerate(kinds, 1) if kind.startswith("nudge")]
    assert [entry["step"] for entry in logged] == sent


def test_the_fifteen_fields_of_a_step(tmp_path: Path) -> None:
    """Worked by hand: K(question) = {median, proline, level, wines}; the output holds three
    of them (not "level")."""
    output = "<pre>1095.0</pre>\nThe median proline of the wines is **1095**."
    (step,) = play(tmp_path, output).steps
    assert step.instruction_text == (
        "wine.csv describes wines.\n\nData files: wine.csv\n\n"
        "Question: What is the median proline level of the wines?"
    )
    assert step.instruction_type == "original_prompt"
    assert step.elapsed_time == 2.5
    assert (step.token_count, step.token_counter) == (22, "cl100k_base")
    assert step.execution_error is False
    assert step.scalar_found is True
    assert step.anchoring_score == 3 / 4
    assert step.execution_scalar == 1095.0
    assert step.verbal_scalar == 1095.0
    assert step.answer_region_text == "The median proline of the wines is **1095**."
    assert step.answer_region_score is not None and step.answer_region_score >= 3 / 4
    assert step.candidate_numbers == (1095.0,)
    assert step.n_candidates == 1
    assert step.ambiguous_answer is False


def test_the_fields_of_an_ambiguous_step(tmp_path: Path) -> None:
    (step,) = play(tmp_path, CHATTY, nudge_mode="none").steps
    assert step.candidate_numbers == (3.0, 14.0, 15.0, 92.0, 65.0)
    assert (step.n_candidates, step.ambiguous_answer, step.scalar_found) == (5, True, False)


def test_nudges_say_what_their_mode_says(tmp_path: Path) -> None:
    first = play(tmp_path, SILENT, ANSWER, nudge_mode="A").steps[1].instruction_text
    second = play(tmp_path, SILENT, ANSWER, nudge_mode="B").steps[1].instruction_text
    assert TASK.question in first and TASK.question not in second
    assert first.startswith(second)


def test_other_rules_decide(tmp_path: Path) -> None:
    printed = "<pre>1095.0</pre>"
    assert play(tmp_path, printed).metadata["stop_reason"] == "answered"
    strict = play(tmp_path, printed, ANSWER, rules=("no_verbal_scalar",))
    assert [entry["reason"] for entry in strict.metadata["nudges"]] == ["no_verbal_scalar"]


@pytest.mark.parametrize(
    ("truth", "choices", "reply"),
    [("A", ("A", "B"), "The answer is A."), ("yes", (), "Yes."), ("red", (), "It is red.")],
)
def test_only_where_a_number_is_asked_for_it_must_be_in_the_prose(
    tmp_path: Path, truth: str, choices: tuple[str, ...], reply: str
) -> None:
    task = Task(task_id="t1", question="Which is it?", ground_truth=truth, choices=choices)
    answered = play(tmp_path, reply, task=task, rules=("no_verbal_scalar",))
    assert (answered.metadata["stop_reason"], answered.metadata["nudges"]) == ("answered", [])


@pytest.mark.parametrize("truth", ["red", "white", None])
@pytest.mark.parametrize("kind", ["text", "choice"])
def test_nobody_is_nudged_towards_the_published_words(
    tmp_path: Path, kind: Any, truth: str | None
) -> None:
    task = TASK.model_copy(update={"answer_kind": kind, "ground_truth": truth})
    transcript = play(tmp_path, "They are red wines.", task=task)
    assert (transcript.metadata["stop_reason"], len(transcript.steps)) == ("answered", 1)
    assert transcript.outcome == "clean"
    assert play(tmp_path, "", task=task).metadata["stop_reason"] == "nudges_used_up"


def test_a_last_step_that_failed_is_the_same_failure_to_run_and_to_grade(tmp_path: Path) -> None:
    output = f"{ANSWER}\n<pre>Traceback (most recent call last):\nKeyError: 'x'</pre>"
    ran = play(tmp_path, {"text": output, "failed": True}, max_revisions=1)
    assert ran.outcome == "failed"
    recorded = ran.model_copy(update={"outcome": None})
    assert complete(Reading(recorded, GradeSettings())).outcome == "failed"


def test_an_agent_that_does_not_revise_gives_up(tmp_path: Path) -> None:
    agent = ScriptedAgent(Settings(turns={"*": [FAILED]}))
    agent.revise = lambda: None  # type: ignore[method-assign]
    agent.start(TASK, [], tmp_path)
    loop = TaskLoop(agent, TASK, load_prompts(), LoopSettings(), GradeSettings(), Quiet())
    assert loop.run([]) == "agent_gave_up"
    assert len(loop.steps) == 1


@pytest.mark.parametrize("method", ["send", "revise"])
def test_a_text_in_the_place_of_a_turn_is_called_so(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ScriptedAgent, method, lambda *_: ANSWER)
    with pytest.raises(TypeError, match="the agent returned a str, not a Turn of a text"):
        play(tmp_path, FAILED)
