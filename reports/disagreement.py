"""Final responses whose two halves, printed output and prose, end in different numbers."""

from __future__ import annotations

from typing import NamedTuple

from grader.criterion import criterion_of
from grader.extraction.parsers import Source, last_number
from grader.invisible import encodable
from grader.records import Half, Transcript
from grader.settings import GradeSettings
from grader.text import split_output
from grader.tolerance import agree

HALVES: tuple[Half, Half] = ("execution", "verbal")
OTHER = "another number"


class Disagreement(NamedTuple):
    """One final response whose halves' last numbers differ beyond tolerance.

    `wrong` names the halves that do not match the truth ("execution", "verbal", "execution and
    verbal", "neither", or "unknown" without a truth), `reason` what the number of one is.
    """

    transcript_id: str
    question: str
    ground_truth: str | None
    execution: str
    verbal: str
    wrong: str
    reason: str


def find_disagreement(transcript: Transcript, settings: GradeSettings) -> Disagreement | None:
    """The disagreement of a final response, by the heuristic parser. None if its halves' numbers
    agree within tolerance, if a half has no number, or if the task does not ask for one."""
    task = transcript.task
    if not transcript.steps or not task.wants_number:
        return None
    scan = Source(split_output(transcript.steps[-1].raw_output), task, settings).scan
    printed, said = (last_number(scan, half) for half in HALVES)
    if printed is None or said is None:
        return None
    execution, verbal = printed[1], said[1]
    if agree(execution, verbal, settings):
        return None
    criterion = criterion_of(task, settings)
    numbers = zip(HALVES, (execution, verbal), strict=True)
    wrong = [half for half, n in numbers if criterion and not criterion.is_met_by(n)]
    block, number = printed if wrong == ["execution"] else said
    rule = next(m.rule for m in scan.marks(block) if m.number.start == number.start)
    return Disagreement(
        transcript_id=transcript.transcript_id,
        question=encodable(" ".join(task.question.split())),
        ground_truth=task.ground_truth,
        execution=execution.written,
        verbal=verbal.written,
        wrong="unknown" if criterion is None else " and ".join(wrong) or "neither",
        reason=rule.title if rule else OTHER,
    )
