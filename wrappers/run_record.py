"""The records of a run: the manifest, the transcripts, and the tasks that could not be run."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from grader.errors import UserError
from grader.files.digest import file_sha256
from grader.files.jsonl import Appender
from grader.records import Transcript
from grader.run import RunDirectory

from .assignment import Unrun
from .plan import RunPlan
from .progress import RunProgress
from .scheduler import AGENT_LOG
from .work import Work

log = logging.getLogger("grader")

STOP_AFTER = 10  # tasks in a row that could not be run: something is wrong with all of them


def check_same_plan(directory: RunDirectory, plan: RunPlan) -> None:
    """Raise `UserError` if a run holds transcripts made by another plan."""
    wanted, manifest = plan.as_record(), directory.manifest()
    stated = {name: manifest.get(name) for name in wanted}
    field = next(differences(wanted, stated), None)
    if field and next(directory.transcripts(), None) is not None:
        raise UserError(
            f"{directory.path}: was made with another {field} (see manifest.json). Repeat the "
            "command that began it, in the same environment, or name a new --run directory"
        )


def differences(one: Any, other: Any, name: str = "") -> Iterator[str]:
    """The dotted names of the entries in which two records differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one | other:
            yield from differences(one.get(key), other.get(key), f"{name}.{key}" if name else key)
    elif one != other:
        yield name


def recorded_ids(directory: RunDirectory, work: Work) -> set[str]:
    """The ids of the transcripts that a run holds. Raises `UserError` if one of this work's tasks
    was recorded from another question, answer, data file or record."""
    recorded = set()
    for transcript in directory.transcripts():
        if field := work.difference(transcript):
            raise UserError(
                f"{directory.path}: {transcript.transcript_id} was recorded from other input: "
                f"another {field}. Give the files that it was made from, or name a new --run "
                "directory"
            )
        recorded.add(transcript.transcript_id)
    return recorded


def ids_wanted(directory: RunDirectory, work: Work, recorded: Collection[str]) -> list[str]:
    """The ids of this work's transcripts that are not recorded yet. Those that could not be run
    before come last, so that they do not keep a run from the tasks behind them."""
    tried = set(directory.tried())
    missing = [name for name in work.transcript_ids if name not in recorded]
    return sorted(missing, key=lambda name: name in tried)


def record_plan(directory: RunDirectory, plan: RunPlan, work: Work) -> None:
    """Write the plan to the manifest, and add the files that tasks or records come from."""
    inputs = directory.manifest().get("run_inputs", [])
    files = filter(Path.is_file, work.sources)
    given = [{"name": file.name, "sha256": file_sha256(file)} for file in files]
    inputs += [entry for entry in given if entry not in inputs]
    directory.update_manifest(
        **plan.as_record(),
        nudge_mode=plan.loop.nudge_mode,
        run_inputs=inputs,
        **work.manifest(),
    )


def record_results(
    directory: RunDirectory,
    results: Generator[Transcript | Unrun, None, None],
    total: int,
    may_run_later: bool,
) -> dict[str, Any]:
    """Append every transcript as it arrives, and the tasks that could not be run to
    `not_run.jsonl`; returns the summary of the run. If a later attempt may succeed
    (`may_run_later`), ten such tasks in a row end the run, unless the reasons lie in the tasks."""
    failures = _Failures(directory)
    with (
        directory.append_transcripts() as transcripts,
        RunProgress(total) as progress,
        closing(results),
    ):
        for result in results:
            progress.add(result)
            if isinstance(result, Transcript):
                transcripts.add(result)
            failures.note(result)
            if may_run_later and failures.in_a_row == STOP_AFTER:
                log.error("stopped: %d tasks in a row could not be run", failures.in_a_row)
                break
    recorded = progress.outcomes.total()
    failures.tell(recorded)
    return {
        "run": str(directory.path),
        "recorded": recorded,
        "left": total - recorded - len(failures.not_run),
        "outcomes": dict(progress.outcomes),
        "not_run": failures.not_run,
    }


class _Failures:
    """The tasks that could not be run, which are appended to `not_run.jsonl`, how many of them came
    last (`in_a_row`), and the transcripts that an error of the agent ended."""

    def __init__(self, directory: RunDirectory) -> None:
        self._directory = directory
        self.not_run: list[dict[str, str]] = []
        self.in_a_row = 0
        self._errors: dict[str, str] = {}

    def note(self, result: Transcript | Unrun) -> None:
        """Note what went wrong with a task, if anything did."""
        if isinstance(result, Transcript):
            self.in_a_row = 0
            if error := agent_error(result):
                self._errors[result.transcript_id] = error
            return
        self.in_a_row += not result.is_tasks_own
        self.not_run.append({"transcript_id": result.transcript_id, "reason": result.reason})
        with Appender(self._directory.not_run_path) as lines:
            lines.write(json.dumps(self.not_run[-1]))

    def tell(self, recorded: int) -> None:
        """Warn of the errors of the agent. recorded: how many transcripts there are."""
        if self._errors:
            log.warning(
                "ended by an error of the agent: %d of %d transcripts (the first, %s: %s). "
                "See their metadata (`detail`) or that of their last steps%s",
                len(self._errors), recorded, *next(iter(self._errors.items())),
                _and_log(self._directory),
            )  # fmt: skip


def _and_log(directory: RunDirectory) -> str:
    """Where else to look for errors: nowhere in a replay, and where agents printed nothing."""
    path = directory.path / AGENT_LOG
    return f", and {path}" if path.exists() and path.stat().st_size else ""


def agent_error(transcript: Transcript) -> str | None:
    """The agent's error that ended a transcript, in a line: why its turn was cut off, or how its
    program exited. None if none did."""
    if detail := transcript.metadata.get("detail"):
        return " ".join(str(detail).split())
    notes = transcript.steps[-1].metadata if transcript.steps else {}
    if not (code := notes.get("exit_code")):
        return None
    last_words = [
        *str(notes.get("stderr", "")).splitlines()[-1:],
        *filter(None, [notes.get("hint")]),
    ]
    return ": ".join([f"exit code {code}", *last_words])
