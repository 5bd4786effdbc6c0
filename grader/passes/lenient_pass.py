"""The second half of a grading pass: language models judge the failures of strict grading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..cascade import combine
from ..grader_names import LENIENT
from ..lenient import LenientGrader, open_lenient, wants_judging
from ..records import Grade, Transcript
from ..run import GradeAppender, RunDirectory
from ..run.ledger import Ledger
from .plan import Plan


@contextmanager
def open_judges(run: RunDirectory, plan: Plan) -> Iterator[LenientGrader | None]:
    """The judges that a plan asks for; None if it asks for none, or no model is configured."""
    judges = None
    if LENIENT in plan.graders:
        judges = open_lenient(plan.lenient, run, plan.settings, before_nudge=plan.before_nudge)
    if judges is None:
        yield None
        return
    with judges:
        yield judges


def judge_rest(
    run: RunDirectory, plan: Plan, ledger: Ledger, judges: LenientGrader, appender: GradeAppender
) -> int:
    """Append the judges' grades, each with the cascade grade that follows from it. Returns how
    many."""
    made = 0
    for lenient, strict in judges.grade_pairs(_not_judged(run, plan, ledger)):
        both = plan.stamp(lenient), plan.stamp(combine([strict, lenient]))
        appender.add(*both)
        for grade in both:
            ledger.add(grade)
        made += len(both)
    return made


def _not_judged(
    run: RunDirectory, plan: Plan, ledger: Ledger
) -> Iterator[tuple[Transcript, Grade]]:
    """The transcripts still to be judged, each with its strict grade."""
    for transcript in run.transcripts():
        name = transcript.transcript_id
        if ledger.verdict(name, LENIENT + plan.suffix) not in (None, "ungraded"):
            continue
        deciding = plan.deciding(ledger, name)
        known = ledger.verdict(name, deciding + plan.suffix)
        if known is not None and not wants_judging(plan.lenient, name, known):
            continue
        (strict,) = plan.strict(transcript, [deciding])
        if wants_judging(plan.lenient, name, strict.verdict):
            yield transcript, strict
