"""`grader run`: run an agent on tasks and record every step in a run directory."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import Any, get_args

from grader.cli import DONE, PARTIAL
from grader.cli.options import one_of
from grader.cli.printing import print_json
from grader.errors import UserError
from grader.files.listing import named_path
from grader.invisible import displayable
from grader.passes.input import Input, refuse_own_files
from grader.records import NudgeMode
from grader.run import RunDirectory, created, transcripts_of

from .agents import AGENTS, REPLAY
from .plan import RunPlan, make_plan
from .progress import OUTCOMES
from .run_record import check_same_plan, ids_wanted, record_plan, record_results, recorded_ids
from .selection import assignments, recording_files, recordings
from .settings import LoopSettings
from .work import AgentWork, ReplayWork, Work
from .workspace import WORKSPACES

SHOWN = 10  # tasks that could not be run are listed up to here; all are in not_run.jsonl
AGENT_FLAGS = {
    "model": "--model",
    "base_url": "--base-url",
    "home": "--lambda-home",
    "command": "--command",
}
FLAGS = AGENT_FLAGS | {"nudge_mode": "--nudge", "task_timeout": "--timeout"}
ONCE = 1  # tasks at once, and times to run each, unless told otherwise
EPILOG = """examples:
  grader run --tasks tasks.json --data csv/ --agent chat --model M --base-url URL --run DIR
  grader run --tasks tasks.json --agent lambda --lambda-home LAMBDA/ --model M --run DIR
  grader run --tasks tasks.json --agent command --command 'my-agent --ask $prompt' --run DIR
  grader run --agent replay --recorded OLD --nudge none --run DIR
then: grader grade DIR"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    add = parser.add_argument
    names = ", ".join([*AGENTS, REPLAY])
    add("--tasks", type=named_path, metavar="FILE", help="task file (QRData, DSGym or JSON lines)")
    add("--data", type=named_path, metavar="DIR", help="folder of the tasks' data files")
    add("--agent", required=True, metavar="NAME", help=f"{names}, or a module of your own")
    add("--run", type=named_path, required=True, metavar="DIR", help="run directory")
    modes = get_args(NudgeMode)
    nudge = f"nudge mode: {', '.join(modes)} (default: {LoopSettings().nudge_mode})"
    add("--nudge", type=one_of("nudge mode", modes), metavar="MODE", help=nudge)
    add("--concurrency", type=int, metavar="N", help=f"tasks at once (default: {ONCE})")
    add("--limit", type=int, metavar="N", help="only the first N tasks")
    add("--task", action="append", default=[], metavar="ID", help="only this task (repeatable)")
    times = "times to run each task (default: %(default)s)"
    add("--repeat", type=int, default=ONCE, metavar="N", help=times)
    limit = f"time limit of a task (default: {LoopSettings().task_timeout:g})"
    add("--timeout", type=float, metavar="SECONDS", help=limit)
    add("--network", action="store_true", help="let the code that the agent writes go online")
    sections = "sections [run], [isolation], [grade], [agent.NAME]"
    add("--settings", type=named_path, metavar="TOML", help=sections)
    add("--prompts", type=named_path, metavar="PATH", help="own prompt file, or a folder of them")
    add = parser.add_argument_group("agent settings (also in --settings)").add_argument
    add("--model", metavar="NAME", help="chat, lambda: the model at the endpoint")
    add("--base-url", metavar="URL", help="chat, lambda: an OpenAI-compatible server")
    add(
        "--lambda-home", type=named_path, dest="home", metavar="DIR", help="lambda: LAMBDA's folder"
    )
    add(
        "--command",
        metavar="COMMAND",
        help="command: program; prompt by $prompt, $prompt_file or stdin",
    )
    add("--recorded", type=named_path, metavar="PATH", help="replay: a recorded run")


