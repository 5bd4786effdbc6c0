"""The run directory: where running, grading, labelling and reporting meet.

DIR/manifest.json      tool version, settings, prompt hashes, input hash
DIR/transcripts.jsonl  native format, one transcript a line
DIR/grades.jsonl       one grade a line; `Validity` says which of them count
DIR/llm_calls.jsonl    every LLM call
DIR/llm_batches.jsonl  batches of calls at a batch service (`--lenient batch`)
DIR/not_run.jsonl      tasks that `grader run` could not run
DIR/agent.log          what `grader run`'s agent wrote to its own output
DIR/.workspaces/       working folders of the tasks that `grader run` is at
DIR/labels.sqlite      human labels
DIR/report/            made by `grader report`
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from .. import __version__
from ..errors import InputError, RunInUse, cannot_write, first_fault
from ..files.jsonl import Appender, read_records
from ..files.listing import named_path
from ..files.locking import locked
from ..files.replacing import write_atomically
from ..readers.native import from_native, to_native
from ..readers.recognise import may_be_recording
from ..readers.shards import shards
from ..readers.transcripts import holds_transcripts
from ..records import Grade, Transcript
from .validity import Validity


class RunDirectory:
    """One run on disk. Reading needs no lock; writers hold `writing()`."""

    def __init__(self, path: Path | str) -> None:
        self.path = named_path(path)
        self.manifest_path = self.path / "manifest.json"
        self.transcripts_path = self.path / "transcripts.jsonl"
        self.grades_path = self.path / "grades.jsonl"
        self.llm_calls_path = self.path / "llm_calls.jsonl"
        self.llm_batches_path = self.path / "llm_batches.jsonl"
        self.not_run_path = self.path / "not_run.jsonl"
        self.labels_path = self.path / "labels.sqlite"
        self.report_path = self.path / "report"

    @classmethod
    def create(cls, path: Path | str) -> RunDirectory:
        """Open a run directory, making it if needed. Raises `UserError` if that fails."""
        run = cls(path)
        try:
            run.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(run.path, error) from error
        return run

    @classmethod
    def open(cls, path: Path | str) -> RunDirectory:
        """Open an existing run. Raises `InputError` if there is no run at that place."""
        run = cls(path)
        if lack := run.lack:
            raise InputError(
                run.path,
                f"not a run directory ({lack})",
                "Make one with `grader grade INPUT --run DIR` or `grader run ... --run DIR`",
            )
        return run

    @property
    def is_run(self) -> bool:
        """Whether there is a run: `transcripts.jsonl` with a manifest or grades, or as the only
        recording. Beside other recordings it is one shard among them."""
        return self.lack is None

    @property
    def lack(self) -> str | None:
        """Why there is no run here; None if there is one."""
        if not self.path.is_dir():
            return "no folder"
        if not self.transcripts_path.is_file():
            return "no transcripts.jsonl"
        if self.manifest_path.is_file() or self.grades_path.is_file():
            return None
        if name := self._other_recording():
            return f"{name} is a recording too, and there is no manifest.json or grades.jsonl"
        return None

    def refuse_recordings(self, sources: Collection[Path] = ()) -> None:
        """Raises `InputError` if this is no run yet, nor one that was begun, but a folder with
        transcripts other than those of the files `sources`, which it will hold: of a run, only its
        own `transcripts.jsonl` is read."""
        if self.is_run or self.manifest_path.is_file():
            return
        name = None
        with suppress(InputError):  # no shard in it
            name = self._other_recording(holds_transcripts, sources)
        if name:
            raise InputError(
                self.path,
                f"holds recordings ({name}), which would not be read once it is a run directory",
                "Put --run outside of it",
            )

    def _other_recording(
        self, is_one: Callable[[Path], bool] = may_be_recording, known: Collection[Path] = ()
    ) -> Path | None:
        """Where in the folder a recording is that is no file of a run, nor one of the known. Raises
        `InputError` if there are no shards in it."""
        left_out = {file.resolve() for file in (*self.records, *known)}
        others = (file for file in shards(self.path) if file.resolve() not in left_out)
        found = next(filter(is_one, others), None)
        return found and found.relative_to(self.path)

    @property
    def records(self) -> tuple[Path, ...]:
        """The files of a run that cannot be made again."""
        return (
            self.manifest_path,
            self.transcripts_path,
            self.grades_path,
            self.llm_calls_path,
            self.llm_batches_path,
            self.not_run_path,
            self.labels_path,
        )

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the run's lock. Raises `RunInUse` if another process is writing to it."""
        with ExitStack() as stack:
            try:
                stack.enter_context(locked(self.path / ".lock"))
            except BlockingIOError:
                raise RunInUse(
                    f"{self.path}: another process is writing to this run. "
                    "Wait for it to end, or use another --run directory"
                ) from None
            yield

    # -- manifest ------------------------------------------------------------------------

    def manifest(self) -> dict[str, Any]:
        """The manifest, or an empty dict for a run that has none yet. Raises `InputError` if its
        file holds anything but a JSON object."""
        try:
            data = json.loads(self.manifest_path.read_text(encoding="utf-8"))
            if not isinstance(data, dict):
                raise ValueError("not a JSON object")
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError, OSError) as error:
            raise InputError(
                self.manifest_path, f"unreadable manifest: {error}", "Restore or delete it"
            ) from None
        return data

    def update_manifest(self, **entries: Any) -> None:
        """Merge entries into the manifest (top level), replacing the file as a whole."""
        manifest = self.manifest()
        manifest.setdefault("created_at", datetime.now(UTC).isoformat(timespec="seconds"))
        merged = {**manifest, "tool_version": __version__, **entries}
        write_atomically(self.manifest_path, json.dumps(merged, indent=2) + "\n")

    # -- transcripts ---------------------------------------------------------------------

    def transcripts(self) -> Iterator[Transcript]:
        """Stream the recorded transcripts. Raises `InputError` on a malformed line."""
        if not self.transcripts_path.exists():
            return
        for _, record in read_records(self.transcripts_path):
            yield from_native(record)

    def append_transcripts(self) -> TranscriptAppender:
        """A context manager with `.add(transcript)`; what was added survives the process being
        killed."""
        return TranscriptAppender(self.transcripts_path)

    def tried(self) -> list[str]:
        """The ids of the tasks that `grader run` could not run, as often as it tried. Some may have
        been recorded later."""
        if not self.not_run_path.exists():
            return []
        return [str(line.get("transcript_id")) for _, line in read_records(self.not_run_path)]

    def missing(self, recorded: Iterable[str] | None = None) -> list[str]:
        """The ids of the tasks that `grader run` could not run, and that are not recorded.
        recorded: the ids that are, if they are known."""
        tried = dict.fromkeys(self.tried())
        if not tried:
            return []
        if recorded is None:
            recorded = (transcript.transcript_id for transcript in self.transcripts())
        for name in recorded:
            tried.pop(name, None)
        return list(tried)

    # -- grades --------------------------------------------------------------------------

    def grade_history(self) -> Iterator[Grade]:
        """Every grade ever appended, oldest first. Raises `InputError` for a line that is none."""
        if not self.grades_path.exists():
            return
        for number, record in read_records(self.grades_path):
            try:
                yield Grade.model_validate(record)
            except ValidationError as error:
                problem = f"not a grade: {first_fault(error)}"
                raise InputError(self.grades_path, problem, "Remove that line", number) from None

    def validity(self) -> Validity:
        """Which of the grades count. Raises `InputError` if there are grades and the manifest
        does not state what they were made with."""
        stated = Validity.stated_in(self.manifest())
        if stated is None and self.grades_path.is_file() and self.grades_path.stat().st_size:
            raise InputError(
                self.manifest_path,
                "does not state (under `grading`) what the grades were made with",
                f"Grade the run again: grader grade {shlex.quote(str(self.path))} "
                "(with --settings as then, if given; what judges said then is kept)",
            )
        return stated or Validity()

    def grades_by_transcript(self) -> dict[str, dict[str, Grade]]:
        """The grades that count, by transcript_id, then grader (all of them in memory).

        Raises `InputError` on a malformed line, and what `validity` raises.
        """
        validity = self.validity()
        last = {(grade.transcript_id, grade.grader): grade for grade in self.grade_history()}
        found: dict[str, dict[str, Grade]] = {}
        for (transcript_id, grader), grade in last.items():
            if validity.counts(grader, grade.evidence):
                found.setdefault(transcript_id, {})[grader] = validity.as_shown(grade)
        return found

    def append_grades(self) -> GradeAppender:
        """A context manager with `.add(*grades)`: the grades of one transcript together."""
        return GradeAppender(self.grades_path)


def transcripts_of(recorded: Path) -> Path:
    """The path of a recorded run's transcripts: one file of a run directory; any other path as it
    is."""
    run = RunDirectory(recorded)
    return run.transcripts_path if run.is_run else recorded


class TranscriptAppender(Appender):
    """Appends transcripts in the native format."""

    def add(self, transcript: Transcript) -> None:
        self.write(json.dumps(to_native(transcript), ensure_ascii=True))


class GradeAppender(Appender):
    """Appends grades."""

    def add(self, *grades: Grade) -> None:
        self.write_many(json.dumps(grade.model_dump(mode="json")) for grade in grades)
