"""What a run leaves in its directory: the manifest, the transcripts, and what was not run."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.errors import UserError
from grader.files.jsonl import Appender
from grader.records import Transcript
from grader.run import RunDirectory

from .isolation import describe
from .plan import RunPlan
from .progress import RunProgress
from .prompts import load_prompts
from .run import Unrun

log = logging.getLogger("grader")

STOP_AFTER = 10  # tasks in a row that could not be run: something is wrong with all of them


def check_same_run(directory: RunDirectory, plan: RunPlan, *, is_empty: bool) -> None:
    """A run holds transcripts of one plan only. Raises `UserError` if this is another."""
    before = directory.manifest().get("run_fingerprint")
    if before != plan.fingerprint() and not (before is None and is_empty):
        raise UserError(
            f"{directory.path}: was made with another agent, nudge mode, prompts or settings. "
            "Repeat the command that began it, or name a new --run directory"
        )


def record_plan(directory: RunDirectory, plan: RunPlan, source: Path | None) -> None:
    """Write to the manifest how the run is made. `source`: its task file or record."""
    entries: dict[str, Any] = {
        "agent": plan.agent,
        "nudge_mode": plan.loop.nudge,
        "run_settings": plan.as_record(),
        "run_prompts": load_prompts(plan.prompts).manifest(),
        "run_fingerprint": plan.fingerprint(),
    }
    if plan.agent != "replay":
        entries["isolation"] = isolation = describe(plan.isolation)
        if not plan.isolation.network and isolation["network"] != "off":
            log.warning("this system permits no namespaces: the agent's code can go online")
    if source is not None and source.is_file():
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
        entries["run_input"] = {"name": source.name, "sha256": digest}
    directory.update_manifest(**entries)


def record_results(
    directory: RunDirectory,
    results: Generator[Transcript | Unrun, None, None],
    total: int,
    stop_after: int | None = STOP_AFTER,
) -> dict[str, Any]:
    """Append every transcript as it comes; what could not be run goes to `not_run.jsonl`.
    Stops early if that happens `stop_after` times in a row."""
    not_run: list[dict[str, str]] = []
    in_a_row = recorded = 0
    with (
        directory.append_transcripts() as transcripts,
        RunProgress(total) as progress,
        closing(results),
    ):
        for result in results:
            progress.add(result)
            if isinstance(result, Transcript):
                transcripts.add(result)
                recorded, in_a_row = recorded + 1, 0
                continue
            not_run.append(asdict(result))
            with Appender(directory.not_run_path) as failures:
                failures.write(json.dumps(not_run[-1]))
            in_a_row += 1
            if in_a_row == stop_after:
                log.error("stopped: %d tasks in a row could not be run", in_a_row)
                break
    return {
        "run": str(directory.path),
        "recorded": recorded,
        "left": total - recorded - len(not_run),
        "outcomes": dict(progress.outcomes),
        "not_run": not_run,
    }
