"""The DSGym agent and metric under DSGym's own evaluator (`dsgym` on the path), offline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dsgym", reason="dsgym is not installed")

from dsgym.eval import EvaluationConfig, Evaluator

import grader.integrations.dsgym_metric
from grader.errors import UserError
from grader.run import RunDirectory
from tests.shared_data import ROOT
from wrappers.dsgym_agent import WrappedAgent

AGENT = "tests.wrappers.scripted.agent"
NAME = grader.integrations.dsgym_metric.NAME


def sample(number: int, question: str, answer: str, data: Path) -> dict[str, Any]:
    """A task as DSGym's QRData loader makes it."""
    return {
        "prompt": [{"role": "user", "content": f"QUESTION: {question}\n\nINSTRUCTIONS: use tags"}],
        "reward_spec": {"ground_truth": answer},
        "extra_info": {
            "question": question,
            "context": "x.csv has a column x.",
            "data_files": {"relative": [data.name], "absolute": [str(data)], "virtual": []},
            "source": "qrdata_original",
            "metadata_id": f"qrdata_{number}",
            "query_id": f"{number}",
        },
    }


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tasks' data file; the agent's process finds this project."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = tmp_path / "x.csv"
    path.write_text("x\n4.3\n4.5\n")
    return path


def test_dsgym_evaluates_our_agent_with_our_metric(tmp_path: Path, data: Path) -> None:
    ids = [f"qrdata_original_qrdata_{number}_{number}" for number in range(4)]
    turns = {
        ids[0]: ["The mean of x is 4.4."],
        ids[1]: ["I have looked.", "4.4"],
        ids[2]: ["The mean of x is 9."],
        ids[3]: ["I wonder."],
    }
    agent = WrappedAgent(AGENT, nudge_mode="B", run=str(tmp_path / "run"), turns=turns)
    tasks = [sample(number, "What is the mean of x?", "4.4", data) for number in range(4)]
    evaluator = Evaluator(metrics=[NAME], metric_configs={NAME: {"lenient": "off"}})
    config = EvaluationConfig(model_name="scripted", dataset_name="qrdata")
    found = evaluator.evaluate(agent, tasks, config, save_results=False, show_progress=False)
    results = found["results"]
    assert [r.sample_id for r in results] == ids
    assert [r.metrics[NAME]["score"] for r in results] == [1.0, 1.0, 0.0, 0.0]
    assert [r.metrics[NAME]["details"]["verdict"] for r in results] == [
        "correct",
        "correct",
        "incorrect",
        "no_answer",
    ]
    assert [r.total_turns for r in results] == [1, 2, 1, 4]
    recorded = {t.transcript_id: t.outcome for t in RunDirectory(tmp_path / "run").transcripts()}
    assert list(recorded.values()) == ["clean", "nudge_recovered", "clean", "failed"]


def test_an_agent_that_cannot_work_is_an_error_not_an_answer(data: Path) -> None:
    agent = WrappedAgent(AGENT, turns={"*": [{"text": "", "unavailable": "model is down"}]})
    result = agent.solve_task(sample(0, "What is the mean of x?", "4.4", data))
    assert (result["success"], result["error"]) == (False, "model is down")


def test_a_run_that_another_process_writes_to_is_left_alone(tmp_path: Path, data: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    agent = WrappedAgent(AGENT, run=str(run.path), turns={"*": ["The mean of x is 4.4."]})
    with run.writing(), pytest.raises(UserError, match="another process is writing"):
        agent.solve_task(sample(0, "What is the mean of x?", "4.4", data))
    assert list(run.transcripts()) == []


def test_a_run_that_was_made_in_another_way_is_refused(tmp_path: Path, data: Path) -> None:
    run = RunDirectory(tmp_path / "run")
    turns = {"*": ["The mean of x is 4.4."]}
    agent = WrappedAgent(AGENT, run=str(run.path), turns=turns)
    assert run.manifest()["run_settings"]["agent_settings"]["turns"] == turns
    agent.solve_task(sample(0, "What is the mean of x?", "4.4", data))
    with pytest.raises(UserError, match=r"made with another run_settings\.loop\.nudge_mode"):
        WrappedAgent(AGENT, run=str(run.path), nudge_mode="B", turns=turns)
    with run.writing(), pytest.raises(UserError, match="another process is writing"):
        WrappedAgent(AGENT, run=str(run.path), turns=turns)
    with pytest.raises(UserError, match=r"holds recordings \(run/transcripts\.jsonl\)"):
        WrappedAgent(AGENT, run=str(tmp_path), turns=turns)


def test_a_sample_that_is_run_again_is_a_repeat_of_its_task(tmp_path: Path, data: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    for _ in range(2):  # evaluations, with two tries each
        agent = WrappedAgent(AGENT, run=str(run.path), turns={"*": ["The mean of x is 4.4."]})
        for _ in range(2):
            agent.solve_task(sample(0, "What is the mean of x?", "4.4", data))
    name = "qrdata_original_qrdata_0_0"
    assert {t.transcript_id: t.repeat for t in run.transcripts()} == {
        name: 1, f"{name}.r2": 2, f"{name}.r3": 3, f"{name}.r4": 4
    }  # fmt: skip


def test_an_ungraded_sample_has_no_score() -> None:
    metric = grader.integrations.dsgym_metric.CascadeMetric(lenient="off")
    result = metric.evaluate("4.4", None, "What is the mean of x?")
    assert result.score is None and result.skipped
    assert result.details["verdict"] == "ungraded"


@pytest.mark.parametrize(
    ("prediction", "truth", "score"),
    [
        ("The mean is 0.2.", 0.2, 1.0),
        (0.2, "0.2", 1.0),
        ("0.3", 0.2, 0.0),
        ("", "0.2", 0.0),
        (None, "0.2", None),
        ("0.2", float("nan"), None),
    ],
)
def test_predictions_and_answers_may_be_of_any_type(
    prediction: object, truth: object, score: float | None
) -> None:
    metric = grader.integrations.dsgym_metric.CascadeMetric(lenient="off")
    assert metric.evaluate(prediction, truth, "What is the mean of x?").score == score


@pytest.mark.parametrize("has_run", [True, False])
def test_what_the_agent_said_before_it_failed_to_start_can_be_read(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, has_run: bool
) -> None:
    (tmp_path / "broken.py").write_text(
        "from grader.settings import StageSettings as Settings\n"
        "def make(settings, surroundings): raise ValueError('no weights')\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{tmp_path}")
    monkeypatch.syspath_prepend(tmp_path)
    agent = WrappedAgent("broken", run=str(tmp_path / "run") if has_run else None)
    error = agent.solve_task(sample(0, "What is the mean of x?", "4.4", data))["error"]
    log = tmp_path / "run" / "agent.log"
    assert "the agent did not start: ValueError: no weights" in error
    assert "in make" in (log.read_text() if has_run else error)
    assert ("agent.log" in error) == has_run
