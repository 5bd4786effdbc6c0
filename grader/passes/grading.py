"""Grading a run: ingest transcripts, grade what is not graded yet, append, resume."""

from __future__ import annotations

import logging
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from ..errors import InputError
from ..files.idmap import IdMap, key_of
from ..files.jsonl import read_records
from ..grader_names import LENIENT
from ..readers import refuse_twin, some_readable, unique_id
from ..readers.chunks import Chunk, in_chunks
from ..records import Transcript
from ..run import GradeAppender, RunDirectory
from ..run.changes import change, left_out
from ..run.grade_index import GradeIndex
from ..run.ledger import Ledger
from ..run.transcript_index import TranscriptIndex
from ..run.validity import Validity
from ..tasks.unmatched import Unmatched
from .engine import Batch, Engine, SerialEngine
from .input import (
    Input,
    Recordings,
    cannot_change,
    has_changed,
    recorded_twice,
    refuse_own_files,
)
from .lenient_pass import judge_rest, open_judges
from .plan import Plan
from .strict_pass import GradedTranscript, Known, New, NewGrades, Regraded, StrictPass
from .summary import Summary
from .ungraded import reasons
from .validity_after import validity_after

log = logging.getLogger("grader")
PROBLEMS_LISTED = 1000


def grade_run(
    run: RunDirectory,
    source: Recordings | None,
    plan: Plan,
    on_transcript: Callable[[], None] = lambda: None,
    engine: Engine | None = None,
    manifest: Mapping[str, Any] | None = None,
) -> Summary:
    """Grade a run, adding the transcripts of `source` that it does not hold yet.

    Every finished grade is written before the next begins (with several workers: before the next
    chunk of them), and survives the process being killed; running it again continues where it
    stopped and adds nothing twice.
    engine: where the strict grades are computed; they are the same everywhere. manifest: entries
    for the run's manifest about `source`, written when a transcript of it is recorded, or all were.
    The settings, version and judges of the grades are written there before the first grade.

    Raises `UserError` if another process writes to the run, the disk refuses, `source` takes in
    the run itself, a transcript in it differs from the one recorded, the plan's tasks would
    change what is recorded, or there is nothing to grade.
    """
    refuse_own_files(run, source)
    with run.writing():
        with open_judges(run, plan) as judges, run.append_grades() as grades:
            validity = validity_after(run, plan, judges)
            ledger = Ledger(validity, run.grade_history())
            work = _GradingPass(
                run, plan, validity, ledger, grades, engine or SerialEngine(), on_transcript,
                manifest or {},
            )  # fmt: skip
            recorded = work.grade_recorded(source)
            work.write_manifest()
            if source is not None:
                work.grade_new(source, recorded)
            if judges is not None:
                work.summary.graded_now += judge_rest(run, plan, ledger, judges, grades)
                work.summary.lenient = judges.summary().as_dict()
        return work.whole_summary()


