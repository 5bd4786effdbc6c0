"""The chat agent and the real LAMBDA, end to end through the command line, on the same five
scripted conversations: answered at once, repaired, nudged twice, never answered, hanging."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from wrappers.agents.lambda_agent import Settings

from .conftest import GraderRun
from .scripted.llm import ADVICE, Reply, serving
from .scripted.scenarios import EXPECTED, SCENARIOS, TASK_IDS, code

LAMBDA_HOME = os.environ.get("LAMBDA_HOME")
AGENTS = [
    pytest.param("chat", marks=()),
    pytest.param(
        "lambda",
        marks=pytest.mark.skipif(
            not LAMBDA_HOME, reason="LAMBDA_HOME does not name a copy of LAMBDA"
        ),
    ),
]


def files_with(key: str, folder: Path) -> list[Path]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return [file for file in files if key.encode() in file.read_bytes()]


@pytest.fixture(scope="module", params=AGENTS)
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """The five transcripts of one agent, by task id."""
    run = GraderRun(tmp_path_factory.mktemp(request.param))
    (run.folder / "x.csv").write_text("x\n4.3\n4.5\n")
    run.tasks(*TASK_IDS, data=["x.csv"])
    with serving(SCENARIOS) as server:
        done = run.go(
            *("--model", "scripted", "--base-url", server.base_url),
            *("--timeout", "6", "--concurrency", "2"),
            agent=request.param,
        )
    assert done.returncode == 0, done.stderr
    records = run.records()
    records["repaired"]["agent_name"] = request.param
    return records


@pytest.mark.parametrize("task_id", TASK_IDS)
def test_the_conversation_is_recorded(recorded: dict[str, dict[str, Any]], task_id: str) -> None:
    outcome, stop, kinds, nudges = EXPECTED[task_id]
    record = recorded[task_id]
    assert record["outcome"] == outcome
    assert record["metadata"]["stop_reason"] == stop
    assert [step["instruction_type"] for step in record["steps"]] == kinds
    logged = record["metadata"]["nudges"]
    assert [(entry["reason"], entry["recovered"]) for entry in logged] == nudges


def test_halves_are_split(recorded: dict[str, dict[str, Any]]) -> None:
    (step,) = recorded["once"]["steps"]
    assert (step["execution_scalar"], step["verbal_scalar"]) == (4.4, 4.4)
    assert step["execution_output"] == "4.4"
    assert step["candidate_numbers"] == [4.4]


def test_a_repair_is_a_step_of_its_own(recorded: dict[str, dict[str, Any]]) -> None:
    failed, repaired = recorded["repaired"]["steps"]
    assert (failed["execution_error"], repaired["execution_error"]) == (True, False)
    assert ADVICE in repaired["instruction_text"]
    assert "undefined_name" in repaired["instruction_text"]
    error = failed.get("metadata", {}).get("traceback") or failed["execution_output"]
    assert "NameError: name 'undefined_name' is not defined" in error


def test_steps_hold_their_own_text_only(recorded: dict[str, dict[str, Any]]) -> None:
    assert [step["raw_output"] for step in recorded["nudged"]["steps"][1:]] == [
        "It could be 1.1, 2.2, 3.3, 5.5 or 6.6.",
        "4.4",
    ]


def test_what_a_hanging_turn_had_said_is_kept(recorded: dict[str, dict[str, Any]]) -> None:
    (step,) = recorded["hangs"]["steps"]
    assert step["raw_output"] == ""
    assert "while True: pass" in step["metadata"]["partial_output"]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_model_out_of_reach_is_not_the_agents_failure(grader_run: GraderRun, agent: str) -> None:
    grader_run.tasks("t1")
    done = grader_run.go("--model", "m", "--base-url", "http://127.0.0.1:9/v1", agent=agent)
    assert done.returncode == 1
    assert "t1: the model is out of reach" in done.stdout
    assert grader_run.records() == {}
    assert grader_run.strays() == []


@pytest.mark.parametrize("agent", AGENTS)
def test_a_model_that_falls_silent_is_not_the_agents_failure(
    grader_run: GraderRun, agent: str
) -> None:
    """From the first request on, or for longer than a request may take. The time of a task that
    ends during a later, shorter wait is the agent's."""
    silent = Reply(hang=20)
    scenarios = {"(never)": [silent], "mean of x": [code("print(4.4)"), silent]}
    lost = {}
    with serving(scenarios) as server:
        reach = ["--model", "m", "--base-url", server.base_url, "--timeout", "8"]
        for limit, task_ids in ((3.0, ["long"]), (100.0, ["short", "never"])):
            grader_run.tasks(*task_ids)
            section = {f"agent.{agent}": {"request_timeout": limit}}
            grader_run.settings({"*": ["unused"]}, **section)
            grader_run.directory = grader_run.folder / f"run{limit:g}"
            done = grader_run.go(*reach, "--concurrency", "2", "--json", agent=agent)
            assert done.returncode == 1
            told = json.loads(done.stdout)["not_run"]
            lost |= {line["transcript_id"]: line["reason"] for line in told}
            assert grader_run.strays() == []
    assert list(lost) == ["long", "never"]
    assert all(why.startswith("the model is out of reach: no reply for") for why in lost.values())
    assert grader_run.records()["short"]["metadata"]["stop_reason"] == "timeout"


