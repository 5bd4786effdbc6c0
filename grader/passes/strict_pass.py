"""Transcripts through the strict graders, as text that only has to be appended.

This is what worker processes do: everything but deciding what is new and writing it down.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ..cascade import CASCADE, LENIENT, combine
from ..files.idmap import IdMap, key_of
from ..instrument import instrument_transcript
from ..outcome import outcome_of
from ..readers import is_readable
from ..readers.native import from_native, to_native
from ..records import Grade, Transcript, Verdict
from ..run.grade_index import GradeIndex
from ..run.ledger import Ledger
from ..run.recorded import digest_of
from ..settings import GradeSettings
from ..strict import Reading
from .plan import Plan


@dataclass(frozen=True)
class GradedTranscript:
    """One transcript after grading. `line` is its record, None if the run has it already;
    `grades` are the records of its new grades, `verdicts` what they say by grader name.
    `digest` stands for its record, where it is to be compared with another; `differing` is the
    record where it is not quite what the run has recorded. `unmatched` is what of it the files of
    tasks and covariates do not match; `is_altered` says whether they would change what the run has
    recorded.
    """

    transcript_id: str
    digest: int = 0
    differing: Transcript | None = None
    outcome: str | None = None
    problem: str | None = None
    readable: bool = True
    unmatched: tuple[str, ...] = ()
    is_altered: bool = False
    line: str | None = None
    grades: tuple[str, ...] = ()
    verdicts: dict[str, Verdict | None] = field(default_factory=dict)


class StrictPass:
    """Grades transcripts. Holds what a run has already, as it was when the pass began, so
    that this is not done again; can be sent to another process.

    recorded: digests of the run's transcripts by id key; None if the transcripts to come are
    the run's own. stored: where their lenient grades are. with_digest: whether theirs are needed,
    for an input to be compared with them.
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
        """One transcript. Pure: nothing is written, and it can be done again."""
        tasks = self._plan.tasks
        if tasks is None:
            return self._found(transcript, transcript)
        completed = tasks.complete(transcript)
        found = self._found(transcript, completed.transcript)
        return replace(found, unmatched=completed.unmatched)

    def _found(self, transcript: Transcript, joined: Transcript) -> GradedTranscript:
        """joined: the transcript with its task completed."""
        if self._recorded is None:
            digest = digest_of(transcript) if self._with_digest else 0
            is_altered = joined.task != transcript.task
            return replace(self._graded(transcript), digest=digest, is_altered=is_altered)
        if (known := self._recorded.get(key_of(joined.transcript_id))) is not None:
            given = from_native(to_native(joined))
            differing = None if digest_of(given) == known else given
            return GradedTranscript(joined.transcript_id, differing=differing)
        reading = Reading(joined, self._plan.settings)
        complete = _complete(reading)
        line = json.dumps(to_native(complete), ensure_ascii=True)
        return replace(self._graded(complete, reading), line=line)

    def _graded(self, transcript: Transcript, reading: Reading | None = None) -> GradedTranscript:
        made = self._missing(transcript, reading)
        return GradedTranscript(
            transcript.transcript_id,
            outcome=transcript.outcome,
            problem=transcript.problem,
            readable=is_readable(transcript),
            grades=tuple(json.dumps(grade.model_dump(mode="json")) for grade in made),
            verdicts={grade.grader: grade.verdict for grade in made},
        )

    def _missing(self, transcript: Transcript, reading: Reading | None) -> list[Grade]:
        """The strict grades that the run lacks, and the cascade's; none if it has them all. What
        was `ungraded` is tried again, for its cause may be gone."""
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
        made = [g for g in strict if g.grader in known and _is_news(g, known[g.grader])]
        return [*made, cascade] if made or _is_news(cascade, known[cascade.grader]) else []

    def _known_lenient(self, transcript_id: str) -> list[Grade]:
        """The lenient grade of an earlier pass, if it still counts."""
        if self._stored is None:
            return []
        if self._ledger.verdict(transcript_id, LENIENT + self._plan.suffix) is None:
            return []
        with self._stored.open() as grades_of:
            return grades_of(transcript_id)


def _is_news(grade: Grade, known: Verdict | None) -> bool:
    """Whether a grade says more than the verdict that the run has."""
    return known is None or (known == "ungraded" and grade.verdict != "ungraded")


def prepare_transcript(transcript: Transcript, settings: GradeSettings) -> Transcript:
    """Fill in what a recorded transcript lacks: per-step fields and the outcome."""
    return _complete(Reading(transcript, settings))


def _complete(reading: Reading) -> Transcript:
    """The transcript of a reading (of all its steps), completed."""
    transcript = reading.transcript
    if not is_readable(transcript):
        return transcript
    complete = instrument_transcript(transcript, reading.settings, reading.source)
    if complete.outcome is not None:
        return complete
    return complete.model_copy(update={"outcome": outcome_of(complete)})
