"""The first half of a grading pass: strict grades of transcripts, as text ready to append.

Worker processes do this; the writing process only decides what is new and appends it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..cascade import combine
from ..files.idmap import IdMap, key_of
from ..grader_names import CASCADE, LENIENT
from ..instrument import instrument_transcript
from ..outcome import outcome_of
from ..readers import is_readable
from ..readers.native import from_native, to_native
from ..reading import Reading
from ..records import Grade, Transcript
from ..run.changes import digest_of
from ..run.grade_index import GradeIndex
from ..run.ledger import Ledger, State
from ..tasks.index import Completed
from .plan import Plan


@dataclass(frozen=True)
class NewGrades:
    """The new grades of a transcript as records, their states by grader name (for the ledger), and
    the transcript's outcome."""

    outcome: str | None
    grades: tuple[str, ...]
    states: dict[str, State | None]


@dataclass(frozen=True, kw_only=True)
class Handled:
    """A transcript that the pass has dealt with. task_id: of the task that it was joined with.
    unmatched: which of --tasks, --covariates and the published answer found no match; see
    `tasks.index.Completed`."""

    transcript_id: str
    task_id: str
    problem: str | None = None
    readable: bool = True
    unmatched: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Regraded(Handled):
    """A transcript of the run. digest: of its record, to compare an input with it. is_altered: the
    files of tasks and covariates would change what is recorded."""

    made: NewGrades
    digest: int
    is_altered: bool


@dataclass(frozen=True, kw_only=True)
class New(Handled):
    """A transcript of the input that the run does not have. line: its record."""

    made: NewGrades
    line: str


@dataclass(frozen=True, kw_only=True)
class Known(Handled):
    """A transcript of the input that the run has. differing: the transcript, if its record differs
    from the run's."""

    differing: Transcript | None


GradedTranscript = Regraded | New | Known


class StrictPass:
    """Grades transcripts, except where the run already had the grades when the pass began. Can be
    sent to another process.

    recorded: digests of the run's transcripts by id key; None if the transcripts to grade are the
    run's own. stored: where their lenient grades are. with_digest: whether to compute their
    digests, to compare an input with them.
    """

    def __init__(
        self,
        plan: Plan,
        ledger: Ledger,
        recorded: IdMap | None = None,
        stored: GradeIndex | None = None,
        *,
        with_digest: bool = False,
    ) -> None:
        self._plan, self._ledger = plan, ledger
        self._recorded, self._stored, self._with_digest = recorded, stored, with_digest

    def grade_all(self, transcripts: Iterable[Transcript]) -> Iterator[GradedTranscript]:
        """Grade transcripts, in order."""
        return map(self.grade, transcripts)

    def grade(self, transcript: Transcript) -> GradedTranscript:
        """Grade one transcript. Pure: nothing is written, and it can be done again."""
        tasks = self._plan.tasks
        if tasks is None:
            return self._found(transcript, Completed(transcript, ()))
        return self._found(transcript, tasks.complete(transcript))

    def _found(self, transcript: Transcript, completed: Completed) -> GradedTranscript:
        joined, unmatched = completed
        if self._recorded is None:
            return Regraded(
                transcript_id=transcript.transcript_id,
                task_id=joined.task.task_id,
                problem=transcript.problem,
                readable=is_readable(transcript),
                unmatched=unmatched,
                made=self._made(transcript),
                digest=digest_of(transcript) if self._with_digest else 0,
                is_altered=joined.task != transcript.task,
            )
        if (known := self._recorded.get(key_of(joined.transcript_id))) is not None:
            given = from_native(to_native(joined))
            return Known(
                transcript_id=joined.transcript_id,
                task_id=joined.task.task_id,
                unmatched=unmatched,
                differing=None if digest_of(given) == known else given,
            )
        reading = Reading(joined, self._plan.settings)
        whole = complete(reading)
        return New(
            transcript_id=joined.transcript_id,
            task_id=joined.task.task_id,
            problem=joined.problem,
            readable=is_readable(joined),
            unmatched=unmatched,
            made=self._made(whole, reading),
            line=json.dumps(to_native(whole), ensure_ascii=True),
        )

    def _made(self, transcript: Transcript, reading: Reading | None = None) -> NewGrades:
        grades = self._missing(transcript, reading)
        return NewGrades(
            outcome=transcript.outcome,
            grades=tuple(json.dumps(grade.model_dump(mode="json")) for grade in grades),
            states={grade.grader: self._ledger.state(grade) for grade in grades},
        )

    def _missing(self, transcript: Transcript, reading: Reading | None) -> list[Grade]:
        """The strict and cascade grades that the run lacks. An `ungraded` one is tried again, as
        its cause may be gone."""
        plan, identifier = self._plan, transcript.transcript_id
        known = {
            name + plan.suffix: self._ledger.verdict(identifier, name + plan.suffix)
            for name in (*plan.strict_graders, CASCADE)
        }
        if not {None, "ungraded"}.intersection(known.values()):
            return []
        needed = dict.fromkeys([*plan.strict_graders, plan.deciding(self._ledger, identifier)])
        strict = plan.strict(transcript, needed, reading)
        cascade = plan.stamp(combine([*strict, *self._known_lenient(identifier)]))
        made = [g for g in strict if g.grader in known and self._is_news(g)]
        return [*made, cascade] if made or self._is_news(cascade) else []

    def _is_news(self, grade: Grade) -> bool:
        """Whether a grade tells more than the run's own, by `_how_much`."""
        known = self._ledger.noted(grade.transcript_id, grade.grader)
        return _how_much(self._ledger.state(grade)) > _how_much(known)

    def _known_lenient(self, transcript_id: str) -> list[Grade]:
        """The lenient grade of an earlier pass, if it still counts."""
        if self._stored is None:
            return []
        if self._ledger.verdict(transcript_id, LENIENT + self._plan.suffix) is None:
            return []
        with self._stored.open() as grades_of:
            return grades_of(transcript_id)


def _how_much(state: State | None) -> int:
    """How much a state tells: no grade < not_judged < ungraded < any verdict."""
    less: tuple[State | None, ...] = (None, "not_judged", "ungraded")
    return less.index(state) if state in less else len(less)


def complete(reading: Reading) -> Transcript:
    """The transcript of a reading (of all its steps) with what it lacks: per-step fields, and the
    outcome."""
    transcript = reading.transcript
    if not is_readable(transcript):
        return transcript
    whole = instrument_transcript(transcript, reading.settings, reading.source)
    if whole.outcome is not None:
        return whole
    return whole.model_copy(update={"outcome": outcome_of(whole)})
