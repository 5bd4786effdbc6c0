"""The command agent: how the prompt arrives, conversations, exit codes, isolation."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UserError
from grader.records import Task
from wrappers.agent import AgentUnavailable, Surroundings, TaskUnsuitable
from wrappers.agents.command import CommandAgent, Settings, make
from wrappers.prompts import load_prompts
from wrappers.settings import IsolationSettings, LoopSettings

from .conftest import GraderRun

SHOW = f"{sys.executable} -c 'import sys; print(sys.argv[1:], sys.stdin.read())'"


def agent(tmp_path: Path, **settings: Any) -> CommandAgent:
    around = Surroundings(IsolationSettings(), LoopSettings(), load_prompts(), tmp_path)
    made = make(Settings(**settings), around)
    made.start(Task(task_id="t"), [], tmp_path)
    return made


def test_the_prompt_is_an_argument_a_file_or_stdin(tmp_path: Path) -> None:
    assert agent(tmp_path, command=f"{SHOW} -q $prompt").send("How 'many'?").raw_output == (
        "['-q', \"How 'many'?\"] \n"
    )
    read = f"{sys.executable} -c 'import sys; print(open(sys.argv[1]).read())' $prompt_file"
    assert agent(tmp_path, command=read).send("How many?").raw_output == "How many?\n"
    assert agent(tmp_path, command=SHOW).send("How many?").raw_output == "[] How many?\n"
    assert list(tmp_path.iterdir()) == []


def test_a_prompt_that_no_argument_can_hold_is_mended(tmp_path: Path) -> None:
    echo = agent(tmp_path, command="echo $prompt")
    assert echo.send("How \0many\ud800?").raw_output == "How \ufffdmany\ufffd?\n"


def test_a_program_that_lacked_memory_is_told_of_the_limit(tmp_path: Path) -> None:
    turn = agent(tmp_path, command="sh -c 'echo RangeError: Out of memory >&2; exit 1'").send("x")
    assert turn.metadata["hint"].startswith("memory_mb = 4096 limits the address space")
    assert "hint" not in agent(tmp_path, command="sh -c 'exit 1'").send("x").metadata


def test_what_a_program_printed_before_its_time_was_over_is_recorded(grader_run: GraderRun) -> None:
    grader_run.tasks("t1")
    hangs = "sh -c 'echo I begin; sleep 3600'"
    done = grader_run.go("--command", hangs, "--timeout", "2", agent="command")
    assert done.returncode == 0, done.stderr
    (step,) = grader_run.records()["t1"]["steps"]
    assert step["metadata"] == {"cut_off": "timeout", "partial_output": "I begin\n"}


def test_a_data_file_of_the_name_stays_as_it_is(tmp_path: Path) -> None:
    workspace, scratch = tmp_path / "work", tmp_path / "scratch"
    workspace.mkdir()
    scratch.mkdir()
    (workspace / "prompt.txt").write_text("data")
    around = Surroundings(IsolationSettings(), LoopSettings(), load_prompts(), scratch)
    for ask in ("cat prompt.txt", "cat prompt.txt $prompt_file"):
        made = make(Settings(command=ask), around)
        made.start(Task(task_id="t"), [], workspace)
        assert made.send("!").raw_output == ("data!" if "_file" in ask else "data")
    assert (workspace / "prompt.txt").read_text() == "data"


def test_too_long_an_argument_is_not_the_programs_failure(tmp_path: Path) -> None:
    talker = agent(tmp_path, command="echo $prompt")
    with pytest.raises(TaskUnsuitable, match=r"too long for .*\$prompt.* Use \$prompt_file or"):
        talker.send(180_000 * "?")
    reader = agent(tmp_path, command=f"{sys.executable} -c 'print(180_000 * chr(32))'")
    reader.send("One")
    assert not reader.send("Two").failed


def test_a_conversation_that_grew_too_long_an_argument_is_recorded(grader_run: GraderRun) -> None:
    """To leave it out would leave out the agent's failures alone."""
    grader_run.tasks("t1")
    talks = f"{sys.executable} -c 'print(180_000 * chr(120))' $prompt"
    done = grader_run.go("--command", talks, agent="command")
    assert done.returncode == 0, done.stderr
    record = grader_run.records()["t1"]
    assert record["metadata"]["stop_reason"] == "agent_error"
    assert "too long for the argument $prompt" in record["metadata"]["detail"]
    assert len(record["steps"]) == 2 and len(record["steps"][0]["raw_output"]) > 180_000


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EAGAIN, errno.EMFILE, errno.ENOMEM])
@pytest.mark.parametrize("place", ["subprocess.Popen", "pathlib.Path.write_text"])
def test_a_system_that_runs_no_program_is_not_the_agents_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, place: str
) -> None:
    """Nor is it the task's: the next ones will fare no better."""

    def fails(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    talker = agent(tmp_path, command="echo 4.4")
    talker.send("One")
    monkeypatch.setattr(place, fails)
    with pytest.raises(AgentUnavailable, match="the program could not be run: ") as told:
        talker.send("Two")
    assert not isinstance(told.value, TaskUnsuitable)


def test_a_follow_up_repeats_the_conversation(tmp_path: Path) -> None:
    talker = agent(tmp_path, command=f"{sys.executable} -c 'print(input()[:5])'")
    talker.send("First question")
    shown = agent(tmp_path, command=SHOW)
    shown.send("One")
    text = shown.send("Two").raw_output
    assert text == "[] User: One\n\nAssistant: [] One\n\n\nUser: Two\n"


def test_a_follow_up_command_continues_by_itself(tmp_path: Path) -> None:
    shown = agent(tmp_path, command=SHOW, follow_up=f"{SHOW} --continue")
    shown.send("One")
    assert shown.send("Two").raw_output == "['--continue'] Two\n"
    shown.start(Task(task_id="t2"), [], tmp_path)
    assert shown.send("Three").raw_output == "[] Three\n"


def test_a_program_of_the_current_folder_runs_in_that_of_a_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    program = tmp_path / "agent.sh"
    program.write_text("#!/bin/sh\npwd\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    around = Surroundings(IsolationSettings(), LoopSettings(), load_prompts(), tmp_path)
    made = make(Settings(command="./agent.sh", follow_up="./agent.sh more"), around)
    made.start(Task(task_id="t"), [], tmp_path / "work")
    for _ in range(2):
        assert made.send("x").raw_output == f"{tmp_path / 'work'}\n"


def test_a_script_of_the_current_folder_needs_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "agent.sh"
    script.write_text("echo 4.4\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=rf"^agent\.sh is a file .*Write the full path: {script};"):
        agent(tmp_path, command="sh agent.sh $prompt")
    with pytest.raises(UserError, match=r"program './agent\.sh' is missing or not executable"):
        agent(tmp_path, command="sh -c true", follow_up="./agent.sh")
    assert agent(tmp_path, command=f"sh {script}").send("x").raw_output == "4.4\n"


def test_a_program_that_cannot_be_run_is_not_the_agents_failure(tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    with pytest.raises(AgentUnavailable, match=rf"sandbox: {program}: No such file"):
        agent(tmp_path, command=str(program)).send("x")


@pytest.mark.parametrize("code", [125, 127])
def test_a_program_cannot_pass_for_one_that_was_not_run(tmp_path: Path, code: int) -> None:
    """It says what the sandbox says, on every file that it may have inherited."""
    program = tmp_path / "agent.py"
    program.write_text(
        "import os, sys\n"
        "for handle in range(2, 64):\n"
        "    try: os.write(handle, b'sandbox: no\\n')\n"
        "    except OSError: pass\n"
        f"sys.exit({code})\n"
    )
    turn = agent(tmp_path, command=f"{sys.executable} {program}").send("x")
    assert turn.failed and turn.metadata["exit_code"] == code
    assert turn.metadata["stderr"].startswith("sandbox: no")


def test_an_exit_code_is_a_failed_turn(tmp_path: Path) -> None:
    failing = "sh -c 'echo part; echo why >&2; exit 3'"
    turn = agent(tmp_path, command=failing).send("x")
    assert (turn.raw_output, turn.failed) == ("part\n", True)
    assert turn.metadata == {"exit_code": 3, "stderr": "why\n"}
    assert agent(tmp_path, command=failing).revise() is None


def test_it_runs_isolated_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    turn = agent(tmp_path, command="sh -c 'pwd; env; ulimit -v'").send("x")
    assert turn.raw_output.startswith(str(tmp_path))
    assert "sk-secret" not in turn.raw_output
    assert turn.raw_output.rstrip().endswith(str(4096 * 1024))


def test_broken_bytes_are_text(tmp_path: Path) -> None:
    turn = agent(tmp_path, command="printf '4.4\\377'").send("x")
    assert turn.raw_output == "4.4\ufffd"


def test_a_program_is_benchmarked_by_command_line(grader_run: GraderRun) -> None:
    """A shell one-liner that reads its data file, and says too much until it is nudged."""
    grader_run.tasks("t1", data=["x.csv"])
    (grader_run.folder / "x.csv").write_text("x\n4.4\n")
    program = grader_run.folder / "agent.sh"
    program.write_text(
        "prompt=$(cat)\n"
        'case "$prompt" in\n'
        "  *nothing\\ else*) tail -n 1 x.csv ;;\n"
        "  *) echo 'I read the table. Shall I go on?' ;;\n"
        "esac\n"
    )
    done = grader_run.go("--command", f"sh {program}", agent="command")
    assert done.returncode == 0, done.stderr
    record = grader_run.records()["t1"]
    assert record["outcome"] == "nudge_recovered"
    assert [step["raw_output"] for step in record["steps"]] == [
        "I read the table. Shall I go on?\n",
        "4.4\n",
    ]


def test_a_program_that_only_fails_is_reported(grader_run: GraderRun) -> None:
    grader_run.tasks("t1", "t2")
    done = grader_run.go("--command", f"{sys.executable} /no/such.py", agent="command")
    said = "ended by an error of the agent: 2 of 2 transcripts (the first, t1: exit code 2: "
    assert said in done.stderr and "can't open file '/no/such.py'" in done.stderr
    assert done.stderr.endswith("or that of their last steps\n")  # its log is empty
    again = GraderRun(grader_run.folder / "replay")
    replayed = again.go("--recorded", str(grader_run.directory), agent="replay")
    assert said in replayed.stderr
    assert "agent.log" not in replayed.stderr


def test_other_dollar_signs_are_the_commands_own(tmp_path: Path) -> None:
    shell = agent(tmp_path, command="sh -c 'cat; test $$ -gt 1 && echo \" $((40 + 2))\"'")
    assert shell.send("How many?").raw_output == "How many? 42\n"
    named = agent(tmp_path, command="echo ${prompt} $prompts $promptly")
    assert named.send("How many?").raw_output == "How many? $prompts $promptly\n"


@pytest.mark.parametrize(
    "command",
    [
        "sh -c 'cd / && my-agent --ask \"$prompt\"'",
        "env A=1 /bin/bash -e -lc 'my-agent ${prompt}' my-agent",
    ],
)
def test_a_prompt_is_no_code_of_a_shell(command: str) -> None:
    """Backticks and quotes of a question would run and vanish, and the agent be asked another."""
    with pytest.raises(ValueError, match="a shell would read the prompt as part of its code"):
        Settings(command=command)
    with pytest.raises(ValueError, match="a shell would read the prompt as part of its code"):
        Settings(command="my-agent", follow_up=command)


def test_a_shell_can_hand_a_prompt_over(tmp_path: Path) -> None:
    question = 'What is the mean of `x` and "y" in $HOME?'
    handed = agent(tmp_path, command="sh -c 'printf %s \"$1\"' sh $prompt")
    assert handed.send(question).raw_output == question
    read = agent(tmp_path, command="sh -c 'cat $prompt_file'")
    assert read.send(question).raw_output == question