@pytest.mark.parametrize("agent", AGENTS)
def test_a_models_refusal_is_told_in_its_servers_words(grader_run: GraderRun, agent: str) -> None:
    key = grader_run.environment["OPENAI_API_KEY"] = "sk-0123456789"
    body = f'{{"error": {{"message": "Wrong key {key}"}}}}'
    grader_run.tasks("t1")
    with serving({"(t1)": [Reply(status=401, raw=body)]}) as server:
        done = grader_run.go("--model", "m", "--base-url", server.base_url, agent=agent)
    assert done.returncode == 1
    assert "t1: the model refused: HTTP 401: Wrong key [key]" in done.stdout
    assert files_with(key, grader_run.directory) == []


NO_COMPLETIONS = {
    "cut": '{"id": "x", "choices": [{"index": 0, "mess',
    "page": "<html>Bad gateway</html>",
    "error": '{"error": {"message": "overloaded"}}',
    "empty": '{"id": "x", "choices": []}',
    "mute": '{"id": "x", "choices": [{"index": 0, "message": null}]}',
    "parts": '{"id": "x", "choices": [{"index": 0, "message": {"content": [{"text": "4.4"}]}}]}',
}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_reply_that_is_no_completion_is_not_the_agents_failure(
    grader_run: GraderRun, agent: str
) -> None:
    grader_run.tasks(*NO_COMPLETIONS)
    replies = {f"({name})": [Reply(raw=raw)] for name, raw in NO_COMPLETIONS.items()}
    with serving(replies) as server:
        done = grader_run.go("--model", "m", "--base-url", server.base_url, agent=agent)
    assert done.returncode == 1
    for name in NO_COMPLETIONS:
        assert f"{name}: the model's server sent no chat completion: " in done.stdout
    assert grader_run.records() == {}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_conversation_that_grew_too_long_is_the_agents_failure(
    grader_run: GraderRun, agent: str
) -> None:
    grader_run.tasks("t1")
    body = '{"error": {"message": "the request exceeds the available context size"}}'
    replies = {"(t1)": [code("print('x' * 9000)"), Reply(status=400, raw=body)]}
    with serving(replies) as server:
        done = grader_run.go("--model", "m", "--base-url", server.base_url, agent=agent)
    assert done.returncode == 0, done.stdout
    notes = grader_run.records()["t1"]["metadata"]
    assert notes["stop_reason"] == "agent_error"
    assert "ConversationTooLong: HTTP 400: the request exceeds" in notes["detail"]
    assert "ended by an error of the agent: 1 of 1 transcripts (the first, t1: Conv" in done.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_a_first_request_that_is_too_long_is_not(grader_run: GraderRun, agent: str) -> None:
    """Also not of a worker's later task."""
    grader_run.tasks("t1", "t2")
    body = '{"error": {"message": "maximum context length is 4096. However, you requested 5000"}}'
    replies = {"(t1)": ["The mean of x is 4.4."], "(t2)": [Reply(status=400, raw=body)]}
    with serving(replies) as server:
        done = grader_run.go("--model", "m", "--base-url", server.base_url, agent=agent)
    assert done.returncode == 1
    assert "t2: the model refused: HTTP 400: maximum context length" in done.stdout
    assert list(grader_run.records()) == ["t1"]


@pytest.mark.parametrize("agent", AGENTS)
def test_half_a_reply_is_no_answer(grader_run: GraderRun, agent: str) -> None:
    """A reply that stopped at its token limit does not count, however much it looks like one."""
    grader_run.tasks("half", "whole")
    half, whole = (Reply("The mean of x is 4.4", finish=why) for why in ("length", "stop"))
    with serving({"(half)": [half], "(whole)": [whole]}) as server:
        reach = ["--model", "m", "--base-url", server.base_url]
        grader_run.go(*reach, "--nudge", "none", agent=agent)
    records = grader_run.records()
    assert [records[name]["outcome"] for name in ("half", "whole")] == ["failed", "clean"]
    (step,) = records["half"]["steps"]
    assert step["raw_output"] == "" and step["metadata"]["cut_off"] == "length"
    assert step["metadata"]["partial_output"] == "The mean of x is 4.4"
    (step,) = records["whole"]["steps"]
    assert step["metadata"] == {"finish_reasons": ["stop"]}


