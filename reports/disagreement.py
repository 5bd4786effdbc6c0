"""Where an output's two halves, printed output and prose, do not state the same number."""

from __future__ import annotations

from typing import NamedTuple

from grader.extraction.question import read_question
from grader.extraction.rules import first_mark, look
from grader.invisible import encodable
from grader.numbers import find_numbers
from grader.records import Transcript
from grader.settings import GradeSettings
from grader.text import split_output
from grader.text.formats import BlockKind
from grader.tolerance import agree, matches
from grader.truth import published_number

OTHER = "another number"


class Disagreement(NamedTuple):
    """One final response whose halves' last numbers differ beyond tolerance.

    `wrong` names the half that does not match the truth ("execution", "verbal", "both",
    "unknown" without a truth), `reason` what its number is.
    """

    transcript_id: str
    question: str
    ground_truth: str | None
    execution: str
    verbal: str
    wrong: str
    reason: str


def find_disagreement(transcript: Transcript, settings: GradeSettings) -> Disagreement | None:
    """Compare the last numbers of the two halves of the final response (the heuristic parser).

    None if they agree by the tolerance rule, or if a half has no number.
    """
    if not transcript.steps:
        return None
    output = split_output(transcript.steps[-1].raw_output)
    halves = {"execution": output.execution, "verbal": output.verbal}
    found = {half: find_numbers(text, spaced=half == "verbal") for half, text in halves.items()}
    if not all(found.values()):
        return None
    numbers = {half: all_of_it[-1] for half, all_of_it in found.items()}
    execution, verbal = numbers["execution"], numbers["verbal"]
    if agree(execution, verbal, settings):
        return None
    task = transcript.task
    truth = published_number(task.ground_truth) if task.ground_truth else None
    wrong = [h for h, n in numbers.items() if truth and not matches(n, truth, settings)]
    suspect = wrong[0] if len(wrong) == 1 else "verbal"
    number = verbal if suspect == "verbal" else execution
    kind: BlockKind = "execution" if suspect == "execution" else "prose"
    rule = first_mark(look(number, halves[suspect], kind, read_question(task.question)))
    return Disagreement(
        transcript_id=transcript.transcript_id,
        question=encodable(" ".join(task.question.split())),
        ground_truth=task.ground_truth,
        execution=execution.written,
        verbal=verbal.written,
        wrong="unknown" if truth is None else " and ".join(wrong) or "neither",
        reason=rule.title if rule else OTHER,
    )