def run(options: argparse.Namespace) -> int:
    """Run the tasks missing from the run directory. Exit code 0: every task is recorded; 1: some
    could not be run."""
    plan = _plan_of(options)
    work = _work_of(plan, options)
    with created(options.run) as directory, directory.writing():
        check_same_plan(directory, plan)
        recorded = recorded_ids(directory, work)
        workspaces = directory.path / WORKSPACES
        shutil.rmtree(workspaces, ignore_errors=True)  # left by a killed run
        record_plan(directory, plan, work)
        wanted = ids_wanted(directory, work, recorded)
        results = work.results(wanted, directory.path)
        summary = record_results(directory, results, len(wanted), work.may_run_later)
        shutil.rmtree(workspaces, ignore_errors=True)
    summary["already_recorded"] = len(recorded)
    _report(summary, as_json=options.json, may_run_later=work.may_run_later)
    return PARTIAL if summary["not_run"] else DONE


def _work_of(plan: RunPlan, options: argparse.Namespace) -> Work:
    """The tasks to run, or records to replay, that the options choose. Raises `UserError`."""
    if plan.agent == REPLAY:
        work = ReplayWork(plan, recordings(options), recording_files(options))
        refuse_own_files(RunDirectory(options.run), Input(transcripts_of(options.recorded)))
        return work
    return AgentWork(plan, assignments(options), [options.tasks], options.concurrency or ONCE)


def _plan_of(options: argparse.Namespace) -> RunPlan:
    """The plan that the options and settings files state. Raises `UserError`."""
    for name in ("concurrency", "repeat", "limit"):
        if (value := getattr(options, name)) is not None and value < 1:
            raise UserError(f"--{name} must be at least 1")
    _check_use(options)
    return make_plan(
        options.agent,
        {name: getattr(options, name) for name in AGENT_FLAGS},
        settings=options.settings,
        prompts=options.prompts,
        nudge_mode=options.nudge,
        task_timeout=options.timeout,
        network=options.network or None,
        flags=FLAGS,
    )


def _check_use(options: argparse.Namespace) -> None:
    """Raise `UserError` for an option that the agent does not use."""
    if options.agent != REPLAY:
        if options.recorded is not None:
            raise UserError(f"--recorded is only for --agent replay, not {options.agent}")
        return
    given = {
        **{flag: getattr(options, name) for name, flag in AGENT_FLAGS.items()},
        "--timeout": options.timeout,
        "--network": options.network,
        "--repeat": options.repeat > 1,
        "--concurrency": options.concurrency,
        "--prompts": options.prompts,
    }
    if useless := [option for option, value in given.items() if value]:
        raise UserError(
            f"{', '.join(useless)}: not used by --agent replay, which runs nothing and gives the "
            "same result every time. Leave it out"
        )


def _report(summary: dict[str, Any], *, as_json: bool, may_run_later: bool) -> None:
    """Print what was recorded, what could not be run, and what to do next."""
    if as_json:
        print_json(summary)
        return
    counts = summary["outcomes"]
    outcomes = ", ".join(f"{name} {counts[name]}" for name in OUTCOMES if name in counts)
    noun = "transcript" if summary["recorded"] == 1 else "transcripts"
    sys.stdout.write(
        f"{summary['recorded']} {noun} recorded ({outcomes or 'none'}), "
        f"{summary['already_recorded']} were already there, "
        f"{len(summary['not_run'])} could not be run\n"
    )
    for entry in summary["not_run"][:SHOWN]:
        sys.stdout.write(displayable(f"  {entry['transcript_id']}: {entry['reason']}\n"))
    if summary["left"]:
        verb = "was" if summary["left"] == 1 else "were"
        sys.stdout.write(f"{summary['left']} more {verb} not reached\n")
    if summary["not_run"] and may_run_later:
        sys.stdout.write("Run the same command again to try those again.\n")
    if summary["recorded"] or summary["already_recorded"]:
        sys.stdout.write(f"Next: grader grade {summary['run']}\n")
