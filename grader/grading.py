"""Grading a run: ingest transcripts, grade what is not graded yet, append, resume."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from .cascade import CASCADE, LENIENT
from .engines import Engine, open_engine
from .errors import UserError
from .grade_index import GradeIndex
from .idmap import IdMap, key_of
from .judged import Judge, Judged, Plan, prepare_transcript
from .ledger import Ledger
from .lenient_pass import judge_rest, open_judges
from .readers import refuse_twin, some_readable
from .readers.chunks import Chunk, in_chunks
from .run import GradeAppender, RunDirectory, TranscriptAppender
from .source import Input, Source, refuse_own_files

__all__ = ["Input", "Plan", "Summary", "grade_run", "prepare_transcript"]

PROBLEMS_LISTED = 1000


@dataclass
class Summary:
    """What a grading pass leaves behind: counts per grader and verdict, outcomes, problems
    (the first of them by name, all of them in the count)."""

    transcripts: int = 0
    graded_now: int = 0
    graders: dict[str, dict[str, int]] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    problems: list[tuple[str, str]] = field(default_factory=list)
    problem_count: int = 0
    lenient: dict[str, Any] | None = None

    @property
    def ungraded(self) -> int:
        """Transcripts whose cascade verdict is `ungraded`."""
        return sum(
            row["ungraded"] for name, row in self.graders.items() if name.startswith(CASCADE)
        )


def grade_run(
    run: RunDirectory,
    source: Source | None,
    plan: Plan,
    on_transcript: Callable[[], None] = lambda: None,
    engine: Engine | None = None,
    manifest: Mapping[str, Any] | None = None,
) -> Summary:
    """Grade a run, adding the transcripts of `source` that it does not hold yet.

    Every finished grade is on disk before the next begins (with several workers: before the
    next chunk of them); running it again continues where it stopped and adds nothing twice.
    engine: where the strict grades are computed; they are the same everywhere. manifest:
    entries for the run's manifest, written once the run is held.

    Raises `UserError` if another process writes to the run, the disk refuses, `source` takes in
    the run itself, or a transcript in it differs from the one recorded.
    """
    refuse_own_files(run, source)
    with run.writing():
        if manifest:
            run.update_manifest(**manifest)
        with open_judges(run, plan) as judges, run.append_grades() as grades:
            asked = None if judges is None else judges.fingerprint
            ledger = Ledger(plan.fingerprint, run.grade_history(), asked)
            work = _Pass(run, plan, ledger, grades, engine or open_engine(), on_transcript)
            recorded = work.grade_recorded(joins=source is None)
            if source is not None:
                work.grade_new(source, recorded)
            if judges is not None:
                judge_rest(run, plan, ledger, judges, grades)
                work.summary.lenient = judges.summary().as_dict()
        work.summary.graders = ledger.counts()
    return work.summary


@dataclass
class _Pass:
    """One grading pass: the only one that writes."""

    run: RunDirectory
    plan: Plan
    ledger: Ledger
    grades: GradeAppender
    engine: Engine
    on_transcript: Callable[[], None]
    summary: Summary = field(default_factory=Summary)

    def grade_recorded(self, *, joins: bool) -> IdMap:
        """Grade what the run holds; returns the digest of each of its transcripts."""
        recorded = IdMap()
        if not self.run.transcripts_path.exists():
            return recorded
        lenient = LENIENT + self.plan.suffix
        has_lenient = lenient in self.ledger.counts()
        stored = GradeIndex(self.run, {lenient}) if has_lenient else None
        judge = Judge(self.plan, self.ledger, None, stored, joins=joins)
        chunks = self.engine.chunks(self.run.transcripts_path, "native")
        for batch in self.engine.judge(judge, chunks):
            for judged in batch.judged:
                recorded[key_of(judged.transcript_id)] = judged.digest
                self._write(judged)
        return recorded

    def grade_new(self, source: Source, recorded: IdMap) -> None:
        """Record and grade what the run does not hold yet."""
        chunks: Iterable[Chunk]
        if isinstance(source, Input):
            chunks = self.engine.chunks(source.path, source.format)
        else:
            chunks = in_chunks(source)
        judge = Judge(self.plan, self.ledger, recorded)
        found = _without_twins(judge, self.engine.judge(judge, chunks))
        if isinstance(source, Input):
            found = some_readable(source.path, found, lambda judged: judged.readable)
        with self.run.append_transcripts() as appender:
            for judged in found:
                self._add(judged, recorded, appender)

    def _add(self, judged: Judged, recorded: IdMap, appender: TranscriptAppender) -> None:
        if judged.line is not None:
            appender.write(judged.line)
            self._write(judged)
        elif recorded.get(key_of(judged.transcript_id)) != judged.digest:
            raise UserError(
                f"{self.run.path}: holds another version of transcript "
                f"{judged.transcript_id!r}. Grade this input into a new --run directory"
            )

    def _write(self, judged: Judged) -> None:
        if judged.grades:
            self.grades.write_many(judged.grades)
            self.ledger.note(judged.transcript_id, judged.verdicts)
        summary = self.summary
        summary.transcripts += 1
        summary.graded_now += len(judged.grades)
        summary.outcomes[judged.outcome or "unknown"] += 1
        if judged.problem:
            summary.problem_count += 1
            if len(summary.problems) < PROBLEMS_LISTED:
                summary.problems.append((judged.transcript_id, judged.problem))
        self.on_transcript()


def _without_twins(judge: Judge, batches: Iterable[Any]) -> Iterator[Judged]:
    """Everything that was judged; a record whose id an earlier one has is judged anew under a
    name of its own."""
    seen = IdMap()
    index = 0
    for batch in batches:
        for place, judged in enumerate(batch.judged, batch.start):
            index += 1
            key = key_of(judged.transcript_id)
            if key in seen:
                record = next(islice(batch.chunk.transcripts(), place, None))
                yield judge.judge(refuse_twin(record, index))
                continue
            seen[key] = index
            yield judged
