"""Grading a run: ingest transcripts, grade what is not graded yet, append, resume."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import __version__
from .cascade import BEFORE_NUDGE, CASCADE, LENIENT, combine, gradable, strict_grades
from .errors import UserError
from .instrument import instrument_transcript
from .ledger import Ledger, key_of
from .lenient.settings import LenientSettings, wants_judging
from .outcome import outcome_of
from .records import Grade, Transcript
from .run import GradeAppender, RunDirectory
from .settings import GradeSettings


@dataclass
class Summary:
    """What a grading pass leaves behind: counts per grader and verdict, outcomes, problems."""

    transcripts: int = 0
    graded_now: int = 0
    graders: dict[str, dict[str, int]] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    problems: list[tuple[str, str]] = field(default_factory=list)
    lenient: dict[str, Any] | None = None

    @property
    def ungraded(self) -> int:
        """Transcripts whose cascade verdict is `ungraded`."""
        return sum(
            row["ungraded"] for name, row in self.graders.items() if name.startswith(CASCADE)
        )


@dataclass(frozen=True)
class Plan:
    """What to do in one grading pass."""

    graders: tuple[str, ...]
    settings: GradeSettings = field(default_factory=GradeSettings)
    lenient: LenientSettings = field(default_factory=lambda: LenientSettings(mode="off"))
    before_nudge: bool = False
    prepare: Callable[[Transcript], Transcript] = lambda transcript: transcript

    @property
    def fingerprint(self) -> str:
        """Names the settings and the version that strict grades were made with."""
        return f"{__version__}-{self.settings.fingerprint()}"

    @property
    def suffix(self) -> str:
        return BEFORE_NUDGE if self.before_nudge else ""


def grade_run(
    run: RunDirectory,
    source: Iterable[Transcript] | None,
    plan: Plan,
    on_transcript: Callable[[Transcript], None] = lambda transcript: None,
) -> Summary:
    """Grade a run, adding the transcripts of `source` that it does not hold yet.

    Every finished grade is on disk before the next begins; running it again continues where
    it stopped and adds nothing twice. Raises `UserError` if another process writes to the
    run, the disk refuses, or a transcript in `source` differs from the one recorded.
    """
    summary = Summary()
    with run.writing():
        ledger = Ledger(plan.fingerprint, run.grade_history())
        with run.append_grades() as grades:
            for transcript in _all_transcripts(run, source, plan):
                summary.transcripts += 1
                summary.outcomes[transcript.outcome or "unknown"] += 1
                if transcript.problem:
                    summary.problems.append((transcript.transcript_id, transcript.problem))
                summary.graded_now += _grade_strictly(transcript, plan, ledger, grades)
                on_transcript(transcript)
            if LENIENT in plan.graders:
                summary.lenient = _grade_leniently(run, plan, ledger, grades)
        summary.graders = ledger.counts()
    return summary


def prepare_transcript(transcript: Transcript, settings: GradeSettings) -> Transcript:
    """Fill in what a recorded transcript lacks: per-step fields and the outcome."""
    if transcript.problem and not transcript.steps:
        return transcript
    complete = instrument_transcript(transcript, settings)
    if complete.outcome is not None:
        return complete
    outcome = outcome_of(complete, gradable=gradable(complete, settings))
    return complete.model_copy(update={"outcome": outcome})


def _all_transcripts(
    run: RunDirectory, source: Iterable[Transcript] | None, plan: Plan
) -> Iterator[Transcript]:
    """The run's own transcripts, then the new ones, each recorded before it is handed on."""
    recorded: dict[int, int] = {}
    for transcript in run.transcripts():
        recorded[key_of(transcript.transcript_id)] = _digest(transcript)
        yield plan.prepare(transcript) if source is None else transcript
    if source is None:
        return
    with run.append_transcripts() as appender:
        for transcript in source:
            joined = plan.prepare(transcript)
            known = recorded.get(key_of(joined.transcript_id))
            if known is None:
                complete = prepare_transcript(joined, plan.settings)
                appender.add(complete)
                yield complete
            elif known != _digest(joined):
                raise UserError(
                    f"{run.path}: holds another version of transcript "
                    f"{joined.transcript_id!r}. Grade this input into a new --run directory"
                )


def _digest(transcript: Transcript) -> int:
    parts = [transcript.task.question, transcript.task.ground_truth or ""]
    parts += [step.raw_output for step in transcript.steps]
    text = "\x1e".join(parts).encode("utf-8", errors="replace")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def _grade_strictly(
    transcript: Transcript, plan: Plan, ledger: Ledger, appender: GradeAppender
) -> int:
    """Add the strict grades that are missing, and the cascade's; returns how many."""
    names = [name for name in plan.graders if name != LENIENT]
    missing = [
        n for n in names if ledger.verdict(transcript.transcript_id, n + plan.suffix) is None
    ]
    if not missing and ledger.verdict(transcript.transcript_id, CASCADE + plan.suffix):
        return 0
    made = [_stamp(grade, plan) for grade in _strict(transcript, names, plan)]
    new = [grade for grade in made if grade.grader.removesuffix(plan.suffix) in missing]
    new.append(_stamp(combine([*made, *_known_lenient(made[0], plan, ledger)]), plan))
    appender.add(*new)
    for grade in new:
        ledger.add(grade)
    return len(new)


def _known_lenient(strict: Grade, plan: Plan, ledger: Ledger) -> list[Grade]:
    """The lenient grade of an earlier pass, as far as the ledger remembers it."""
    verdict = ledger.verdict(strict.transcript_id, LENIENT + plan.suffix)
    if verdict is None:
        return []
    return [
        Grade(
            transcript_id=strict.transcript_id,
            task_id=strict.task_id,
            grader=LENIENT + plan.suffix,
            verdict=verdict,
            reason="graded in an earlier pass",
        )
    ]


def _grade_leniently(
    run: RunDirectory, plan: Plan, ledger: Ledger, appender: GradeAppender
) -> dict[str, Any] | None:
    """Let the language models judge what they are to judge; returns what that took, or None
    if there is no model to ask."""
    from .lenient import open_lenient

    names = [name for name in plan.graders if name != LENIENT]
    waiting: dict[str, list[Grade]] = {}

    def candidates() -> Iterator[Transcript]:
        for stored in run.transcripts():
            known = ledger.verdict(stored.transcript_id, LENIENT + plan.suffix)
            if known in ("correct", "incorrect", "no_answer"):
                continue
            transcript = plan.prepare(stored)
            strict = _strict(transcript, names, plan)
            verdict = combine(strict).verdict
            if verdict != "ungraded" and wants_judging(
                plan.lenient, transcript.transcript_id, strict_pass=verdict == "correct"
            ):
                waiting[transcript.transcript_id] = strict
                yield transcript

    layer = open_lenient(plan.lenient, run, plan.settings, before_nudge=plan.before_nudge)
    if layer is None:
        return None
    with layer:
        for grade in layer.grade_many(candidates()):
            strict = waiting.pop(grade.transcript_id)
            both = [grade, _stamp(combine([*strict, grade]), plan)]
            appender.add(*both)
            for one in both:
                ledger.add(one)
        return layer.summary().as_dict()


def _strict(transcript: Transcript, names: list[str], plan: Plan) -> list[Grade]:
    return strict_grades(transcript, names, plan.settings, before_nudge=plan.before_nudge)


def _stamp(grade: Grade, plan: Plan) -> Grade:
    return grade.model_copy(update={"evidence": {**grade.evidence, "settings": plan.fingerprint}})