@pytest.mark.parametrize("agent", AGENTS)
def test_the_key_is_out_of_reach_of_the_agents_code(grader_run: GraderRun, agent: str) -> None:
    """Code that looks through all folders above its own finds no key, and a server that repeats
    it does not bring it into the record."""
    key = grader_run.environment["OPENAI_API_KEY"] = "sk-0123456789"
    look = (
        "import pathlib\nfor folder in list(pathlib.Path('.').resolve().parents)[:3]:\n"
        "    for file in folder.rglob('*.[yj][as]*'):\n        print(file.read_text()[:3000])"
    )
    grader_run.tasks("t1")
    with serving({"(t1)": [code(look), f"With the key {key} it is 4.4."]}) as server:
        grader_run.go("--model", "m", "--base-url", server.base_url, agent=agent)
        assert server.keys == {key}
    assert "With the key [key] it is 4.4" in str(grader_run.records())
    assert files_with(key, grader_run.directory) == []


@pytest.mark.skipif(not LAMBDA_HOME, reason="LAMBDA_HOME does not name a copy of LAMBDA")
@pytest.mark.parametrize("as_in_paper", [False, True])
def test_lambda_starts_every_task_afresh(grader_run: GraderRun, as_in_paper: bool) -> None:
    """One worker, two tasks: no message, variable or file of the first is left in the second;
    what LAMBDA imports for a first task is there again, unless its own reset is asked for."""
    look = (
        "import os\nprint('left' if 'secret' in globals() else 'clean', "
        "'pd' in globals(), sorted(os.listdir()))\nsecret = 1\nopen('left.txt', 'w').close()"
    )
    grader_run.tasks("first", "second", data=["x.csv"])
    (grader_run.folder / "x.csv").write_text("x\n4.3\n")
    replies = [f"```python\n{look}\n```", "The mean of x is 4.4."]
    grader_run.settings({"*": ["unused"]}, **{"agent.lambda": {"as_in_paper": as_in_paper}})
    with serving({"mean of x": replies}) as server:
        done = grader_run.go("--model", "m", "--base-url", server.base_url, agent="lambda")
        assert done.returncode == 0, done.stderr
        asked = [r["messages"] for r in server.requests if len(r["messages"]) == 2]
    first, second = grader_run.records().values()
    assert first["steps"][0]["execution_output"] == "clean True ['x.csv']"
    assert second["steps"][0]["execution_output"] == f"clean {not as_in_paper} ['x.csv']"
    assert len(asked) == 2
    assert [("{working_path}" in messages[0]["content"]) for messages in asked] == [
        False,
        as_in_paper,
    ]
    assert "(first)" not in str(asked[1])


def test_lambdas_folder_is_the_same_however_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert Settings(model="m", home=tmp_path / "link") == Settings(
        model="m", home=tmp_path / "real"
    )


def test_no_lambda_there_is_one_clear_line(grader_run: GraderRun, tmp_path: Path) -> None:
    grader_run.tasks("t1")
    done = grader_run.go("--model", "m", "--lambda-home", str(tmp_path), agent="lambda")
    assert done.returncode == 2
    assert "no LAMBDA.py there. Give LAMBDA's folder by --lambda-home" in done.stderr


@pytest.mark.skipif(not LAMBDA_HOME, reason="LAMBDA_HOME does not name a copy of LAMBDA")
@pytest.mark.parametrize(
    ("deadly", "error"),
    [
        ("import os\nos._exit(3)", "KernelDied"),
        ("input('Which column? ')", "StdinNotImplementedError"),
        ("while True: pass", "KeyboardInterrupt"),
        ("import os\nos.system('yes | head -c 300000')\nlost", "NameError"),
    ],
)
def test_code_that_would_hang_lambda_is_repaired(
    grader_run: GraderRun, deadly: str, error: str
) -> None:
    grader_run.tasks("t1")
    grader_run.settings({"*": ["unused"]}, isolation={"cell_seconds": 3.0})
    replies: list[Reply | str] = [code(deadly), code("print(4.4)"), "The mean of x is 4.4."]
    with serving({"mean of x": replies}) as server:
        grader_run.go("--model", "m", "--base-url", server.base_url, agent="lambda")
    record = grader_run.records()["t1"]
    assert record["outcome"] == "error_recovered"
    failed, repaired = record["steps"]
    assert error in failed["metadata"]["traceback"]
    assert repaired["execution_output"] == "4.4"