@dataclass
class _GradingPass:
    """One grading pass: the only one that writes."""

    run: RunDirectory
    plan: Plan
    validity: Validity
    ledger: Ledger
    grades: GradeAppender
    engine: Engine
    on_transcript: Callable[[], None]
    about_input: Mapping[str, Any]  # for the manifest
    summary: Summary = field(default_factory=Summary)
    is_manifest_written: bool = False
    _left_out: Counter[str] = field(default_factory=Counter)  # fields that inputs only add

    def __post_init__(self) -> None:
        self.summary.suffix = self.plan.suffix

    def write_manifest(self, **entries: Any) -> None:
        """Write the grades' settings, version and judges, and other entries, to the manifest."""
        grading = self.validity.model_dump(mode="json", exclude_none=True)
        self.run.update_manifest(**entries, grading=grading)
        self.is_manifest_written = True

    def grade_recorded(self, source: Recordings | None) -> IdMap:
        """Grade the run's own transcripts; returns the digest of each. source: the input to grade
        after them. Raises `UserError` if the plan's tasks would change what is recorded, and
        `InputError` for a damaged line, for an id that occurs twice and, without a source, for a
        run without transcripts."""
        recorded = IdMap()
        if not self.run.transcripts_path.exists():
            return recorded
        lenient = LENIENT + self.plan.suffix
        has_lenient = lenient in self.ledger.counts()
        stored = GradeIndex(self.run, {lenient}, self.validity.is_current) if has_lenient else None
        with_digest = source is not None
        strict_pass = StrictPass(self.plan, self.ledger, None, stored, with_digest=with_digest)
        chunks = self.engine.chunks(self.run.transcripts_path, "native")
        found = self._intact(
            graded for batch in self.engine.grade(strict_pass, chunks) for graded in batch.graded
        )
        for graded in self._watched(found) if source is None else found:
            match graded:
                case Regraded(is_altered=True):
                    raise cannot_change(self.run, source, graded.transcript_id)
                case Regraded(digest=digest, made=made):
                    if (key := key_of(graded.transcript_id)) in recorded:
                        raise recorded_twice(self.run, graded.transcript_id)
                    recorded[key] = digest
                    self._write(graded.transcript_id, made)
        if source is None and not recorded:
            raise InputError(
                self.run.transcripts_path,
                "holds no transcripts",
                "Record some with `grader run`, or grade recorded ones into it: "
                f"grader grade INPUT --run {shlex.quote(str(self.run.path))}",
            )
        return recorded

    def _intact(self, found: Iterator[GradedTranscript]) -> Iterator[GradedTranscript]:
        """The graded transcripts, unchanged. Raises `InputError` if the run's own file has a
        damaged line, as that is no fault of the agent."""
        is_checked = False
        for graded in found:
            if not graded.readable and not is_checked:
                is_checked = all(True for _ in read_records(self.run.transcripts_path))
            yield graded

    def grade_new(self, source: Recordings, recorded: IdMap) -> None:
        """Record and grade the transcripts that the run does not hold yet."""
        chunks: Iterable[Chunk]
        if isinstance(source, Input):
            chunks = self.engine.chunks(source.path, source.format)
        else:
            chunks = in_chunks(source)
        strict_pass = StrictPass(self.plan, self.ledger, recorded)
        found = _without_twins(strict_pass, self.engine.grade(strict_pass, chunks))
        if isinstance(source, Input):
            found = some_readable(source.path, found, lambda graded: graded.readable)
        with self.run.append_transcripts() as appender:
            for graded in self._watched(found):
                match graded:
                    case New(line=line, made=made):
                        self._name_input()
                        appender.write(line)
                        self._write(graded.transcript_id, made)
                    case Known(differing=Transcript() as given):
                        self._refuse_change(source, given)
        self._name_input()
        for names, count in self._left_out.items():
            log.warning(
                "%s: %d transcripts now come with %s, which the run was recorded without; it stays "
                "as it is, and a new run would have them",
                self.run.path, count, names,
            )  # fmt: skip

    def _name_input(self) -> None:
        """Write to the manifest, once, where transcripts are recorded from."""
        if self.about_input:
            self.write_manifest(**self.about_input)
            self.about_input = {}

    def _refuse_change(self, source: Recordings, given: Transcript) -> None:
        """Raises `UserError` if a transcript contradicts the recorded one with the same id. Counts
        what it only adds."""
        recorded = self._index.read(given.transcript_id)
        if name := change(recorded, given):
            raise has_changed(self.run, source, given.transcript_id, name)
        if names := left_out(recorded, given):
            self._left_out[", ".join(names)] += 1

    @cached_property
    def _index(self) -> TranscriptIndex:
        return TranscriptIndex(self.run.transcripts_path)

    def whole_summary(self) -> Summary:
        """The summary of the pass once all is graded, with the counts of the whole run."""
        summary, suffix = self.summary, self.plan.suffix
        summary.graders = {
            name: row
            for name, row in self.ledger.counts().items()
            if self.plan.before_nudge or self.validity.is_comparable(name)
        }
        summary.not_judged = self.ledger.not_judged(suffix)
        summary.missing = self.run.missing()
        if summary.ungraded:
            found = reasons(self.run, self.ledger, suffix, PROBLEMS_LISTED)
            summary.problems = sorted(found.items())
        return summary

    def _watched(self, graded: Iterator[GradedTranscript]) -> Iterator[GradedTranscript]:
        tasks = self.plan.tasks
        return graded if tasks is None else Unmatched(tasks).watch(graded)

    def _write(self, transcript_id: str, made: NewGrades) -> None:
        if made.grades:
            if not self.is_manifest_written:
                self.write_manifest()
            self.grades.write_many(made.grades)
            self.ledger.note(transcript_id, made.states)
        summary = self.summary
        summary.transcripts += 1
        summary.graded_now += len(made.grades)
        summary.outcomes[made.outcome or "unknown"] += 1
        self.on_transcript()


def _without_twins(strict_pass: StrictPass, batches: Iterable[Batch]) -> Iterator[GradedTranscript]:
    """All graded transcripts. A record with a duplicate id is renamed, refused and graded again."""
    seen = IdMap()
    for batch in batches:
        for place, graded in enumerate(batch.graded, batch.start):
            name = unique_id(graded.transcript_id, seen)
            if name == graded.transcript_id:
                yield graded
            else:
                record = next(islice(batch.chunk.transcripts(), place, None))
                yield strict_pass.grade(refuse_twin(record, name))
